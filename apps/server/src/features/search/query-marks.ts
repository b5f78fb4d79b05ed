import { isMark, type MarkField } from '@holdfast/contract/query/fields';
import type { Query, TextTerm } from '@holdfast/contract/query/tree';
import type { RawBuilder } from 'kysely';

/** A term that asks for what people have put on items. */
export type MarkTerm = TextTerm & { readonly field: MarkField };

/** The terms of a query that ask for marks. */
export function markTerms(query: Query): readonly MarkTerm[] {
  if (query.kind === 'and' || query.kind === 'or') return query.of.flatMap(markTerms);
  if (query.kind === 'not') return markTerms(query.of);
  return query.kind === 'text' && isMark(query.field) ? [{ ...query, field: query.field }] : [];
}

/** Whether a query asks for marks: what it finds depends on who asks. */
export const asksForMarks = (query: Query): boolean => markTerms(query).length > 0;

/** Terms that ask for the same have one key. */
export const keyOfMark = ({ field, match, text, openStart, openEnd }: TextTerm): string =>
  JSON.stringify([field, match, text, openStart, openEnd]);

/** What the marks of a query stand for: by the key of each term, a condition on the alias `item`. What is absent is on nothing. */
export type MarkConditions = ReadonlyMap<string, RawBuilder<unknown>>;

export const noMarks: MarkConditions = new Map();
