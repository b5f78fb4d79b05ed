import { startThread, type ThreadCaller } from '@holdfast/foundation/thread-calls';
import { vaultError } from './errors.ts';

/** What a thread makes in JavaScript is small and short-lived; what is large is in buffers. */
const LIMITS = { maxYoungGenerationSizeMb: 8 } as const;

const REASONS = { ended: 'A worker thread of the vault has ended.', closed: 'The vault was closed.' } as const;

/** Starts a thread of a vault with its settings and gives calls into it. */
export function startVaultThread<Request>(file: URL, settings: object): ThreadCaller<Request> {
  return startThread<Request>(file, { settings, limits: LIMITS, ended: (why) => vaultError('vault.writer-closed', REASONS[why]) });
}
