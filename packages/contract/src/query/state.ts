import type { FaultCode, QueryFault, QueryWarning } from './faults.ts';
import type { Token } from './tokens.ts';
import type { Place, Query } from './tree.ts';

/** Limits of a query; beyond them it is refused rather than cut. */
export const queryLimits = { terms: 200, characters: 8000, phraseWords: 120, nearest: 64, nearDefault: 8, wildcard: 3 } as const;

/** How far a query has been read, and what was found wrong so far. */
export interface State {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly faults: QueryFault[];
  readonly warnings: QueryWarning[];
  /** Where it is said in which parts words have to be. */
  readonly matchedIn: Place[];
  at: number;
  terms: number;
  depth: number;
}

export const nothing: Query = { kind: 'everything' };

export function peek(state: State): Token | undefined {
  return state.tokens[state.at];
}

export function take(state: State): Token | undefined {
  return state.tokens[state.at++];
}

export function blame(
  state: State,
  code: FaultCode,
  place: Place,
  more: { text?: string; suggestion?: string | null; known?: readonly string[] } = {},
): void {
  state.faults.push({
    code,
    from: place.from,
    to: place.to,
    text: more.text ?? state.text.slice(place.from, place.to),
    suggestion: more.suggestion ?? null,
    ...(more.known ? { known: more.known } : {}),
  });
}

export function isOperator(token: Token | undefined, ...names: readonly string[]): boolean {
  return token?.kind === 'word' && names.includes(token.text);
}
