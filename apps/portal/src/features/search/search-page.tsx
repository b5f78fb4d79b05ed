import type { SearchHit } from '@holdfast/contract/search';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Split, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Page } from '../../ui/page.tsx';
import { WithTenant } from '../tenants/index.ts';
import { Coverage } from './coverage.tsx';
import { HitList } from './hit-list.tsx';
import { QueryBox } from './query-box.tsx';
import { ReadingPane } from './reading-pane.tsx';
import { useHits } from './search.queries.ts';
import type { StartedSearch } from './search.queries.ts';
import { SyntaxHelp } from './syntax-help.tsx';

/** `/search`: one box over everything that is kept. */
export default function SearchPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('shell.search')} lead={text('search.lead')}>
      <WithTenant>{(tenant) => <Search key={tenant.tenantId} tenantId={tenant.tenantId} />}</WithTenant>
    </Page>
  );
}

function Search({ tenantId }: { readonly tenantId: string }): ReactElement {
  const [started, setStarted] = useState<StartedSearch | null>(null);
  const [chosen, setChosen] = useState<SearchHit | null>(null);
  return (
    <Stack loose>
      <QueryBox
        onSearch={(next) => {
          setChosen(null);
          setStarted(next);
        }}
      />
      {started === null ? <SyntaxHelp /> : <Found tenantId={tenantId} started={started} chosen={chosen} onChoose={setChosen} />}
    </Stack>
  );
}

interface FoundProps {
  readonly tenantId: string;
  readonly started: StartedSearch;
  readonly chosen: SearchHit | null;
  readonly onChoose: (hit: SearchHit) => void;
}

function Found({ tenantId, started, chosen, onChoose }: FoundProps): ReactElement {
  const text = useText();
  const hits = useHits(tenantId, started);
  if (hits.isPending) return <LoadingShape rows={8} />;
  if (hits.isError) return <FailedState error={hits.error} title={text('failures.retrieve')} onRetry={() => void hits.refetch()} />;
  const rows = hits.data.pages.flatMap((page) => page.items);
  const [first] = hits.data.pages;
  return (
    <Stack>
      {first !== undefined && <Coverage total={first.total} coverage={first.coverage} />}
      {rows.length === 0 ? (
        <EmptyState text={text('search.none')} />
      ) : (
        <Split>
          <HitList
            rows={rows}
            total={first?.total ?? rows.length}
            chosenId={chosen?.hitId ?? null}
            onChoose={onChoose}
            onNearEnd={() => {
              if (hits.hasNextPage && !hits.isFetchingNextPage) void hits.fetchNextPage();
            }}
          />
          {chosen === null ? (
            <EmptyState text={text('search.choose')} />
          ) : (
            <ReadingPane key={chosen.hitId} tenantId={tenantId} hit={chosen} reason={started.reason} />
          )}
        </Split>
      )}
    </Stack>
  );
}
