import { AppError } from '@holdfast/foundation/errors';
import type { JobKind } from '../../runs/kind.ts';
import { createErasureHandler, type ErasureHandlerOptions } from './erasure.tasks.ts';

/** Erasures as runs: they are asked for through deletions alone. */
export function createErasureKind(options: ErasureHandlerOptions): JobKind<'erasure'> {
  return Object.freeze<JobKind<'erasure'>>({
    type: 'erasure',
    checkStored: () => Promise.reject(new AppError('jobs.type-unavailable', { details: { field: 'type' } })),
    handle: createErasureHandler(options),
  });
}
