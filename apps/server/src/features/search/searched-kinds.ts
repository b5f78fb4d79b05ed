import type { SearchHit } from '@holdfast/contract/search';

/** Kinds of item as the query language groups them; what is in none, such as rules and settings, is not searched. */
const groups: ReadonlyMap<string, SearchHit['kind']> = new Map([
  ['message', 'email'],
  ['event', 'meetings'],
  ['contact', 'contacts'],
  ['task', 'tasks'],
  ['post', 'im'],
  ['reply', 'im'],
  ['chatMessage', 'im'],
  ['file', 'docs'],
  ['listItem', 'docs'],
  ['page', 'docs'],
]);

export const searchedKinds: readonly string[] = [...groups.keys()];

/** The choice of the query language that a kind of item belongs to. */
export function searchKindOf(kind: string): SearchHit['kind'] {
  return groups.get(kind) ?? 'docs';
}
