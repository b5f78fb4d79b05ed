import type { JobKind } from '../../runs/kind.ts';
import { createVerifyHandler, type VerifyHandlerOptions } from './verify.tasks.ts';

/** Verifications of a vault as jobs. */
export function createVerifyKind(options: VerifyHandlerOptions): JobKind<'verify'> {
  return Object.freeze<JobKind<'verify'>>({ type: 'verify', handle: createVerifyHandler(options) });
}
