import { parseQuery } from '@holdfast/contract/query/parse';
import type { Query } from '@holdfast/contract/query/tree';
import type { Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Language } from '../../http/language.ts';
import { invalidQuery } from './fault-text.ts';
import { timeZoneOf } from '../organisations/index.ts';
import { hasArchives, vocabularyFor, type SearchPlace } from './search.views.ts';
import { openWords } from './tsquery.ts';

/** Reads a query, or refuses it with everything that is wrong with it. */
export function readQuery(text: string, language: Language): Query {
  const { query, faults } = parseQuery(text);
  if (!query) throw invalidQuery(faults, language);
  return query;
}

/** A query with what it depends on: the words of the index, the time and the zone of the organisation. */
export async function placeOf(
  tx: Tx,
  clock: Clock,
  { tenantId, query, reach }: Omit<SearchPlace, 'world' | 'hasArchives'>,
): Promise<SearchPlace> {
  const world = { known: await vocabularyFor(tx, openWords(query)), nowMs: now(clock).getTime(), timeZone: await timeZoneOf(tx) };
  return { tenantId, query, world, reach, hasArchives: await hasArchives(tx, tenantId) };
}
