import { parseQuery } from '@holdfast/contract/query/parse';
import { searchAddress } from '@holdfast/contract/query/search-address';
import { search } from '@holdfast/contract/search';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../api/portal-context.ts';
import { read } from '../../api/queries.ts';
import { useReason } from '../../features/content/index.ts';
import { useText } from '../../i18n/use-text.ts';
import type { Found, Target } from './go-to-targets.ts';

/** Fewer letters than this are the beginning of a name rather than what somebody remembers of a text. */
const fewestLetters = 3;
/** The page shows the rest. */
const offered = 5;

/**
 * What was typed, as a search in everything that is kept. Its first hits are listed once the reader has given a reason
 * for searching within the hour: each search is in the audit log with it.
 */
export function useContents(tenantId: string, typed: string, isPaused: boolean): Found {
  const text = useText();
  const query = typed.trim();
  const { reason } = useReason('search');
  const may = useMay('search.run') && tenantId !== '' && query.length >= fewestLetters && parseQuery(query).query !== undefined;
  const isAsked = may && isPaused && reason !== null;
  const answer = useQuery({
    ...read(search.search, { params: { tenantId }, body: { query, reason: reason ?? '', limit: offered }, quiet: true }),
    enabled: isAsked,
    // Each search is in the audit log: once is enough.
    staleTime: 'static',
  });
  if (!may) return { targets: [], isSearching: false };
  const hits = (isAsked ? (answer.data?.items ?? []) : []).map((hit): Target => ({
    to: `${searchAddress(query)}&hit=${hit.hitId}`,
    label: hit.title.trim() || text('search.untitled'),
    group: text('search.whereIs', { kind: text(`search.kinds.${hit.kind}`), name: hit.resource.name || hit.resource.address }),
  }));
  const all: Target = { to: searchAddress(query), label: text('shell.goToContents', { query }), group: text('shell.search') };
  return { targets: [...hits, all], isSearching: isAsked && answer.isPending };
}
