import { hash } from 'node:crypto';
import { encodedLength, parseLayout } from '../chunk/base64-lines.ts';
import type { Piece } from '../chunk/content-ref.ts';

/** Pieces that are the same bytes in every content that has them: one that stands as it is, or those of one whole base64 text. */
export interface Stretch {
  readonly key: string;
  readonly firstPiece: number;
  readonly pieceCount: number;
  /** Where it is in the content. */
  readonly offset: number;
  readonly length: number;
}

/** A stretch of a content that is in the file of an earlier one already. */
export interface CopiedStretch extends Pick<Stretch, 'firstPiece' | 'pieceCount' | 'length'> {
  readonly file: string;
  readonly fileOffset: number;
}

/** Shorter ones are not worth opening a file. */
const SHORTEST_BYTES = 512;
/** Keys of many pieces are hashed, so that each takes little memory. */
const LONGEST_KEY = 128;
/** Stretches that are known; of more the first are forgotten. */
const MOST_KNOWN = 50_000;

/** The stretches of a content that are long enough to be copied. None of one whose pieces are not what they should be: who puts it together says so. */
export function stretchesOf(pieces: readonly Piece[]): Stretch[] {
  const stretches: Stretch[] = [];
  let offset = 0;
  for (let first = 0, next = 1; first < pieces.length; first = next, next += 1) {
    const [blobId, sizeBytes, encoding] = pieces[first] as Piece;
    let length = sizeBytes;
    let key = blobId;
    if (encoding !== undefined) {
      const layout = parseLayout(encoding);
      if (!layout) return [];
      key = `${encoding} ${blobId}`;
      for (; pieces[next]?.[2] === '+'; next += 1) {
        length += (pieces[next] as Piece)[1];
        key += (pieces[next] as Piece)[0];
      }
      length = encodedLength(length, layout);
    }
    if (length >= SHORTEST_BYTES) {
      const short = key.length > LONGEST_KEY ? hash('sha256', key) : key;
      stretches.push({ key: short, firstPiece: first, pieceCount: next - first, offset, length });
    }
    offset += length;
  }
  return stretches;
}

/** Places of the pieces that no stretch of these has. */
export function piecesBeside(pieceCount: number, stretches: readonly Pick<Stretch, 'firstPiece' | 'pieceCount'>[]): number[] {
  const beside: number[] = [];
  let from = 0;
  for (const { firstPiece, pieceCount: covered } of [...stretches, { firstPiece: pieceCount, pieceCount: 0 }]) {
    for (; from < firstPiece; from += 1) beside.push(from);
    from += covered;
  }
  return beside;
}

interface Written {
  readonly file: string;
  readonly fileOffset: number;
  readonly plan: number;
  readonly task: number;
}

/**
 * Where stretches were written to by the plans of one run. What was written once is read from there
 * again: its frames need not be opened and its text not be made a second time. Who copies may find
 * something else after all and sees it by the hash of the content.
 */
export interface WrittenStretches {
  /** Where a stretch lies that was written by a plan before this one, or by a task up to `task` of this. */
  find(stretch: Stretch, task: number): CopiedStretch | undefined;
  note(stretch: Stretch, file: string, task: number): void;
  /** Everything that was noted has been written. */
  endPlan(): void;
}

export function createWrittenStretches(): WrittenStretches {
  const known = new Map<string, Written>();
  let plan = 0;
  return {
    find({ key, firstPiece, pieceCount, length }, task) {
      const written = known.get(key);
      if (!written || (written.plan === plan && written.task > task)) return undefined;
      return { firstPiece, pieceCount, length, file: written.file, fileOffset: written.fileOffset };
    },
    note({ key, offset }, file, task) {
      if (known.has(key)) return;
      known.set(key, { file, fileOffset: offset, plan, task });
      if (known.size > MOST_KNOWN) known.delete(known.keys().next().value as string);
    },
    endPlan: () => void (plan += 1),
  };
}
