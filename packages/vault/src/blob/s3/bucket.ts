import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  PutObjectRetentionCommand,
  S3Client,
  UploadPartCommand,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { vaultError } from '../../shared/errors.ts';
import type { BlobInfo, BlobRange, BlobStore, ObjectLock, PutOptions, StoreAbilities } from '../blob-store.ts';
import { checkObjectName } from '../object-name.ts';
import { s3Failure } from './failure.ts';
import { folderIn, type S3BlobStoreOptions } from './options.ts';

/** Longer objects are put in parts. */
const MULTIPART_FROM_BYTES = 32 * 1024 * 1024;
const PART_BYTES = 16 * 1024 * 1024;
const PAGE_KEYS = 1000;

type LockFields = { ObjectLockMode?: 'COMPLIANCE' | 'GOVERNANCE'; ObjectLockRetainUntilDate?: Date };

function lockFields(lock: ObjectLock | undefined): LockFields {
  return lock ? { ObjectLockMode: lock.mode === 'compliance' ? 'COMPLIANCE' : 'GOVERNANCE', ObjectLockRetainUntilDate: lock.until } : {};
}

function md5Of(data: Uint8Array): string {
  return createHash('md5').update(data).digest('base64');
}

function rangeHeader(range: BlobRange): string {
  return 'last' in range ? `bytes=-${range.last}` : `bytes=${range.offset}-${range.offset + range.length - 1}`;
}

function createClient(options: S3BlobStoreOptions): S3Client {
  return new S3Client({
    region: options.region,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    forcePathStyle: options.pathStyle ?? options.endpoint !== undefined,
    credentials: {
      accessKeyId: options.accessKeyId,
      secretAccessKey: options.secretAccessKey.reveal(),
      ...(options.sessionToken ? { sessionToken: options.sessionToken.reveal() } : {}),
    },
    // Trailing checksums are refused by many servers; Content-MD5 is understood by all.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 1,
    requestHandler: {
      requestTimeout: options.requestTimeoutMs ?? 60_000,
      connectionTimeout: 10_000,
      ...(options.lookup ? { httpAgent: { lookup: options.lookup }, httpsAgent: { lookup: options.lookup } } : {}),
    },
  });
}

/** An upload in parts; nothing is visible before its last step. */
async function putInParts(client: S3Client, target: { Bucket: string; Key: string }, data: Buffer, put: PutOptions): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...target, ...lockFields(put.lock) }));
  const upload = { ...target, UploadId };
  try {
    const parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let at = 0; at < data.byteLength; at += PART_BYTES) {
      const body = data.subarray(at, at + PART_BYTES);
      const PartNumber = parts.length + 1;
      const { ETag } = await client.send(
        new UploadPartCommand({ ...upload, PartNumber, Body: body, ContentMD5: md5Of(body) }),
        abortOf(put.signal),
      );
      parts.push({ PartNumber, ETag });
    }
    await crashPoint('vault.s3.before-complete');
    await client.send(
      new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts }, ...(put.ifAbsent ? { IfNoneMatch: '*' } : {}) }),
    );
    await crashPoint('vault.s3.after-complete');
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    throw error;
  }
}

function abortOf(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal ? { abortSignal: signal } : {};
}

function isNotFound(error: unknown): boolean {
  const { name, $metadata } = (error ?? {}) as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === 'NotFound' || name === 'NoSuchKey' || ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket');
}

/** What the parts of an S3 store share. */
interface Bucket {
  readonly client: S3Client;
  readonly options: S3BlobStoreOptions;
  readonly abilities: StoreAbilities;
  /** Ends with a slash, or is empty. */
  readonly prefix: string;
}

function targetOf(bucket: Bucket, name: string): { Bucket: string; Key: string } {
  checkObjectName(name);
  return { Bucket: bucket.options.bucket, Key: bucket.prefix + name };
}

async function putObject(bucket: Bucket, name: string, data: Buffer, put: PutOptions): Promise<void> {
  const target = targetOf(bucket, name);
  try {
    if (data.byteLength >= (bucket.options.multipartFromBytes ?? MULTIPART_FROM_BYTES)) {
      await putInParts(bucket.client, target, data, put);
      return;
    }
    await crashPoint('vault.s3.before-put');
    const request = {
      ...target,
      Body: data,
      ContentMD5: md5Of(data),
      ...lockFields(put.lock),
      ...(put.ifAbsent ? { IfNoneMatch: '*' } : {}),
    };
    await bucket.client.send(new PutObjectCommand(request), abortOf(put.signal));
    await crashPoint('vault.s3.after-put');
  } catch (error) {
    throw s3Failure(error, name, 'put');
  }
}

async function getObject(bucket: Bucket, name: string, range?: BlobRange, signal?: AbortSignal): Promise<Buffer> {
  const target = targetOf(bucket, name);
  if (range && 'length' in range && range.length === 0) return Buffer.alloc(0);
  try {
    const answer = await bucket.client.send(
      new GetObjectCommand({ ...target, ...(range ? { Range: rangeHeader(range) } : {}) }),
      abortOf(signal),
    );
    const data = Buffer.from((await answer.Body?.transformToByteArray()) ?? []);
    if (answer.ContentLength !== undefined && data.byteLength !== answer.ContentLength) throw new Error('cut short');
    return data;
  } catch (error) {
    // A range that begins at the end of the object or after it, or any range of an empty one.
    if ((error as { name?: string }).name === 'InvalidRange') return Buffer.alloc(0);
    throw s3Failure(error, name, 'get');
  }
}

async function statObject(bucket: Bucket, name: string): Promise<BlobInfo | undefined> {
  try {
    const head = await bucket.client.send(new HeadObjectCommand(targetOf(bucket, name)));
    return { name, sizeBytes: head.ContentLength ?? 0, modifiedAtMs: head.LastModified?.getTime() ?? 0 };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw s3Failure(error, name, 'stat');
  }
}

async function pageAfter(bucket: Bucket, prefix: string, startAfter: string | undefined): Promise<ListObjectsV2CommandOutput> {
  const request = { Bucket: bucket.options.bucket, Prefix: bucket.prefix + prefix, MaxKeys: PAGE_KEYS };
  try {
    return await bucket.client.send(new ListObjectsV2Command(startAfter === undefined ? request : { ...request, StartAfter: startAfter }));
  } catch (error) {
    throw s3Failure(error, prefix, 'list');
  }
}

async function* listObjects(bucket: Bucket, prefix: string, after: string): AsyncGenerator<BlobInfo, void, undefined> {
  let startAfter = after === '' ? undefined : bucket.prefix + after;
  for (;;) {
    const { Contents = [], IsTruncated } = await pageAfter(bucket, prefix, startAfter);
    for (const { Key = '', Size = 0, LastModified } of Contents) {
      yield { name: Key.slice(bucket.prefix.length), sizeBytes: Size, modifiedAtMs: LastModified?.getTime() ?? 0 };
    }
    startAfter = Contents.at(-1)?.Key;
    if (IsTruncated !== true || startAfter === undefined) return;
  }
}

/** With object lock the version itself is deleted, so that a lock shows as a refusal and not as a hidden object. */
async function removeObject(bucket: Bucket, name: string): Promise<void> {
  const { client, abilities } = bucket;
  const target = targetOf(bucket, name);
  try {
    const VersionId = abilities.objectLock ? (await client.send(new HeadObjectCommand(target))).VersionId : undefined;
    await client.send(new DeleteObjectCommand({ ...target, ...(VersionId === undefined ? {} : { VersionId }) }));
  } catch (error) {
    if (isNotFound(error)) return;
    const failure = s3Failure(error, name, 'delete');
    const isLocked = abilities.objectLock && failure.code === 'vault.access-denied';
    throw isLocked ? vaultError('vault.object-locked', `${name} is locked.`, { object: name }, error) : failure;
  }
}

async function extendObjectLock(bucket: Bucket, name: string, lock: ObjectLock): Promise<void> {
  if (!bucket.abilities.objectLock) return;
  const Mode = lock.mode === 'compliance' ? 'COMPLIANCE' : 'GOVERNANCE';
  try {
    await bucket.client.send(
      new PutObjectRetentionCommand({ ...targetOf(bucket, name), Retention: { Mode, RetainUntilDate: lock.until } }),
    );
  } catch (error) {
    throw s3Failure(error, name, 'lock');
  }
}

/** Ends uploads in parts that nobody will complete. */
async function abortUploads(bucket: Bucket, beforeMs: number): Promise<number> {
  const { client, prefix } = bucket;
  const Bucket = bucket.options.bucket;
  try {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix }));
    const old = Uploads.filter(({ Initiated }) => (Initiated?.getTime() ?? 0) < beforeMs);
    for (const { Key, UploadId } of old) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    return old.length;
  } catch (error) {
    throw s3Failure(error, prefix, 'list uploads');
  }
}

/** The requests to a bucket, as a store. Loading this takes the client's library with it: `s3.ts` does so at the first request. */
export function createBucketStore(options: S3BlobStoreOptions, description: string): BlobStore {
  const bucket: Bucket = {
    client: createClient(options),
    options,
    abilities: options.abilities ?? { conditionalPut: false, objectLock: false },
    prefix: folderIn(options.prefix),
  };
  return Object.freeze({
    description,
    abilities: bucket.abilities,
    put: async (name: string, parts: readonly Uint8Array[], put: PutOptions = {}) => putObject(bucket, name, Buffer.concat(parts), put),
    get: (name: string, range?: BlobRange, signal?: AbortSignal) => getObject(bucket, name, range, signal),
    stat: (name: string) => statObject(bucket, name),
    list: (prefix: string, after = '') => listObjects(bucket, prefix, after),
    delete: (name: string) => removeObject(bucket, name),
    extendLock: (name: string, lock: ObjectLock) => extendObjectLock(bucket, name, lock),
    removeLeftovers: (beforeMs: number) => abortUploads(bucket, beforeMs),
    close: async () => bucket.client.destroy(),
  });
}
