import type { Piece } from '../chunk/content-ref.ts';

/** Pieces that a content reference holds itself; more go into lists (FORMAT.md section 6). */
export const INLINE_PIECES = 64;
export const LIST_PIECES = 1000;

/** Gathers the pieces of a content of any length; memory stays at one list a level. */
export interface PieceTree {
  add(pieces: readonly Piece[]): Promise<void>;
  finish(): Promise<{ readonly depth: number; readonly pieces: readonly Piece[] }>;
}

/** `storeList` stores a list as a blob and gives the piece that names it. */
export function createPieceTree(storeList: (pieces: readonly Piece[]) => Promise<Piece>): PieceTree {
  const levels: Piece[][] = [[]];

  async function addAt(level: number, piece: Piece): Promise<void> {
    const pieces = levels[level] ?? [];
    levels[level] = pieces;
    pieces.push(piece);
    if (pieces.length < LIST_PIECES) return;
    levels[level] = [];
    await addAt(level + 1, await storeList(pieces));
  }

  return {
    async add(pieces) {
      for (const piece of pieces) await addAt(0, piece);
    },
    async finish() {
      for (let level = 0; ; level += 1) {
        const pieces = levels[level] ?? [];
        const isTop = level === levels.length - 1;
        if (isTop && pieces.length <= INLINE_PIECES) return { depth: level, pieces };
        levels[level] = [];
        if (pieces.length > 0) await addAt(level + 1, await storeList(pieces));
      }
    },
  };
}
