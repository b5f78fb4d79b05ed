import { parseQuery } from '@holdfast/contract/query/parse';
import type { Query } from '@holdfast/contract/query/tree';
import type { Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Language } from '../../http/language.ts';
import { invalidQuery } from './fault-text.ts';
import { sightBy, unlimitedReach } from '../content-access/index.ts';
import type { Sight } from '../marks/index.ts';
import { timeZoneOf } from '../organisations/index.ts';
import { marksOfQuery, type FoundByHolds } from './marks-of-query.views.ts';
import { searchesOfHolds } from './saved-searches.store.ts';
import { foundItems, hasArchives, vocabularyFor, type SearchPlace } from './search.views.ts';
import { openWords } from './tsquery.ts';

/** Reads a query, or refuses it with everything that is wrong with it. */
export function readQuery(text: string, language: Language): Query {
  const { query, faults } = parseQuery(text);
  if (!query) throw invalidQuery(faults, language);
  return query;
}

export interface AskedPlace extends Omit<SearchPlace, 'world' | 'hasArchives'> {
  /** Who asks, for marks that only some may see: without anybody they are on nothing. */
  readonly sight?: Sight | undefined;
}

/** What holds by search find now. Where a search asks for holds itself, what they have found before is what counts. */
function foundByHolds(clock: Pick<Clock, 'nowMs'>, tenantId: string): FoundByHolds {
  return async (tx, holdIds) => {
    const searches = await searchesOfHolds(tx, holdIds);
    const found: Awaited<ReturnType<FoundByHolds>>[number][] = [];
    for (const { query: text, owner_id: ownerId } of searches) {
      const { query } = parseQuery(text ?? '');
      const sight = ownerId === null ? undefined : await sightBy(tx, { tenantId, accountId: ownerId }, now(clock));
      const asked = { tenantId, reach: unlimitedReach, sight };
      found.push(text === null || !query ? undefined : foundItems(await placed(tx, clock, { ...asked, query }, () => Promise.resolve([]))));
    }
    return found;
  };
}

async function placed(tx: Tx, clock: Pick<Clock, 'nowMs'>, { sight, ...place }: AskedPlace, found: FoundByHolds): Promise<SearchPlace> {
  const { query } = place;
  const marks = await marksOfQuery(tx, query, sight, found);
  const known = await vocabularyFor(tx, openWords(query));
  const world = { known, nowMs: now(clock).getTime(), timeZone: await timeZoneOf(tx), marks };
  return { ...place, world, hasArchives: await hasArchives(tx, place.tenantId) };
}

/** A query with what it depends on: the words of the index, the time and the zone of the organisation, the marks that the asker may see. */
export function placeOf(tx: Tx, clock: Pick<Clock, 'nowMs'>, asked: AskedPlace): Promise<SearchPlace> {
  return placed(tx, clock, asked, foundByHolds(clock, asked.tenantId));
}
