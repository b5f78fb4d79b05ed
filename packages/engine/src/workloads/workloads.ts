import type { GraphClient } from '@holdfast/m365';
import type { Workload } from '../pipeline/workload.ts';
import type { ResourceKind } from '../ports/item.ts';
import { createDriveWorkload } from './drives/drive-workload.ts';
import { createMailboxWorkload } from './exchange/mailbox.ts';
import { createSiteWorkload } from './sites/site-workload.ts';
import { createChatWorkload } from './teams/chat-workload.ts';
import { createTeamWorkload } from './teams/team-workload.ts';

/** The workload of a kind of resource. */
export function createWorkload(kind: ResourceKind, graph: GraphClient): Workload {
  switch (kind) {
    case 'mailbox':
      return createMailboxWorkload(graph);
    case 'drive':
      return createDriveWorkload(graph);
    case 'site':
      return createSiteWorkload(graph);
    case 'team':
      return createTeamWorkload(graph);
    case 'chat':
      return createChatWorkload(graph);
  }
}
