import { wildcardsIn, type OpenWord, type Wildcard } from '@holdfast/contract/query/wildcards';
import { wordsPageSize, type SearchWords } from '@holdfast/contract/search';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { likePattern } from '../../http/paging.ts';
import { partsOf } from './tsquery.ts';
import { foundVersions, type SearchPlace } from './search.views.ts';

function patternOf({ word, openStart, openEnd }: OpenWord): string {
  return likePattern(word).slice(openStart ? 0 : 1, openEnd ? undefined : -1);
}

/**
 * Words of what the searcher may find. The vocabulary is no source of them: it has the words of everybody, and of what was
 * deleted since.
 */
async function wordsOf(tx: Tx, place: SearchPlace, { term, open }: Wildcard): Promise<readonly string[]> {
  // Words of a field of its own stand behind the letter of its part.
  const [part] = (term.field === null ? undefined : partsOf[term.field]) ?? [];
  const before = part === undefined ? '' : `${part}:`;
  const { rows } = await sql<{ word: string }>`
    with found as materialized (select item_no from ${foundVersions({ ...place, query: term })} version)
    select distinct substr(made.lexeme, ${before.length + 1}::integer) as word from found
    join search_words words on words.organisation_id = holdfast.organisation() and words.realm = holdfast.realm()
      and words.item_no = found.item_no
    cross join lateral unnest(words.words) made
    where starts_with(made.lexeme, ${before}) and substr(made.lexeme, ${before.length + 1}::integer) like any(${open.map(patternOf)}::text[])
      and position(':' in substr(made.lexeme, ${before.length + 1}::integer)) = 0`.execute(tx);
  return rows.map(({ word }) => word);
}

/** The words that the wildcards of a query stand for: all are counted, and listed a page at a time. */
export async function wildcardWords(tx: Tx, place: SearchPlace, after: string): Promise<SearchWords> {
  const wildcards: SearchWords['wildcards'] = [];
  for (const wildcard of wildcardsIn(place.query)) {
    const words = [...(await wordsOf(tx, place, wildcard))].sort();
    const rest = words.filter((word) => word > after);
    wildcards.push({ term: wildcard.text, total: words.length, words: rest.slice(0, wordsPageSize) });
  }
  return { wildcards };
}
