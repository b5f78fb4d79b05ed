import { parseQuery } from './parse.ts';
import { printQuery } from './print.ts';
import type { Query } from './tree.ts';

/** A query that finds only those hits which a term finds as well; undefined while the query has mistakes. */
export function narrowed(text: string, term: Query): string | undefined {
  const { query } = parseQuery(text);
  if (!query) return undefined;
  if (query.kind === 'everything') return printQuery(term);
  const others = query.kind === 'and' ? query.of : [query];
  return printQuery({ kind: 'and', of: [...others, ...(term.kind === 'and' ? term.of : [term])] });
}
