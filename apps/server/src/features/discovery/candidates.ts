import type { Candidate } from '@holdfast/contract/discovery';
import type { Page } from '@holdfast/contract/paging';
import { pageFrom, sortOf, windowOf } from '../../paging.ts';
import type { Listed } from './directory.service.ts';
import type { Protection } from './protection-of.views.ts';

export interface CandidatesQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
  readonly protection?: Candidate['protection'] | undefined;
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
const nobody: Protection = { protection: 'unprotected', lastPointAt: null };

/** Groups are never protected themselves: their members are, at each run. */
function join(listed: Listed, protection: ReadonlyMap<string, Protection>): Candidate {
  return { ...listed, ...(protection.get(listed.id) ?? nobody) };
}

/** Filters, sorts and cuts a page out of a list that is joined with what is protected. */
export function pageOfCandidates(
  all: readonly Listed[],
  protection: ReadonlyMap<string, Protection>,
  query: CandidatesQuery,
): Page<Candidate> {
  const window = windowOf(query);
  const words = (query.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const { column, isDescending } = sortOf<'name' | 'address' | 'lastPointAt'>(query.sort, { column: 'name', isDescending: false });
  const matching = all
    .filter((listed) => words.every((word) => `${listed.name} ${listed.address}`.toLowerCase().includes(word)))
    .map((listed) => join(listed, protection))
    .filter((candidate) => query.protection === undefined || candidate.protection === query.protection)
    .sort((a, b) => (isDescending ? -1 : 1) * collator.compare(a[column] ?? '', b[column] ?? '') || collator.compare(a.id, b.id));
  return pageFrom(matching.slice(window.offset, window.offset + window.limit), matching.length, window);
}
