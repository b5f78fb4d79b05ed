import type { Workload } from '../shared/values.ts';
import { facetTerm, placeTerm } from './facet-term.ts';
import { printQuery } from './print.ts';

/** The page of a search; nothing is searched before its reader has given a reason. */
export function searchAddress(query: string): string {
  return `/search?${new URLSearchParams({ query }).toString()}`;
}

/** Everything that is kept of one mailbox, drive, site, team or chat, by its address or its name. */
export function placeQuery(place: string, workload: Workload): string {
  return printQuery({ kind: 'and', of: [placeTerm(place), facetTerm('workload', workload)] });
}
