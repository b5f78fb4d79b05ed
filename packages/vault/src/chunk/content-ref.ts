/**
 * One piece of a content: blob id (hex), length of the blob's plaintext, and how it is turned back
 * (FORMAT.md section 6). Without a third value the bytes stand as they are.
 */
export type Piece = readonly [blobId: string, sizeBytes: number, encoding?: string];

/**
 * How a content is put together again. Small, JSON-serialisable, part of the journal (FORMAT.md
 * section 6). With `depth` 0 the pieces are the content; with `depth` n each piece is a list of
 * pieces of depth n − 1.
 */
export interface ContentRef {
  /** SHA-256 of the whole content, hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly depth: number;
  readonly pieces: readonly Piece[];
  /** Id of the key of its own this content is sealed with, if it has one (crypto-shredding). */
  readonly itemKeyId?: string;
}
