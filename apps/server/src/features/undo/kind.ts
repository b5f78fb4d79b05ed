import { AppError } from '@holdfast/foundation/errors';
import type { JobKind } from '../../runs/kind.ts';
import { createUndoHandler, type UndoHandlerOptions } from './undo.tasks.ts';

/** Undoing restores as runs: they are asked for on the page of a restore alone. */
export function createUndoKind(options: UndoHandlerOptions): JobKind<'undo'> {
  return Object.freeze<JobKind<'undo'>>({
    type: 'undo',
    checkStored: () => Promise.reject(new AppError('jobs.type-unavailable', { details: { field: 'type' } })),
    handle: createUndoHandler(options),
  });
}
