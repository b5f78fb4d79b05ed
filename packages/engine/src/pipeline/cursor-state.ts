import { AppError } from '@holdfast/foundation/errors';
import type { ItemKind, Json } from '../ports/item.ts';

/** An item that could not be read so far; enumeration has passed it, so it is kept here until it can. */
export interface Unread {
  readonly key: string;
  readonly kind: ItemKind;
  readonly parentKey: string | null;
  readonly name: string;
  readonly code: string;
  /** Parts of it, or all of it (`''`), that are said not to be there, and since when. */
  readonly gone?: Readonly<Record<string, string>>;
}

/** An item that is excluded for a lasting reason. */
export interface Excluded {
  readonly kind: ItemKind;
  readonly path: string;
  readonly code: string;
}

/**
 * All that a resource's next run must know, kept inside the journal segment: where each scope of
 * the enumeration goes on, what could not be read, and what is excluded.
 */
export interface CursorState {
  readonly scopes: Map<string, string>;
  readonly unread: Map<string, Unread>;
  readonly excluded: Map<string, Excluded>;
}

/** The state before the first run. */
export function emptyCursorState(): CursorState {
  return { scopes: new Map(), unread: new Map(), excluded: new Map() };
}

/** The state as the journal keeps it; maps become sorted pairs so that equal states are equal bytes. */
export function encodeCursorState(state: CursorState): string {
  const sorted = <T>(map: ReadonlyMap<string, T>): [string, T][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ version: 1, scopes: sorted(state.scopes), unread: sorted(state.unread), excluded: sorted(state.excluded) });
}

interface Encoded {
  readonly version: number;
  readonly scopes: [string, string][];
  readonly unread: [string, Unread][];
  readonly excluded: [string, Excluded][];
}

/** The reverse of `encodeCursorState`; `engine.bad-cursor` for anything else. */
export function decodeCursorState(cursor: Json): CursorState {
  if (cursor === null || cursor === '') return emptyCursorState();
  if (typeof cursor !== 'string') throw new AppError('engine.bad-cursor', { message: 'The cursor of a segment is not text.' });
  const encoded = JSON.parse(cursor) as Encoded;
  if (encoded.version !== 1) throw new AppError('engine.bad-cursor', { details: { version: encoded.version } });
  return { scopes: new Map(encoded.scopes), unread: new Map(encoded.unread), excluded: new Map(encoded.excluded) };
}
