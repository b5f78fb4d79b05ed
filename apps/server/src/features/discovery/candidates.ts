import type { Candidate } from '@holdfast/contract/discovery';
import type { Page } from '@holdfast/contract/paging';
import type { Workload } from '@holdfast/contract/values';
import { pageFrom, sortOf, windowOf } from '../../http/paging.ts';
import type { Protection } from './protection-of.views.ts';

/** Somebody or something of the directory, before it is known whether it is protected. */
export type Listed = Pick<Candidate, 'id' | 'name' | 'address' | 'kind'>;

export interface CandidatesQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
  readonly protection?: Candidate['protection'] | undefined;
  readonly workload?: Workload | undefined;
  readonly guests?: boolean | undefined;
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
const byName = (a: Listed, b: Listed): number => collator.compare(a.name, b.name) || collator.compare(a.id, b.id);
const nobody: Protection = { protection: 'unprotected', lastPointAt: null };

/** A list in the order of its names. Sorting tens of thousands takes a while: it is done once for a list, not for each of its pages. */
export function inOrder(all: readonly Listed[]): readonly Listed[] {
  return all.toSorted(byName);
}

/** Groups are never protected themselves: their members are, at each run. */
function protectionOf({ id, address }: Listed, protection: ReadonlyMap<string, Protection>): Protection {
  return protection.get(id) ?? protection.get(address.toLowerCase()) ?? nobody;
}

/** Filters, sorts and cuts a page out of a list in the order of its names, and joins it with what is protected. */
export function pageOfCandidates(
  all: readonly Listed[],
  protection: ReadonlyMap<string, Protection>,
  query: CandidatesQuery,
): Page<Candidate> {
  const window = windowOf(query);
  const words = (query.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const { column, isDescending } = sortOf<Sort>(query.sort, { column: 'name', isDescending: false });
  const matching = all.filter(
    (listed) =>
      (query.guests !== false || listed.kind !== 'guest') &&
      words.every((word) => `${listed.name} ${listed.address}`.toLowerCase().includes(word)) &&
      (query.protection === undefined || protectionOf(listed, protection).protection === query.protection),
  );
  const sorted = column === 'name' && !isDescending ? matching : matching.sort(comparing(column, isDescending, protection));
  const shown = sorted
    .slice(window.offset, window.offset + window.limit)
    .map((listed) => ({ ...listed, ...protectionOf(listed, protection) }));
  return pageFrom(shown, matching.length, window);
}

type Sort = 'name' | 'address' | 'lastPointAt';

function comparing(column: Sort, isDescending: boolean, protection: ReadonlyMap<string, Protection>): (a: Listed, b: Listed) => number {
  const valueOf = (listed: Listed): string =>
    (column === 'lastPointAt' ? protectionOf(listed, protection).lastPointAt : listed[column]) ?? '';
  const sign = isDescending ? -1 : 1;
  return (a, b) => sign * collator.compare(valueOf(a), valueOf(b)) || collator.compare(a.id, b.id);
}
