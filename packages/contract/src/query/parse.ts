import { fieldOf, isOrdered, kindOf, nearestField, type FieldName } from './fields.ts';
import type { QueryFault, QueryWarning } from './faults.ts';
import { withMatchedParts } from './matched-in.ts';
import { blame, isOperator, nothing, peek, queryLimits, take, type State } from './state.ts';
import { plainTerm, rangeTerm, valueTerm } from './terms.ts';
import { readTokens, type Token } from './tokens.ts';
import type { NearNode, Place, Query } from './tree.ts';
import { wordsOf } from './words.ts';

export interface ParsedQuery {
  /** What the query means; undefined while it has faults. */
  readonly query?: Query;
  /** All that is wrong with it, in the order of the text. */
  readonly faults: readonly QueryFault[];
  readonly warnings: readonly QueryWarning[];
}

function beginsOperand(token: Token | undefined): boolean {
  return token !== undefined && token.kind !== 'close' && !isOperator(token, 'AND', 'OR', 'NEAR', 'ONEAR');
}

function combine(kind: 'and' | 'or', of: readonly Query[]): Query {
  const real = of.filter((one) => one.kind !== 'everything');
  return real.length === 0 ? nothing : real.length === 1 ? (real[0] ?? nothing) : { kind, of: real };
}

/** The field that a term alone asks for with `:` or `=`, side by side with others of it. */
function soleField(node: Query): FieldName | undefined {
  return node.kind === 'text' || node.kind === 'value' || node.kind === 'range' ? (node.field ?? undefined) : undefined;
}

interface Operand extends Place {
  readonly node: Query;
  readonly sole: FieldName | undefined;
}

/** Terms of one field written side by side mean either of them, as in KQL. */
function besides(state: State, run: readonly Operand[]): Query {
  const groups = new Map<FieldName | number, Operand[]>();
  run.forEach((operand, index) => {
    const key = operand.sole ?? index;
    groups.set(key, [...(groups.get(key) ?? []), operand]);
  });
  for (const group of groups.values()) {
    const [first, last] = [group[0], group.at(-1)];
    if (group.length < 2 || !first || !last) continue;
    state.warnings.push({ code: 'same-field-or', from: first.from, to: last.to, text: first.sole ?? '' });
  }
  return combine(
    'and',
    [...groups.values()].map((group) =>
      combine(
        'or',
        group.map((operand) => operand.node),
      ),
    ),
  );
}

function parseOr(state: State, field: FieldName | null): Query {
  const parts = [parseAnd(state, field)];
  while (isOperator(peek(state), 'OR')) {
    const operator = take(state);
    if (operator && !beginsOperand(peek(state))) blame(state, 'missing-operand', operator);
    parts.push(parseAnd(state, field));
  }
  return combine('or', parts);
}

/** Takes an AND and blames it where one of its sides is missing. */
function takeAnd(state: State, hasLeft: boolean): void {
  const operator = take(state);
  if (operator && (!hasLeft || !beginsOperand(peek(state)))) blame(state, 'missing-operand', operator);
}

function parseAnd(state: State, field: FieldName | null): Query {
  const parts: Query[] = [];
  let run: Operand[] = [];
  let token = peek(state);
  for (; token && token.kind !== 'close' && !isOperator(token, 'OR'); token = peek(state)) {
    if (!isOperator(token, 'AND')) {
      run.push(operandOf(state, field));
      continue;
    }
    takeAnd(state, run.length > 0 || parts.length > 0);
    parts.push(besides(state, run));
    run = [];
  }
  if (token && isOperator(token, 'OR') && run.length === 0 && parts.length === 0) blame(state, 'missing-operand', token);
  return combine('and', [...parts, besides(state, run)]);
}

function operandOf(state: State, field: FieldName | null): Operand {
  const from = peek(state)?.from ?? 0;
  const first = peek(state);
  const isSole = first?.kind === 'field' && (first.op === ':' || first.op === '=');
  const node = parseNot(state, field);
  const to = state.tokens[state.at - 1]?.to ?? from;
  return { node, from, to, sole: isSole && field === null ? soleField(node) : undefined };
}

function parseNot(state: State, field: FieldName | null): Query {
  const token = peek(state);
  if (token?.kind !== 'minus' && !isOperator(token, 'NOT')) return parseNear(state, field);
  take(state);
  if (token && !beginsOperand(peek(state))) {
    blame(state, 'missing-operand', token);
    return nothing;
  }
  const of = parseNot(state, field);
  return of.kind === 'everything' ? nothing : { kind: 'not', of };
}

/** Texts and people are words of the index; names of places and facts of invoices are kept beside it. */
function isAmongWords(field: FieldName | null): boolean {
  return field === null || kindOf(field) === 'text' || kindOf(field) === 'address';
}

/** Only words and phrases of one field, or alternatives of them, can be near each other. */
function nearField(node: Query): FieldName | null | undefined {
  if (node.kind === 'text') return node.match === 'contains' && isAmongWords(node.field) ? node.field : undefined;
  if (node.kind !== 'or') return undefined;
  const fields = new Set(node.of.map(nearField));
  return fields.size === 1 ? [...fields][0] : undefined;
}

/** As many words as the longest alternative of an operand has. */
function widthOf(node: Query): number {
  if (node.kind === 'or') return Math.max(...node.of.map(widthOf));
  return node.kind === 'text' ? [...wordsOf(node.text)].length : 0;
}

/** NEAR joins two operands; both are words of one field, and no further apart than one slice of the index shows. */
function checkNear(state: State, { operands, gaps }: NearNode, place: Place): void {
  const fields = new Set(operands.filter((one) => one.kind !== 'everything').map(nearField));
  const span = [...operands.map(widthOf), ...gaps.map(({ distance }) => distance)].reduce((sum, one) => sum + one, 0);
  if (fields.size > 1 || fields.has(undefined) || operands.length > 2) blame(state, 'near-operand', place);
  else if (span > queryLimits.phraseWords) blame(state, 'too-complex', place);
}

function parseNear(state: State, field: FieldName | null): Query {
  const from = peek(state)?.from ?? 0;
  const first = parsePrimary(state, field);
  const operands = [first];
  const gaps: NearNode['gaps'][number][] = [];
  for (let operator = peek(state); operator?.kind === 'word' && isOperator(operator, 'NEAR', 'ONEAR'); operator = peek(state)) {
    take(state);
    const distance = readDistance(state);
    if (!beginsOperand(peek(state))) blame(state, 'missing-operand', operator);
    else {
      gaps.push({ distance, isOrdered: operator.text === 'ONEAR' });
      operands.push(parsePrimary(state, field));
    }
  }
  if (gaps.length === 0) return first;
  const near: NearNode = { kind: 'near', operands, gaps };
  checkNear(state, near, { from, to: state.tokens[state.at - 1]?.to ?? from });
  return near;
}

/** The `n=` of `NEAR(n=5)`. */
function isCountName(token: Token | undefined): boolean {
  return token?.kind === 'field' && token.op === '=' && /^n$/i.test(token.name);
}

/** The number between the parentheses right behind NEAR, and how many pieces it takes; undefined where none is written. */
function writtenDistance(state: State): { token: Token & { kind: 'word' }; pieces: number } | undefined {
  const [open, inside] = state.tokens.slice(state.at, state.at + 2);
  if (open?.kind !== 'open' || !open.isGlued) return undefined;
  const pieces = isCountName(inside) ? 4 : 3;
  const [token, close] = state.tokens.slice(state.at + pieces - 2, state.at + pieces);
  const isWhole = token?.kind === 'word' && /^\d+$/.test(token.text) && close?.kind === 'close';
  return isWhole ? { token, pieces } : undefined;
}

/** `NEAR(5)` and `NEAR(n=5)`; without a number the usual distance. */
function readDistance(state: State): number {
  const written = writtenDistance(state);
  if (!written) return queryLimits.nearDefault;
  state.at += written.pieces;
  const distance = Number(written.token.text);
  if (distance >= 1 && distance <= queryLimits.nearest) return distance;
  blame(state, 'bad-near', written.token);
  return queryLimits.nearDefault;
}

const deepest = 60;

function parseGroup(state: State, open: Token, field: FieldName | null): Query {
  if (peek(state)?.kind === 'close') {
    const close = take(state);
    blame(state, 'empty-group', { from: open.from, to: close?.to ?? open.to });
    return nothing;
  }
  if (state.depth >= deepest) {
    blame(state, 'too-complex', open);
    state.at = state.tokens.length;
    return nothing;
  }
  state.depth++;
  const node = parseOr(state, field);
  state.depth--;
  if (peek(state)?.kind === 'close') take(state);
  else blame(state, 'unclosed-parenthesis', open, { text: String(open.from + 1), suggestion: `${state.text})` });
  return node;
}

function parsePrimary(state: State, field: FieldName | null): Query {
  const token = take(state);
  if (!token) return nothing;
  if (token.kind === 'open') return parseGroup(state, token, field);
  if (isOperator(token, 'NEAR', 'ONEAR')) {
    blame(state, 'missing-operand', token);
    return parsePrimary(state, field);
  }
  if (token.kind === 'field') return parseField(state, token, field);
  if (token.kind === 'word' || token.kind === 'phrase') return valueTerm(state, field, ':', token);
  if (token.kind === 'minus') return parsePrimary(state, field);
  blame(state, 'no-words', token);
  return nothing;
}

/** Names a field that does not exist and passes over its value. */
function unknownField(state: State, token: Token & { kind: 'field' }): Query {
  blame(state, 'unknown-field', token, { text: token.name, suggestion: nearestField(token.name) ?? null });
  if (peek(state)?.isGlued) skipValue(state);
  return nothing;
}

function isCompared(token: Token & { kind: 'field' }): boolean {
  return token.op !== ':' && token.op !== '=' && token.op !== '<>';
}

/** Whether something that can be a value follows the operator without a space. */
function hasValue(state: State, token: Token & { kind: 'field' }): boolean {
  const value = peek(state);
  if (!value?.isGlued || value.kind === 'close') return false;
  return value.kind !== 'open' || token.op === ':';
}

function parseField(state: State, token: Token & { kind: 'field' }, outer: FieldName | null): Query {
  const field = fieldOf(token.name);
  if (outer !== null) blame(state, 'nested-field', token);
  if (!field) return unknownField(state, token);
  if (isCompared(token) && !isOrdered(field)) blame(state, 'wrong-comparison', token, { text: field, suggestion: token.op });
  if (!hasValue(state, token)) {
    blame(state, 'missing-value', token, { text: `${token.name}${token.op}` });
    return nothing;
  }
  const value = peek(state);
  if (value?.kind === 'open') {
    take(state);
    return parseGroup(state, value, field);
  }
  const node = isOrdered(field) ? rangeTerm(state, field, token) : plainTerm(state, field, token.op);
  return token.op === '<>' && node.kind !== 'everything' ? { kind: 'not', of: node } : node;
}

function skipValue(state: State): void {
  const token = take(state);
  if (token?.kind === 'open') parseGroup(state, token, null);
  while (peek(state)?.isGlued && peek(state)?.kind !== 'close') take(state);
}

/** Reads a query. All faults are found at once; a query with faults means nothing and is not run. */
export function parseQuery(text: string): ParsedQuery {
  const faults: QueryFault[] = [];
  const warnings: QueryWarning[] = [];
  if (text.length > queryLimits.characters) {
    return { faults: [{ code: 'too-complex', from: queryLimits.characters, to: text.length, text: '', suggestion: null }], warnings };
  }
  const state: State = { text, tokens: readTokens(text, faults), faults, warnings, matchedIn: [], at: 0, terms: 0, depth: 0 };
  const parts: Query[] = [];
  while (state.at < state.tokens.length) {
    parts.push(parseOr(state, null));
    const stray = peek(state);
    if (stray?.kind === 'close') {
      take(state);
      blame(state, 'unexpected-parenthesis', stray, { text: String(stray.from + 1) });
    }
  }
  const query = withMatchedParts(state, combine('and', parts));
  faults.sort((a, b) => a.from - b.from);
  return faults.length > 0 ? { faults, warnings } : { query, faults, warnings };
}
