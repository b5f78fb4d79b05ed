import { isDeepStrictEqual } from 'node:util';
import { factsOf, leavesItsPlace } from '@holdfast/contract/restore';
import type { Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { Caller } from '../../access/caller.ts';
import type { JobKind } from '../../runs/kind.ts';
import { requireLeave } from './require-leave.ts';
import { mayRestoreTo } from './restore.policy.ts';
import { createRestoreHandler, type RestoreHandlerOptions } from './restore.tasks.ts';
import { restorable } from './restorable.store.ts';
import { requireStillAllowed, type StillAllowedParts } from './still-allowed.ts';
import { createTargetCheck } from './target-check.ts';

/** Notifies the people whose content a restore will show to others. */
export type ContentOpened = (tx: Tx, caller: Caller, opening: { readonly sourceId: string; readonly reason: string }) => Promise<void>;

export interface RestoreKindOptions extends RestoreHandlerOptions, StillAllowedParts {
  readonly contentOpened: ContentOpened;
}

/** Restores as jobs: who may start one, what it needs to succeed, and its run. */
export function createRestoreKind(options: RestoreKindOptions): JobKind<'restore'> {
  const checkTarget = createTargetCheck(options);
  const handle = createRestoreHandler(options);
  return Object.freeze<JobKind<'restore'>>({
    type: 'restore',
    allow(role, { restore: { target, reason } }) {
      if (!mayRestoreTo(role, target.kind)) throw new AppError('access-denied');
      if (leavesItsPlace(target.kind) && reason === '') {
        throw new AppError('restore.reason-required', { details: { field: 'restore.reason' } });
      }
    },
    async permit(tx, caller, { tenantId, body: { restore } }) {
      if (leavesItsPlace(restore.target.kind)) await requireLeave(tx, options.contentAccess, { ...caller, tenantId }, restore);
    },
    check: (scope, { tenantId, body }) => checkTarget(scope, { tenantId, locationId: body.locationId }, body.restore),
    async checkStored(tx, { tenantId, body, before }) {
      const { sourceId, sequence } = body.restore;
      // What a saved job names may have expired since: its other settings can still be changed.
      const isKept = before?.locationId === body.locationId && before.restore.sourceId === sourceId;
      if (isKept && before.workload === body.workload && before.restore.sequence === sequence) return;
      const found = await restorable(tx, { tenantId, body });
      if (!found) throw new AppError('restore.source-unknown', { details: { field: 'restore.sourceId' } });
      if (!found.hasPoint) throw new AppError('restore.point-unknown', { details: { field: 'restore.sequence' } });
    },
    async saved(tx, caller, { body, before }) {
      if (!leavesItsPlace(body.restore.target.kind)) return;
      if (isDeepStrictEqual(before?.restore, body.restore)) return;
      await options.contentOpened(tx, caller, body.restore);
    },
    facts({ restore }) {
      const { reason, ...details } = factsOf(restore);
      return { details, ...(reason === '' ? {} : { reason }) };
    },
    async handle(context) {
      await requireStillAllowed(options, context);
      return handle(context);
    },
  });
}
