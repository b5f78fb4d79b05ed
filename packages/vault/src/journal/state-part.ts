import { sha256Hex } from '@holdfast/foundation/bytes';

/** One of `of` parts of about the same size that a state can be given in: by the hash of the item id. */
export interface StatePart {
  readonly at: number;
  readonly of: number;
}

export const WHOLE: StatePart = { at: 0, of: 1 };

/** The part of an item by its rank, the hex SHA-256 of its id: parts are stretches of a checkpoint. */
export function partOfRank(rank: string, of: number): number {
  return Math.floor((Number.parseInt(rank.slice(0, 8), 16) / 0x1_0000_0000) * of);
}

export function isInPart(itemId: string, { at, of }: StatePart): boolean {
  return of === 1 || partOfRank(sha256Hex(itemId), of) === at;
}
