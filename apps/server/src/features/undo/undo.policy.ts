import { UNDO_DAYS, type UndoRefusal } from '@holdfast/contract/undo';

export interface UndoFacts {
  /** Whether content went into Microsoft 365 at all. */
  readonly isIntoMicrosoft: boolean;
  readonly endedAt: Date | null;
  /** A run undoes it right now. */
  readonly isUnderWay: boolean;
  /** How many things are noted that an undo could take away or put back. */
  readonly noted: number;
}

const DAY_MS = 86_400_000;

/** The last moment to begin undoing a restore. */
export function undoUntil(endedAt: Date): Date {
  return new Date(endedAt.getTime() + UNDO_DAYS * DAY_MS);
}

/** Why a restore cannot be undone now; null when it can. */
export function refusalOf({ isIntoMicrosoft, endedAt, isUnderWay, noted }: UndoFacts, nowMs: number): UndoRefusal | null {
  if (!isIntoMicrosoft) return 'undo.not-a-restore';
  if (endedAt === null) return 'undo.not-ended';
  if (isUnderWay) return 'undo.under-way';
  if (nowMs > undoUntil(endedAt).getTime()) return 'undo.too-late';
  return noted === 0 ? 'undo.nothing-noted' : null;
}
