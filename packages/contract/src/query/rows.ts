import { choicesOf, kindOf, type FieldName } from './fields.ts';
import { isBare, printQuery, quoted } from './print.ts';
import type { Query, RangeTerm, TextTerm } from './tree.ts';

/** How a row compares its field; `query` is a part of the query that no row can show, as text. */
export const rowComparisons = ['contains', 'exactly', 'empty', 'is', 'from', 'after', 'until', 'before', 'between', 'query'] as const;
export type RowComparison = (typeof rowComparisons)[number];

/** A condition of a query as a row of a form. All rows have to be true. */
export interface QueryRow {
  readonly isNot: boolean;
  /** Null for any text, and for a part of the query as text. */
  readonly field: FieldName | null;
  readonly comparison: RowComparison;
  /** As it is written, with `*` for open ends and without quotation marks. */
  readonly value: string;
  /** The end of `between`. */
  readonly until: string;
}

/** What a field can be compared by, the usual first. */
export function comparisonsOf(field: FieldName | null): readonly RowComparison[] {
  if (field === null) return ['contains'];
  const kind = kindOf(field);
  if (kind === 'time' || kind === 'size' || kind === 'number') return ['is', 'from', 'after', 'until', 'before', 'between'];
  if (kind === 'choice' || kind === 'flag' || kind === 'id') return ['is'];
  const isMissable = kind === 'address' || field === 'subject' || field === 'attachment';
  return isMissable ? ['contains', 'exactly', 'empty'] : ['contains', 'exactly'];
}

/** The values that a field is known to have; of a hold it can be its name as well. */
export function valuesOf(field: FieldName | null): readonly string[] {
  if (field === null) return [];
  return kindOf(field) === 'flag' || field === 'hold' ? ['true', 'false'] : choicesOf(field);
}

type Condition = Omit<QueryRow, 'isNot'>;

function textRow({ field, match, text, openStart, openEnd }: TextTerm): Condition {
  const value = `${openStart ? '*' : ''}${text}${openEnd ? '*' : ''}`;
  return { field, comparison: match === 'exactly' ? 'exactly' : 'contains', value, until: '' };
}

/** A comparison with one end; undefined where the other end was written as well, if only as open. */
function oneEnd({ field, low, high, withLow, withHigh }: RangeTerm): Condition | undefined {
  const row = { field, until: '' };
  if (high === null && !withHigh) return { ...row, comparison: withLow ? 'from' : 'after', value: low ?? '' };
  if (low === null && !withLow) return { ...row, comparison: withHigh ? 'until' : 'before', value: high ?? '' };
  return undefined;
}

function rangeRow(term: RangeTerm): Condition {
  const { field, low, high } = term;
  if (low !== null && low === high) return { field, comparison: 'is', value: low, until: '' };
  return oneEnd(term) ?? { field, comparison: 'between', value: low ?? '*', until: high ?? '*' };
}

function conditionOf(node: Query): Condition {
  if (node.kind === 'text') return textRow(node);
  if (node.kind === 'range') return rangeRow(node);
  if (node.kind === 'value') return { field: node.field, comparison: 'is', value: node.value, until: '' };
  if (node.kind === 'empty') return { field: node.field, comparison: 'empty', value: '', until: '' };
  return { field: null, comparison: 'query', value: printQuery(node), until: '' };
}

/** A query as rows. What is no single condition becomes a row of text: nothing is lost. */
export function rowsOf(query: Query): readonly QueryRow[] {
  if (query.kind === 'everything') return [];
  const nodes = query.kind === 'and' ? query.of : [query];
  return nodes.map((node) => (node.kind === 'not' ? { isNot: true, ...conditionOf(node.of) } : { isNot: false, ...conditionOf(node) }));
}

/** A value as the query language takes it. Only words have open beginnings: in a phrase a star at the beginning is told of as a fault. */
function written(value: string): string {
  const isOpen = value.endsWith('*') && value.length > 1;
  const core = isOpen ? value.slice(0, -1) : value;
  if (isBare(core.replace(/^\*/, ''))) return value;
  return isOpen ? `${quoted(core).slice(0, -1)}*"` : quoted(core);
}

const bound = (value: string): string => (/^[\w.*-]+$/.test(value) ? value : quoted(value));

/** The text of a row; undefined while it says nothing. */
function textOfRow({ isNot, field, comparison, value, until }: QueryRow): string | undefined {
  const asked = value.trim();
  const name = field === null ? '' : field;
  const not = isNot ? 'NOT ' : '';
  if (comparison === 'empty') return `${not}${name}:""`;
  if (asked === '') return undefined;
  if (comparison === 'query') return `${not}(${asked})`;
  if (comparison === 'between') return `${not}${name}:${bound(asked)}..${until.trim() === '' ? '*' : bound(until.trim())}`;
  const operators = { from: '>=', after: '>', until: '<=', before: '<' } as const;
  if (comparison in operators) return `${not}${name}${operators[comparison as keyof typeof operators]}${bound(asked)}`;
  if (field === null) return `${not}${written(asked)}`;
  return `${not}${name}${comparison === 'exactly' ? '=' : ':'}${written(asked)}`;
}

/** The query that rows stand for. */
export function textOfRows(rows: readonly QueryRow[]): string {
  return rows.flatMap((row) => textOfRow(row) ?? []).join(' AND ');
}
