import type { BlobRange, BlobStore, ObjectLock, PutOptions } from '../blob-store.ts';
import { vaultError } from '../../shared/errors.ts';
import { folderIn, type S3BlobStoreOptions } from './options.ts';

/**
 * A store in an S3 bucket. What the bucket can do is probed and handed in, never trusted. The
 * client's library is loaded at the first request: it is most of the start-up of a small program.
 */
export function createS3BlobStore(options: S3BlobStoreOptions): BlobStore {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(options.bucket))
    throw vaultError('vault.bad-input', 'This is no bucket name.', { field: 'bucket' });
  const prefix = folderIn(options.prefix);
  const description = `s3 ${options.endpoint ?? options.region}/${options.bucket}/${prefix}`;
  let opened: Promise<BlobStore> | undefined;
  const bucket = (): Promise<BlobStore> =>
    (opened ??= import('./bucket.ts').then(({ createBucketStore }) => createBucketStore(options, description)));
  return Object.freeze({
    description,
    abilities: options.abilities ?? { conditionalPut: false, objectLock: false },
    put: async (name: string, parts: readonly Uint8Array[], put?: PutOptions) => (await bucket()).put(name, parts, put),
    get: async (name: string, range?: BlobRange, signal?: AbortSignal) => (await bucket()).get(name, range, signal),
    stat: async (name: string) => (await bucket()).stat(name),
    async *list(prefix: string, after?: string) {
      yield* (await bucket()).list(prefix, after);
    },
    delete: async (name: string) => (await bucket()).delete(name),
    extendLock: async (name: string, lock: ObjectLock) => (await bucket()).extendLock(name, lock),
    removeLeftovers: async (beforeMs: number) => (await bucket()).removeLeftovers(beforeMs),
    close: async () => (await opened)?.close(),
  });
}
