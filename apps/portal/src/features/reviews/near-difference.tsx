import { Button, Spinner, Subtitle2, Text } from '@fluentui/react-components';
import type { ReviewItem } from '@holdfast/contract/review-values';
import { reviews } from '@holdfast/contract/reviews';
import type { SearchHit } from '@holdfast/contract/search';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { keyOf } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { FailedState } from '../../ui/empty-state.tsx';
import { FocusGroup } from '../../ui/focus-group.tsx';
import { Stack } from '../../ui/layout.tsx';
import { useComparison, WordDifferences } from '../content/index.ts';
import type { SetParams } from './reviews.queries.ts';

interface NearProps {
  readonly params: SetParams;
  readonly item: ReviewItem;
  readonly reason: string;
}

/** What a mail has that the one it is nearly a copy of does not, and the other way round. Nothing is opened before it is asked for. */
export function NearDifference({ params, item, reason }: NearProps): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const [isAsked, setAsked] = useState(false);
  if (item.nearCopy === null || item.hit === null) return null;
  const { pivot } = item.nearCopy;
  return (
    <FocusGroup label={text('reviews.threads.difference')}>
      {isAsked ? (
        <PivotDifference params={params} pivot={pivot} hit={item.hit} reason={reason} />
      ) : (
        <Button onClick={() => setAsked(true)}>{text('reviews.threads.compare', { position: format.count(pivot) })}</Button>
      )}
    </FocusGroup>
  );
}

interface PivotProps extends Pick<NearProps, 'params' | 'reason'> {
  readonly pivot: number;
  readonly hit: SearchHit;
}

function PivotDifference({ params, pivot, hit, reason }: PivotProps): ReactElement {
  const text = useText();
  const { client } = usePortal();
  const found = useQuery({
    queryKey: [...keyOf(reviews.items), params, { position: pivot }],
    queryFn: () => client.send(reviews.items, { params, body: { position: pivot, limit: 1 }, quiet: true }),
    staleTime: 'static',
    meta: { quiet: true },
  });
  if (found.isPending) return <Spinner size="tiny" label={text('reviews.threads.comparing')} />;
  if (found.isError) return <FailedState error={found.error} onRetry={() => void found.refetch()} />;
  const older = found.data.items[0]?.hit ?? null;
  if (older === null) return <Text role="status">{text('reviews.threads.pivotGone')}</Text>;
  return <HitDifference tenantId={params.tenantId} older={older} newer={hit} reason={reason} />;
}

interface HitProps {
  readonly tenantId: string;
  readonly older: SearchHit;
  readonly newer: SearchHit;
  readonly reason: string;
}

const placeOf = (tenantId: string, { locationId, sourceId, nodeId, sequence }: SearchHit) => ({
  place: { tenantId, locationId, sourceId, nodeId, sequence },
});

function HitDifference({ tenantId, older, newer, reason }: HitProps): ReactElement {
  const text = useText();
  const comparison = useComparison(placeOf(tenantId, older), placeOf(tenantId, newer));
  const compared = useQuery({
    queryKey: ['reviews', 'difference', tenantId, older.hitId, newer.hitId, reason],
    queryFn: () => comparison.run(reason),
    // Both openings are in the audit log: once is enough.
    staleTime: 'static',
    retry: false,
    meta: { quiet: true },
  });
  if (compared.isPending) return <Spinner size="tiny" label={text('reviews.threads.comparing')} />;
  if (!compared.data) return <FailedState error={null} title={text('failures.retrieve')} onRetry={() => void compared.refetch()} />;
  return (
    <Stack>
      <Subtitle2 as="h3">{text('reviews.threads.difference')}</Subtitle2>
      <WordDifferences found={compared.data} label={text('reviews.threads.difference')} />
    </Stack>
  );
}
