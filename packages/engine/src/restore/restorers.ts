import { AppError } from '@holdfast/foundation/errors';
import { createMailboxRestorer } from './mailbox/mailbox-restorer.ts';
import type { RestoreContext, Restorer } from './restorer.ts';

/** The restorer for the kind of resource that a request names. */
export function createRestorer(context: RestoreContext): Restorer {
  const { source, target } = context.request;
  if (source.kind !== target.resource.kind) {
    throw new AppError('restore.other-kind', { details: { source: source.kind, target: target.resource.kind } });
  }
  switch (source.kind) {
    case 'mailbox':
      return createMailboxRestorer(context);
    default:
      throw new AppError('restore.other-kind', { details: { source: source.kind } });
  }
}
