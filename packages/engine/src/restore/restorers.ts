import { AppError } from '@holdfast/foundation/errors';
import { createDriveRestorer } from './drives/drive-restorer.ts';
import { createMailboxRestorer } from './mailbox/mailbox-restorer.ts';
import { createSiteRestorer } from './sites/site-restorer.ts';
import { createChatRestorer } from './teams/chat-restorer.ts';
import { createTeamRestorer } from './teams/team-restorer.ts';
import type { RestoreContext, Restorer } from './restorer.ts';

/** The restorer for the kind of resource that a request names; source and target are of one kind. */
export function createRestorer(context: RestoreContext): Restorer {
  const { source, target } = context.request;
  if (source.kind !== target.resource.kind) {
    throw new AppError('restore.other-kind', { details: { source: source.kind, target: target.resource.kind } });
  }
  switch (source.kind) {
    case 'mailbox':
      return createMailboxRestorer(context);
    case 'drive':
      return createDriveRestorer(context);
    case 'site':
      return createSiteRestorer(context);
    case 'team':
      return createTeamRestorer(context);
    case 'chat':
      return createChatRestorer(context);
    case 'archive':
    case 'journal':
      throw new AppError('restore.other-kind', { details: { source: source.kind } });
  }
}
