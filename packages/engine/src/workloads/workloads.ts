import { AppError } from '@holdfast/foundation/errors';
import type { GraphClient } from '@holdfast/m365';
import type { Workload } from '../pipeline/workload.ts';
import type { Resource, ResourceKind } from '../ports/item.ts';
import { createDriveWorkload } from './drives/drive-workload.ts';
import { createMailboxWorkload } from './exchange/mailbox.ts';
import { createSiteWorkload } from './sites/site-workload.ts';
import { createChatWorkload } from './teams/chat-workload.ts';
import { createTeamWorkload } from './teams/team-workload.ts';

function createWorkload(kind: ResourceKind, graph: GraphClient): Workload {
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
    case 'archive':
    case 'journal':
      throw new AppError('internal', { message: 'Archives and journals are not in Microsoft 365.' });
  }
}

/** The workloads of Microsoft 365, by the kind of a resource. */
export function graphWorkloads(graph: GraphClient): (resource: Resource, signal: AbortSignal) => Workload {
  return ({ kind }, signal) => createWorkload(kind, graph.with({ priority: 'backup', signal }));
}
