import { isDeepStrictEqual } from 'node:util';
import { leavesItsPlace, restoreSettings } from '@holdfast/contract/restore';
import type { RecoverySettings } from '@holdfast/contract/selections';
import type { Scope, Tx } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import type { Caller } from '../../access/caller.ts';
import type { JobKind, Saving } from '../../runs/kind.ts';
import type { ContentAccess } from '../content-access/index.ts';
import { createTargetCheck, mayRestoreTo, type ContentOpened } from '../restore/index.ts';
import { keysByResource, readSelection, sourcesOf } from '../search/index.ts';
import { canReceive, type RecoveryHandlerOptions } from './batches.ts';
import { createRecoveryHandler } from './recovery.tasks.ts';
import type { BodyOf } from '@holdfast/contract/jobs';

export interface RecoveryKindOptions extends RecoveryHandlerOptions {
  readonly contentAccess: ContentAccess;
  readonly contentOpened: ContentOpened;
}

/** Everybody whose content leaves its place has to be in reach of whoever restores it. */
async function requireLeave(tx: Tx, access: ContentAccess, caller: Caller, { tenantId, body }: Saving<BodyOf<'recovery'>>): Promise<void> {
  for (const [resourceId, items] of await keysByResource(tx, body.recovery.selectionId)) {
    await access.require(tx, { ...caller, tenantId }, { action: 'restore', resourceId, items });
  }
}

/** Refuses a person who cannot receive what they are to be given, before it becomes a job. */
async function checkTarget(options: RecoveryKindOptions, scope: Scope, tenantId: string, recovery: RecoverySettings): Promise<void> {
  const { target, selectionId } = recovery;
  if (target.kind !== 'elsewhere') return;
  const parts = (await options.selections.parts(scope, tenantId, selectionId)).filter(canReceive);
  const oneOfEach = new Map(parts.map((part) => [part.resource.kind, part]));
  for (const part of oneOfEach.values()) {
    const { sourceId, locationId } = part;
    const check = createTargetCheck({ ...options, views: { source: () => Promise.resolve(part) } });
    await check(scope, { tenantId, locationId }, restoreSettings.parse({ sourceId, items: 'all', target }));
  }
}

/** Restores of search hits as jobs: who may start one, what it needs to succeed, and its run. */
export function createRecoveryKind(options: RecoveryKindOptions): JobKind<'recovery'> {
  return Object.freeze<JobKind<'recovery'>>({
    type: 'recovery',
    allow(role, { recovery: { target } }) {
      if (!mayRestoreTo(role, target.kind)) throw new AppError('access-denied');
    },
    async permit(tx, caller, saving) {
      if (leavesItsPlace(saving.body.recovery.target.kind)) await requireLeave(tx, options.contentAccess, caller, saving);
    },
    check: (scope, { tenantId, body }) => checkTarget(options, scope, tenantId, body.recovery),
    async checkStored(tx, { tenantId, body, before }) {
      const { selectionId } = body.recovery;
      // What a saved job names may have expired since: its other settings can still be changed.
      if (before?.recovery.selectionId === selectionId) return;
      const found = await readSelection(tx, tenantId, selectionId);
      if (!found) throw new AppError('search.selection-unknown', { details: { field: 'recovery.selectionId' } });
    },
    async saved(tx, caller, { body: { recovery }, before }) {
      if (!leavesItsPlace(recovery.target.kind) || isDeepStrictEqual(before?.recovery, recovery)) return;
      for (const sourceId of await sourcesOf(tx, recovery.selectionId)) {
        await options.contentOpened(tx, caller, { sourceId, reason: recovery.reason });
      }
    },
    facts({ recovery: { target, reason } }) {
      const recipient = target.kind === 'elsewhere' ? `${target.name}: ${target.folder}` : target.kind === 'folder' ? target.folder : '';
      return { details: { target: target.kind, recipient }, ...(reason === '' ? {} : { reason }) };
    },
    handle: createRecoveryHandler(options),
  });
}
