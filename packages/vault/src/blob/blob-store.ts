/** A part of an object: `length` bytes from `offset`, or the `last` bytes. */
export type BlobRange = { readonly offset: number; readonly length: number } | { readonly last: number };

export interface BlobInfo {
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
}

/** How long nobody, not even the owner of the bucket, may change or delete an object. */
export interface ObjectLock {
  readonly mode: 'compliance' | 'governance';
  readonly until: Date;
}

export interface PutOptions {
  /** Write only if no object of this name exists; otherwise `vault.object-exists`. Only where `abilities.conditionalPut`. */
  readonly ifAbsent?: boolean;
  readonly lock?: ObjectLock;
  readonly signal?: AbortSignal;
}

/** What a store can do. Probed when a location is created (`probeBlobStore`), never assumed. */
export interface StoreAbilities {
  readonly conditionalPut: boolean;
  readonly objectLock: boolean;
}

/**
 * Where the objects of a vault lie. Names are `/`-separated paths of `[a-z0-9.-]`. Every
 * implementation is held to `blob-store.contract.ts`; failures are `VaultError`s.
 */
export interface BlobStore {
  /** For people: `filesystem /var/backups`, `s3 https://host/bucket/prefix`. Never with a secret. */
  readonly description: string;
  readonly abilities: StoreAbilities;
  /** Writes a whole object. When it resolves the object is durable and visible to every reader; before, nothing is. Repeatable. */
  put(name: string, parts: readonly Uint8Array[], options?: PutOptions): Promise<void>;
  /** The object or a range of it; `vault.object-missing` when there is none. A range past the end is cut. */
  get(name: string, range?: BlobRange, signal?: AbortSignal): Promise<Buffer>;
  stat(name: string): Promise<BlobInfo | undefined>;
  /** All objects whose names begin with `prefix`, in order of their names (UTF-8 bytes), after `after`. */
  list(prefix: string, after?: string): AsyncIterable<BlobInfo>;
  /** Deletes; a missing object is no error. `vault.object-locked` when the store refuses. */
  delete(name: string): Promise<void>;
  /** Moves the end of an object's lock further away. Does nothing where there is no object lock. */
  extendLock(name: string, lock: ObjectLock): Promise<void>;
  /**
   * The file of this machine that is an object, so that threads can read it themselves. Not there where a
   * request is bounded, counted or made to fail on its way; who can't read the file asks with `get`.
   */
  readonly fileOf?: ((name: string) => string) | undefined;
  /** Removes what unfinished puts left behind before `beforeMs`; gives their number. */
  removeLeftovers(beforeMs: number): Promise<number>;
  close(): Promise<void>;
}
