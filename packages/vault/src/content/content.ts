import type { Bytes } from '@holdfast/foundation/streams';
import type { ContentRef } from '../chunk/content-ref.ts';

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
   * Many contents of any length into files, in the order in which they are in the packs. The threads that put
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
