import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { narrowed } from '@holdfast/contract/query/narrow';
import { parseQuery } from '@holdfast/contract/query/parse';
import type { Query } from '@holdfast/contract/query/tree';
import type { SearchAnswer, SearchHit } from '@holdfast/contract/search';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useSearchParams } from 'react-router';
import { useMay } from '../../api/portal-context.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { narrowScreen } from '../../ui/theme.ts';
import { useReason } from '../content/index.ts';
import { WithTenant } from '../tenants/index.ts';
import { MyExports } from './my-exports.tsx';
import { Coverage } from './coverage.tsx';
import { Facets } from './facets.tsx';
import { FoundCommands } from './found-commands.tsx';
import { HitList } from './hit-list.tsx';
import { PlacesTree } from './places-tree.tsx';
import { QueryBox } from './query-box.tsx';
import { ReadingPane } from './reading-pane.tsx';
import { SavedSearches } from './saved-searches.tsx';
import { useHits, useSavedSearches } from './search.queries.ts';
import type { StartedSearch } from './search.queries.ts';
import { SyntaxHelp } from './syntax-help.tsx';
import { WildcardWords } from './wildcard-words.tsx';
import { useTicked } from '../../ui/use-ticked.ts';

/** `/search`: one box over everything that is kept. */
export default function SearchPage(): ReactElement {
  const text = useText();
  const [address] = useSearchParams();
  return (
    <Page title={text('shell.search')} lead={text('search.lead')}>
      <WithTenant>
        {(tenant) => <Search key={`${tenant.tenantId} ${address.get('query')} ${address.get('hit')}`} tenantId={tenant.tenantId} />}
      </WithTenant>
    </Page>
  );
}

function Search({ tenantId }: { readonly tenantId: string }): ReactElement {
  const [address, setAddress] = useSearchParams();
  // Another page may ask by its link; nothing is searched before the reader has given a reason, which counts for an hour.
  const linked = address.get('query') ?? '';
  const given = useReason('search');
  const reason = given.reason ?? '';
  const isAsked = linked !== '' && reason !== '' && parseQuery(linked).query !== undefined;
  const [started, setStarted] = useState<StartedSearch | null>(isAsked ? { query: linked, reason } : null);
  const [chosen, setChosen] = useState<SearchHit | null>(null);
  /** What a narrowed search puts into the box; each time the box begins afresh. */
  const [narrowing, setNarrowing] = useState<StartedSearch & { readonly turn: number }>({ query: '', reason: '', turn: 0 });
  const maySave = useMay('search.save');
  const list = useSavedSearches(tenantId);
  const saved = list.data?.items.find((one) => one.searchId === address.get('saved'));
  /** Another search with the reason of this one. */
  const handleSearch = (query: string | undefined): void => {
    if (started === null || query === undefined) return;
    setChosen(null);
    setStarted({ query, reason: started.reason });
    setNarrowing({ query, reason: started.reason, turn: narrowing.turn + 1 });
  };
  const handleNarrow = (term: Query): void => handleSearch(started === null ? undefined : narrowed(started.query, term));
  const asked = saved?.query ?? linked;
  return (
    <Stack loose>
      <QueryBox
        key={`${asked} ${narrowing.turn}`}
        initial={narrowing.turn > 0 ? narrowing : { query: asked, reason }}
        onSearch={(next) => {
          setChosen(null);
          given.give(next.reason);
          setStarted(saved !== undefined && saved.query === next.query ? { ...next, searchId: saved.searchId } : next);
        }}
      />
      {started === null ? (
        <>
          {maySave && <SavedSearches tenantId={tenantId} onPick={({ searchId }) => setAddress({ saved: searchId })} />}
          <MyExports tenantId={tenantId} />
          <SyntaxHelp />
        </>
      ) : (
        <Found
          key={JSON.stringify(started)}
          tenantId={tenantId}
          started={started}
          chosen={chosen}
          linkedId={address.get('hit')}
          onChoose={setChosen}
          onNarrow={handleNarrow}
          onUnread={() => handleSearch('partial:true')}
        />
      )}
    </Stack>
  );
}

const useStyles = makeStyles({
  panes: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    gap: tokens.spacingHorizontalL,
    alignItems: 'start',
    [narrowScreen]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  // Like a mail program.
  withPlaces: {
    gridTemplateColumns: 'minmax(200px, 1fr) minmax(0, 2fr) minmax(0, 2fr)',
    [narrowScreen]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
});

interface FoundProps {
  readonly tenantId: string;
  readonly started: StartedSearch;
  readonly chosen: SearchHit | null;
  /** The hit that a link leads to, shown until another one is chosen. */
  readonly linkedId: string | null;
  readonly onChoose: (hit: SearchHit) => void;
  readonly onNarrow: (term: Query) => void;
  /** Searches for what could not be read. */
  readonly onUnread: () => void;
}

function Found(props: FoundProps): ReactElement {
  const { tenantId, started, onNarrow, onUnread } = props;
  const text = useText();
  const hits = useHits(tenantId, started);
  const ticked = useTicked();
  if (hits.isPending) return <LoadingShape rows={8} />;
  if (hits.isError) return <FailedState error={hits.error} title={text('failures.retrieve')} onRetry={() => void hits.refetch()} />;
  const rows = hits.data.pages.flatMap((page) => page.items);
  const [first] = hits.data.pages;
  return (
    <Stack>
      {first !== undefined && (
        <>
          <Coverage total={first.total} coverage={first.coverage} recognisesScans={first.recognisesScans} onUnread={onUnread} />
          <WildcardWords tenantId={tenantId} started={started} />
          <FoundCommands tenantId={tenantId} started={started} answer={first} chosen={ticked} />
        </>
      )}
      {rows.length === 0 ? (
        <NoHits answer={first} />
      ) : (
        <>
          {first?.facets && <Facets found={first.facets} onNarrow={onNarrow} />}
          <Panes
            {...props}
            rows={rows}
            answer={first}
            ticked={ticked}
            onNearEnd={() => {
              if (hits.hasNextPage && !hits.isFetchingNextPage) void hits.fetchNextPage();
            }}
          />
        </>
      )}
    </Stack>
  );
}

interface PanesProps extends FoundProps {
  readonly rows: readonly SearchHit[];
  readonly answer: SearchAnswer | undefined;
  readonly ticked: ReturnType<typeof useTicked>;
  readonly onNearEnd: () => void;
}

/** Where the hits are kept, the hits, and the one that is read. */
function Panes({ tenantId, started, chosen, linkedId, onChoose, onNarrow, rows, answer, ticked, onNearEnd }: PanesProps): ReactElement {
  const styles = useStyles();
  const shown = chosen ?? rows.find(({ hitId }) => hitId === linkedId);
  const places = answer?.facets?.places;
  return (
    <div className={mergeClasses(styles.panes, places !== undefined && styles.withPlaces)}>
      {places && <PlacesTree places={places} onNarrow={onNarrow} />}
      <HitList
        rows={rows}
        total={answer?.total ?? rows.length}
        chosenId={shown?.hitId ?? null}
        ticked={ticked}
        search={{ tenantId, started }}
        onChoose={onChoose}
        onNearEnd={onNearEnd}
      />
      <Chosen tenantId={tenantId} started={started} hit={shown} />
    </div>
  );
}

/** The hit that is read, beside the list. */
function Chosen({
  tenantId,
  started,
  hit,
}: Pick<FoundProps, 'tenantId' | 'started'> & { readonly hit: SearchHit | undefined }): ReactElement {
  const text = useText();
  if (hit === undefined) return <EmptyState text={text('search.choose')} />;
  return <ReadingPane key={hit.hitId} tenantId={tenantId} hit={hit} reason={started.reason} search={{ tenantId, started }} />;
}

/** Says that nothing matches, or that it is too early to say so. */
function NoHits({ answer }: { readonly answer: SearchAnswer | undefined }): ReactElement {
  const text = useText();
  const format = useFormat();
  const pending = answer === undefined ? 0 : answer.coverage.items - answer.coverage.searched;
  if (answer?.coverage.items === 0) return <EmptyState text={text('search.nothingKept')} />;
  return <EmptyState text={pending > 0 ? text('search.noneYet', { count: format.count(pending) }) : text('search.none')} />;
}
