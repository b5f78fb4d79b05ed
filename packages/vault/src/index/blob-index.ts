/** Where a blob lies: bytes `frameOffset`…`+frameLength` of a pack hold the frame, the blob is a slice of its plaintext. */
export interface BlobPlace {
  readonly packId: string;
  readonly frame: number;
  readonly frameOffset: number;
  readonly frameLength: number;
  readonly blobOffset: number;
  readonly blobLength: number;
}

export interface IndexedBlob {
  readonly blobId: string;
  readonly place: BlobPlace;
}

/**
 * Answers "have I this blob, and where" for one vault. It is a cache: losing it costs a rebuild
 * from the packs, never data. Held to `testing/blob-index.contract.ts`.
 */
export interface BlobIndex {
  /** One answer for each id, in order. */
  find(blobIds: readonly string[]): Promise<(BlobPlace | undefined)[]>;
  /** Which of these ids no pack has, in any order. Cheaper than `find` where the places are not wanted. */
  lacking(blobIds: readonly string[]): Promise<string[]>;
  /** Adds all blobs of a durable pack. A blob that is known already moves to the new place. Repeatable. */
  addPack(packId: string, blobs: readonly IndexedBlob[]): Promise<void>;
  /** Forgets a pack and every blob whose place it is. Repeatable. */
  removePack(packId: string): Promise<void>;
  /** Ids of the blobs whose place is this pack. */
  blobsOf(packId: string): Promise<string[]>;
  /** The packs it knows, so that `synchronise` finds what is missing or gone. */
  packs(): AsyncIterable<string>;
  /** About how many: a blob that is in two packs may count twice. */
  readonly blobCount: number;
  /** Makes what was added durable, where the index is durable at all. */
  flush(): Promise<void>;
  close(): Promise<void>;
}
