import { printQuery } from '@holdfast/contract/query/print';
import type { Query } from '@holdfast/contract/query/tree';

/** Parts of a query that are compared with each other: what only one of them finds is unique to it. */
export interface QueryParts {
  /** The smallest parts that something can be found by: words, phrases, values, and words near each other. */
  readonly terms: readonly Query[];
  /** What the query joins with AND or OR, where that is more than a term. */
  readonly groups: readonly Query[];
}

/** What is excluded finds nothing: it is no part of a report. */
function termsIn(query: Query): readonly Query[] {
  if (query.kind === 'and' || query.kind === 'or') return query.of.flatMap(termsIn);
  return query.kind === 'not' || query.kind === 'everything' ? [] : [query];
}

const distinct = (queries: readonly Query[]): readonly Query[] => [...new Map(queries.map((query) => [printQuery(query), query])).values()];

/** The parts of a query; none where it is a single term. */
export function partsOf(query: Query): QueryParts {
  const terms = distinct(termsIn(query));
  if (terms.length < 2) return { terms: [], groups: [] };
  const operands = query.kind === 'and' || query.kind === 'or' ? query.of : [];
  return { terms, groups: distinct(operands.filter((one) => one.kind === 'and' || one.kind === 'or')) };
}
