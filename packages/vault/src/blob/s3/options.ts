import type { LookupFunction } from 'node:net';
import type { Secret } from '@holdfast/foundation/secrets';
import type { StoreAbilities } from '../blob-store.ts';

export interface S3BlobStoreOptions {
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  /** Folder within the bucket, without slashes at its ends. */
  readonly prefix?: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: Secret;
  readonly sessionToken?: Secret;
  /** Bucket in the path and not in the host name; what most servers other than Amazon's need. Default: true with an endpoint. */
  readonly pathStyle?: boolean;
  /** What `probeBlobStore` found. Nothing is assumed. */
  readonly abilities?: StoreAbilities;
  /** Multipart from this size on; tests make it small. */
  readonly multipartFromBytes?: number;
  readonly requestTimeoutMs?: number;
  /** Resolves the host of every connection; the connection is made to an address that it returned. Default: the system's. */
  readonly lookup?: LookupFunction;
}

/** The beginning of every key below a prefix, however many slashes were typed around it. */
export function folderIn(prefix = ''): string {
  const folder = prefix.replace(/^\/+|\/+$/g, '');
  return folder === '' ? '' : `${folder}/`;
}
