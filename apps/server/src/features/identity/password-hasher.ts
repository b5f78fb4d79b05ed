import { parseOptions } from '@node-rs/argon2';
import { AppError } from '@holdfast/foundation/errors';
import { createSemaphore } from '@holdfast/foundation/concurrency';
import { availableParallelism } from 'node:os';
import type { HashOrder, HashResult } from './hash-order.ts';
import { createHashThreads } from './hash-threads.ts';
import type { HashCost } from './options.ts';

/** Hashes and compares secrets with argon2id: no more at once than cores, a bounded queue behind, then 503. What it computes gives way. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(stored: string, password: string): Promise<boolean>;
  /** Costs what a verification costs and is always false: for addresses that nobody has. */
  verifyNothing(password: string): Promise<false>;
  /** A raw hash under a salt that a whole set shares, so that one hash finds the entry. */
  hashWithSalt(secret: string, salt: Buffer): Promise<Buffer>;
  /** Whether a hash was made with other parameters than today's. */
  isOutdated(stored: string): boolean;
  /** How many verifications there have been; the two kinds of failure must cost the same. */
  readonly verifications: number;
  /** Ends the threads. What is under way comes to its end. */
  close(): void;
}

const WAITING_PER_CORE = 32;
const RETRY_AFTER_SECONDS = 2;

export function createPasswordHasher(cost: HashCost, cores: number = availableParallelism()): PasswordHasher {
  const places = createSemaphore(cores);
  const threads = createHashThreads();
  const settings = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: cost.lanes, outputLen: 32 };
  let waiting = 0;
  let verifications = 0;
  let nothing: Promise<string> | undefined;

  async function inTurn(order: HashOrder): Promise<HashResult> {
    if (waiting >= cores * WAITING_PER_CORE) {
      throw new AppError('service.overloaded', { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
    }
    waiting += 1;
    try {
      return await places.run(() => threads.run(order));
    } finally {
      waiting -= 1;
    }
  }

  const hashed = async (secret: string): Promise<string> => String(await inTurn({ kind: 'hash', secret, settings }));
  const isRight = async (stored: string, secret: string): Promise<boolean> => (await inTurn({ kind: 'compare', stored, secret })) === true;

  return {
    hash: hashed,
    async verify(stored, password) {
      verifications += 1;
      return isRight(stored, password);
    },
    async verifyNothing(password) {
      nothing ??= hashed('no account has this password').catch((error: unknown) => {
        nothing = undefined;
        throw error;
      });
      verifications += 1;
      await isRight(await nothing, password);
      return false;
    },
    async hashWithSalt(secret, salt) {
      return Buffer.from((await inTurn({ kind: 'raw', secret, settings: { ...settings, salt } })) as Uint8Array);
    },
    isOutdated(stored) {
      const used = parseOptions(stored);
      return used.memoryCost !== settings.memoryCost || used.timeCost !== settings.timeCost || used.parallelism !== settings.parallelism;
    },
    get verifications() {
      return verifications;
    },
    close: () => threads.close(),
  };
}
