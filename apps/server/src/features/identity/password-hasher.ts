import { hash, hashRaw, parseOptions, verify } from '@node-rs/argon2';
import { AppError } from '@holdfast/foundation/errors';
import { createSemaphore } from '@holdfast/foundation/concurrency';
import { availableParallelism } from 'node:os';
import type { HashCost } from './options.ts';

/** Hashes and compares secrets with argon2id: no more at once than cores, a bounded queue behind, then 503. */
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
}

const WAITING_PER_CORE = 32;
const RETRY_AFTER_SECONDS = 2;

export function createPasswordHasher(cost: HashCost, cores: number = availableParallelism()): PasswordHasher {
  const places = createSemaphore(cores);
  const settings = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: cost.lanes, outputLen: 32 };
  let waiting = 0;
  let verifications = 0;
  let nothing: Promise<string> | undefined;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= cores * WAITING_PER_CORE) {
      throw new AppError('service.overloaded', { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
    }
    waiting += 1;
    try {
      return await places.run(work);
    } finally {
      waiting -= 1;
    }
  }

  return {
    hash: (password) => inTurn(() => hash(password, settings)),
    async verify(stored, password) {
      verifications += 1;
      return inTurn(() => verify(stored, password));
    },
    async verifyNothing(password) {
      nothing ??= hash('no account has this password', settings);
      verifications += 1;
      const stored = await nothing;
      await inTurn(() => verify(stored, password));
      return false;
    },
    hashWithSalt: (secret, salt) => inTurn(() => hashRaw(secret, { ...settings, salt })),
    isOutdated(stored) {
      const used = parseOptions(stored);
      return used.memoryCost !== settings.memoryCost || used.timeCost !== settings.timeCost || used.parallelism !== settings.parallelism;
    },
    get verifications() {
      return verifications;
    },
  };
}
