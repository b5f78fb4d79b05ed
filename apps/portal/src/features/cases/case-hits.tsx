import { Subtitle1 } from '@fluentui/react-components';
import type { CaseQuery } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { keyOf } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { Coverage, HitsToRead } from '../search/index.ts';
import type { CaseProps } from './case-props.ts';
import { caseReasonOf } from './case-words.ts';

const pageSize = 100;

type HitsProps = CaseProps & { readonly query: CaseQuery };

/** Each page is logged as a run of the query: it is asked for when the reader scrolls to it, never again by itself. */
function useCaseHits({ tenantId, of, query }: HitsProps) {
  const { client } = usePortal();
  const params = { tenantId, caseId: of.caseId, queryId: query.queryId };
  return useInfiniteQuery({
    queryKey: [...keyOf(cases.queryHits), params, query.query],
    queryFn: ({ pageParam }) =>
      client.send(cases.queryHits, {
        params,
        body: { limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        quiet: true,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 'static',
    meta: { quiet: true },
  });
}

/** The hits of a query, and the chosen one beside them. Opening it is logged with the matter as its reason. */
export function CaseHits({ tenantId, of, query }: HitsProps): ReactElement {
  const text = useText();
  const hits = useCaseHits({ tenantId, of, query });
  if (hits.isPending) return <LoadingShape rows={8} />;
  if (hits.isError) return <FailedState error={hits.error} title={text('failures.retrieve')} onRetry={() => void hits.refetch()} />;
  const [first] = hits.data.pages;
  return (
    <Stack>
      <Subtitle1 as="h2">{query.name}</Subtitle1>
      {first !== undefined && <Coverage total={first.total} coverage={first.coverage} />}
      {first === undefined || first.items.length === 0 ? (
        <EmptyState text={text(of.custodians.length === 0 ? 'cases.noCustodiansYet' : 'search.none')} />
      ) : (
        <HitsToRead tenantId={tenantId} hits={hits} reason={caseReasonOf(of)} />
      )}
    </Stack>
  );
}
