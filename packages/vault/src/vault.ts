import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Bytes } from '@holdfast/foundation/streams';
import type { BlobStore, ObjectLock } from './blob/blob-store.ts';
import type { ContentRef } from './chunk/content-ref.ts';
import type { ItemKeyStore } from './crypto/item-keys.ts';
import type { KeyRing } from './crypto/key-ring.ts';
import type { BlobIndex } from './index/blob-index.ts';
import type { VaultDocuments } from './documents/documents.ts';
import type { Journal, ListedResource, ListOptions } from './journal/journal.ts';
import type { Maintenance } from './maintenance/maintenance.ts';

export interface CreateVaultOptions {
  readonly store: BlobStore;
  readonly keyRing: KeyRing;
  readonly organisationId: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** A name for people, kept in the header in the clear. */
  readonly name?: string;
}

export interface OpenVaultOptions {
  readonly store: BlobStore;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Whose vault this must be; another one is refused as `vault.foreign`. */
  readonly organisationId?: string;
  readonly vaultId?: string;
  /** What is stored where. Without one, an index in memory is built from the packs. */
  readonly index?: BlobIndex;
  /** Keys of their own for single items; without one they lie in the vault's own store. */
  readonly itemKeys?: ItemKeyStore;
  /** Worker threads for splitting, compression and sealing; 0 does the work on the calling thread. Default: one a core. */
  readonly threads?: number;
  /** Every object that is written gets this lock, counted from its writing. */
  readonly lock?: { readonly mode: ObjectLock['mode']; readonly days: number };
  readonly signal?: AbortSignal;
}

/** `message`: RFC 5322 text, split at MIME parts; `file`: content-defined chunks; `json`: small metadata. */
export type ContentKind = 'message' | 'file' | 'json';

export interface PutContentOptions {
  readonly kind: ContentKind;
  /** Seal this content with a key of its own, so that destroying the key destroys the content. Gives up deduplication. */
  readonly ownKey?: boolean;
  readonly signal?: AbortSignal;
}

/** Takes content in for one resource. Memory is bounded: `put` waits when too much is under way. */
export interface VaultWriter {
  readonly resourceId: string;
  /** Takes the content in and says how to find it again. Not durable before `flush()`. */
  put(content: Bytes | Uint8Array, options: PutContentOptions): Promise<ContentRef>;
  /** Resolves when all content put so far is durable and indexed. */
  flush(): Promise<void>;
  /** Flushes and ends. A closed writer takes nothing more. */
  close(): Promise<void>;
  /** Gives up what is not durable yet. What was committed stays. */
  abort(): Promise<void>;
  readonly statistics: WriterStatistics;
}

export interface WriterStatistics {
  readonly contents: number;
  readonly contentBytes: number;
  /** Blobs and plaintext bytes that the vault did not have. */
  readonly newBlobs: number;
  readonly newBytes: number;
  /** Bytes handed to the store so far (after compression), by this writer's share. */
  readonly storedBytes: number;
}

export interface ReadOptions {
  readonly range?: { readonly offset: number; readonly length: number };
  readonly signal?: AbortSignal;
}

/** Reads and verifies: not one wrong byte leaves it; a wrong one is `vault.damaged`. */
export interface VaultReader {
  /** The content as a stream. Whole contents are checked against their hash before the last bytes are given out. */
  read(content: ContentRef, options?: ReadOptions): AsyncGenerator<Uint8Array, void, undefined>;
  /** The content in one buffer; `vault.bad-input` when it is longer than `limitBytes`. */
  readAll(content: ContentRef, limitBytes?: number): Promise<Buffer>;
  /**
   * Many contents of any length into files, in the order in which they lie in the packs. The threads that put
   * them together write them as well, each after its hash was checked. A content that can't be read or written
   * comes with `error`; the rest goes on. What contents share is copied from one file to
   * the next, so they stay where they are until the last one is told; who moves them makes it slower, never wrong.
   */
  writeMany<Key>(
    wanted: AsyncIterable<WantedFile<Key>> | Iterable<WantedFile<Key>>,
    options?: Pick<ReadOptions, 'signal'>,
  ): AsyncGenerator<WrittenContent<Key>, void, undefined>;
}

/** A content and the file it goes to, in a folder that is there. */
export interface WantedFile<Key> {
  readonly key: Key;
  readonly content: ContentRef;
  readonly file: string;
}

/** A content that is whole in its file, or why there is no such file. */
export type WrittenContent<Key> = Omit<WantedFile<Key>, 'file'> & { readonly error?: unknown };

export interface VaultInfo {
  readonly vaultId: string;
  readonly organisationId: string;
  readonly name: string;
  readonly formatVersion: number;
  readonly createdAt: string;
  readonly keyVersion: number;
  readonly masterKeyId: string;
}

/** An open vault. */
export interface Vault {
  readonly info: VaultInfo;
  readonly store: BlobStore;
  openWriter(options: { readonly resourceId: string; readonly signal?: AbortSignal }): Promise<VaultWriter>;
  reader(): VaultReader;
  journal(resourceId: string): Journal;
  /**
   * Every resource that has at least one committed segment, with its head. A resource of which no segment can be read
   * goes to `onLost`; without it, it is thrown as `vault.damaged`.
   */
  resources(options?: ListOptions): AsyncIterable<ListedResource>;
  readonly documents: VaultDocuments;
  readonly maintenance: Maintenance;
  /** Ends threads and lets go of the index; writers that are open are aborted. */
  close(): Promise<void>;
}
