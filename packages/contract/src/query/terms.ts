import { isOrdered, kindOf, type FieldName } from './fields.ts';
import { blame, nothing, peek, queryLimits, take, type State } from './state.ts';
import type { Comparison, Token } from './tokens.ts';
import type { Place, Query, RangeTerm } from './tree.ts';
import { boundValue, endsBeforeItBegins, plainValue, type BadValue } from './values.ts';
import { isSinglePair, wordsOf } from './words.ts';

export function plainTerm(state: State, field: FieldName, op: Comparison): Query {
  const token = take(state);
  if (token?.kind === 'word' || token?.kind === 'phrase') return valueTerm(state, field, op, token);
  if (token) blame(state, 'missing-value', token, { text: field });
  return nothing;
}

function failed(state: State, place: Place, text: string, bad: BadValue): Query {
  blame(state, bad.code, place, { text, suggestion: bad.suggestion, ...(bad.known ? { known: bad.known } : {}) });
  return nothing;
}

function countTerm(state: State, place: Place): void {
  state.terms++;
  if (state.terms === queryLimits.terms + 1) blame(state, 'too-complex', place);
}

type Written = Token & { kind: 'word' | 'phrase' };

/** One word or phrase as the field understands it. */
export function valueTerm(state: State, field: FieldName | null, op: Comparison, token: Written): Query {
  countTerm(state, token);
  if (field === null) return textTerm(state, field, op, token);
  if (token.kind === 'phrase' && token.text === '' && !token.openEnd) return emptyTerm(state, field, token);
  if (isOrdered(field)) return wholeRange(state, field, token);
  if (!['choice', 'flag', 'id'].includes(kindOf(field))) return textTerm(state, field, op, token);
  const value = plainValue(field, token.text);
  if (field === 'matchedin') state.matchedIn.push({ from: token.from, to: token.to });
  return typeof value === 'string' ? { kind: 'value', field, value } : failed(state, token, token.text, value);
}

/** Only people, subjects and attachments can be missing; of anything else nothing would be found, which says nothing. */
function emptyTerm(state: State, field: FieldName, place: Place): Query {
  const isMissable = kindOf(field) === 'address' || field === 'subject' || field === 'attachment';
  if (isMissable) return { kind: 'empty', field };
  blame(state, 'missing-value', place, { text: field });
  return nothing;
}

/** The text of a word without the wildcards at its ends. */
function withoutWildcards(token: Written): { text: string; openStart: boolean; openEnd: boolean } {
  if (token.kind === 'phrase') return { text: token.text, openStart: false, openEnd: token.openEnd };
  const openStart = token.text.startsWith('*');
  const openEnd = token.text.endsWith('*') && token.text.length > 1;
  return { text: token.text.slice(openStart ? 1 : 0, openEnd ? -1 : undefined), openStart, openEnd };
}

function isShort(word: string): boolean {
  return word.length < queryLimits.wildcard;
}

function textTerm(state: State, field: FieldName | null, op: Comparison, token: Written): Query {
  if (token.kind === 'word' && /^\*+$/.test(token.text)) {
    blame(state, 'lone-wildcard', token);
    return nothing;
  }
  const { text, openStart, openEnd } = withoutWildcards(token);
  const words = [...wordsOf(text)];
  const edges = [...(openStart ? words.slice(0, 1) : []), ...(openEnd ? words.slice(-1) : [])];
  if (edges.some(isShort) || text.includes('*')) blame(state, 'short-wildcard', token);
  else if (words.length === 0) blame(state, 'no-words', token);
  if (words.length > queryLimits.phraseWords) blame(state, 'too-complex', token);
  warn(state, token, words);
  return { kind: 'text', field, match: op === ':' ? 'contains' : 'exactly', text, openStart, openEnd };
}

function warn(state: State, token: Written, words: readonly string[]): void {
  if (token.kind === 'word' && ['and', 'or', 'not', 'near'].includes(token.text)) {
    state.warnings.push({ code: 'lower-case-operator', from: token.from, to: token.to, text: token.text });
  }
  if (words.length === 1 && isSinglePair(words[0] ?? '')) {
    state.warnings.push({ code: 'single-character', from: token.from, to: token.to, text: token.text });
  }
}

function bound(state: State, field: FieldName, token: Token | undefined): string | null | undefined {
  if (token?.kind !== 'word' && token?.kind !== 'phrase') return undefined;
  if (token.kind === 'word' && token.text === '*') return null;
  const value = boundValue(field, token.text);
  if (typeof value === 'string') return value;
  failed(state, token, token.text, value);
  return undefined;
}

/** A single value of a range: that day, that month, exactly that number. */
function wholeRange(state: State, field: FieldName, token: Token): Query {
  const next = peek(state);
  if (next?.kind === 'range' && next.isGlued) return spanTerm(state, field, { ...token, kind: 'field', name: '', op: ':' }, token);
  const value = bound(state, field, token);
  if (value === undefined) return nothing;
  return { kind: 'range', field, low: value, high: value, withLow: true, withHigh: true };
}

/** What a comparison with one value means as a range. */
function comparedWith(field: FieldName, op: Comparison, value: string | null): RangeTerm {
  const range = { kind: 'range', field } as const;
  if (op === '>' || op === '>=') return { ...range, low: value, high: null, withLow: op === '>=', withHigh: false };
  if (op === '<' || op === '<=') return { ...range, low: null, high: value, withLow: false, withHigh: op === '<=' };
  return { ...range, low: value, high: value, withLow: true, withHigh: true };
}

export function rangeTerm(state: State, field: FieldName, named: Token & { kind: 'field' }): Query {
  const first = take(state);
  const dots = peek(state);
  countTerm(state, named);
  if (!first) return nothing;
  if (first.kind === 'phrase' && first.text === '') return emptyTerm(state, field, first);
  if (dots?.kind === 'range' && dots.isGlued) return spanTerm(state, field, named, first);
  if (first.kind === 'word' && first.text === '*') {
    blame(state, 'lone-wildcard', first);
    return nothing;
  }
  const value = bound(state, field, first);
  return value === undefined ? nothing : comparedWith(field, named.op, value);
}

function spanTerm(state: State, field: FieldName, named: Token & { kind: 'field' }, first: Token): Query {
  take(state);
  const last = peek(state)?.isGlued ? take(state) : undefined;
  const place = { from: named.from, to: last?.to ?? named.to };
  if (!last) {
    blame(state, 'missing-value', place);
    return nothing;
  }
  refuseCompared(state, field, named, place);
  const low = bound(state, field, first);
  const high = bound(state, field, last);
  if (low === undefined || high === undefined) return nothing;
  const swapped = `${named.name}${named.op}${state.text.slice(last.from, last.to)}..${state.text.slice(first.from, first.to)}`;
  if (low && high && endsBeforeItBegins(field, low, high)) blame(state, 'bad-range', place, { suggestion: swapped });
  return { kind: 'range', field, low, high, withLow: true, withHigh: true };
}

/** A range has both of its ends already and takes no comparison; `<>` leaves it out and is allowed. */
function refuseCompared(state: State, field: FieldName, named: Token & { kind: 'field' }, place: Place): void {
  if ([':', '=', '<>'].includes(named.op)) return;
  blame(state, 'wrong-comparison', place, { text: field, suggestion: named.op });
}
