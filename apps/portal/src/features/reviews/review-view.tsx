import { Link, Subtitle1, Text } from '@fluentui/react-components';
import type { ReviewItem, ReviewStatus } from '@holdfast/contract/review-values';
import { reviewMarks, type ReviewTag } from '@holdfast/contract/review-marks';
import { reviews } from '@holdfast/contract/reviews';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { EmptyState, FailedState } from '../../ui/empty-state.tsx';
import { Split, Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { ReadingPane } from '../search/index.ts';
import { ItemNotes } from './item-notes.tsx';
import { ItemTags, tagDigits, useTagging, type Tagging } from './item-tags.tsx';
import { TagsDrawer } from './tags-drawer.tsx';
import { NearDifference } from './near-difference.tsx';
import { ReviewDecision } from './review-decision.tsx';
import { ReviewExportCommands } from './review-export.tsx';
import { isSeeking, ReviewThreads, ThreadLine } from './review-threads.tsx';
import { ReviewFilterBar } from './review-filters.tsx';
import { ReviewList, useItemWords } from './review-list.tsx';
import type { ReviewProps } from './review-props.ts';
import { ReviewProgress } from './review-progress.tsx';
import { decisions, looks } from './review-status.tsx';
import { useDecisions, useReviewItems } from './reviews.queries.ts';
import type { ReviewFilters, SetParams } from './reviews.queries.ts';

const pollMs = 2_000;

interface ViewProps extends Omit<ReviewProps, 'queries'> {
  readonly setId: string;
  /** What the log says of each opening. */
  readonly reason: string;
  readonly onBack: () => void;
}

/** A review set: how far it has been read, its contents, and the chosen one beside them. */
export function ReviewView({ tenantId, caseId, setId, mayWork, reason, onBack }: ViewProps): ReactElement {
  const text = useText();
  const [filters, setFilters] = useState<ReviewFilters>({});
  const params = { tenantId, caseId, setId };
  const [isTagging, setTagging] = useState(false);
  const known = useQuery(read(reviewMarks.tags, { params: { tenantId, caseId }, quiet: true }));
  const tags = known.data?.items ?? [];
  const found = useQuery({
    ...read(reviews.get, { params, quiet: true }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isSeeking(data) ? pollMs : false),
  });
  return (
    <Stack>
      <Link as="button" onClick={onBack}>
        {text('reviews.back')}
      </Link>
      {found.isPending && <LoadingShape rows={6} />}
      {found.isError && <FailedState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data !== undefined && (
        <>
          <Subtitle1 as="h2">{found.data.name}</Subtitle1>
          <ReviewProgress set={found.data} />
          <ReviewThreads params={params} set={found.data} mayWork={mayWork} />
          {mayWork && <CommandBar commands={[{ id: 'tags', label: text('reviews.tags.title'), run: () => setTagging(true) }]} />}
          {isTagging && <TagsDrawer params={params} onClose={() => setTagging(false)} />}
          {mayWork && <ReviewExportCommands tenantId={tenantId} caseId={caseId} set={found.data} reason={reason} />}
          {mayWork && (
            <>
              <ReviewFilterBar
                people={found.data.people}
                reviewers={found.data.reviewers}
                tags={tags}
                knowsThreads={found.data.threads?.figures != null}
                value={filters}
                onChange={setFilters}
              />
              <ReviewDesk
                key={JSON.stringify([filters, found.data.threads?.at])}
                params={params}
                filters={filters}
                reason={reason}
                tags={tags}
                onFilter={setFilters}
              />
            </>
          )}
        </>
      )}
    </Stack>
  );
}

interface DeskProps {
  readonly params: SetParams;
  readonly filters: ReviewFilters;
  readonly reason: string;
  readonly tags: readonly ReviewTag[];
  readonly onFilter: (filters: ReviewFilters) => void;
}

const keyOf = ({ position }: ReviewItem): string => String(position);

/** The list and the content being read. Every step of a review has a key. */
function ReviewDesk({ params, filters, reason, tags, onFilter }: DeskProps): ReactElement {
  const text = useText();
  const [chosen, setChosen] = useState<number | null>(null);
  const { latest, decide } = useDecisions(params);
  const listed = useReviewItems(params, filters);
  const rows = listed.data?.pages.flatMap((page) => page.items).map(latest) ?? [];
  const item = rows.find(({ position }) => position === chosen);
  const choose = ({ position }: ReviewItem): void => setChosen(position);
  const decideOn = (of: ReviewItem, status: ReviewStatus): void =>
    decide(of, status, () => {
      choose(of);
      void listed.refetch();
    });
  const press = (key: string, status: ReviewStatus): boolean => {
    const of = rows.find((row) => keyOf(row) === key);
    if (of !== undefined && of.status !== status) decideOn(of, status);
    return of !== undefined;
  };
  const tagging = useTagging(params);
  const label = (key: string, tagId: string): boolean => {
    const of = rows.find((row) => keyOf(row) === key);
    if (of !== undefined) tagging.toggle(of, tagId);
    // A tag leaves the reader where they are.
    return false;
  };
  const others = new Map([
    ...decisions.map((status) => [looks[status].digit, (key: string) => press(key, status)] as const),
    ...tags.slice(0, tagDigits.length).map(({ tagId }, at) => [tagDigits[at] ?? '', (key: string) => label(key, tagId)] as const),
  ]);
  const frame = useListKeys(rows, { keyOf, chosen: chosen === null ? null : String(chosen), onChoose: choose, others });
  if (listed.isPending) return <LoadingShape rows={8} />;
  if (listed.isError) return <FailedState error={listed.error} title={text('failures.retrieve')} onRetry={() => void listed.refetch()} />;
  if (rows.length === 0) return <EmptyState text={text('reviews.nothing')} />;
  const total = listed.data.pages[0]?.total ?? rows.length;
  return (
    <Stack>
      <Text size={200}>{text('reviews.keys')}</Text>
      <Split>
        <ReviewList
          rows={rows}
          total={total}
          chosen={chosen}
          tags={tags}
          tagging={tagging}
          frame={frame}
          onChoose={choose}
          onNearEnd={() => {
            if (listed.hasNextPage && !listed.isFetchingNextPage) void listed.fetchNextPage();
          }}
        />
        {item === undefined ? (
          <EmptyState text={text('reviews.begin')} />
        ) : (
          <ChosenItem {...{ params, filters, reason, tags, onFilter, item, tagging }} onDecide={(status) => decideOn(item, status)} />
        )}
      </Split>
    </Stack>
  );
}

interface ChosenProps extends DeskProps {
  readonly item: ReviewItem;
  readonly tagging: Tagging;
  readonly onDecide: (status: ReviewStatus) => void;
}

/** The item that is read, with its decision, tags, thread and notes. */
function ChosenItem({ params, filters, reason, tags, onFilter, item, tagging, onDecide }: ChosenProps): ReactElement {
  return (
    <Stack>
      <ReviewDecision item={item} onDecide={onDecide} />
      <ItemTags item={item} tags={tags} tagging={tagging} />
      <ThreadLine item={item} isWhole={filters.thread !== undefined} onThread={(thread) => onFilter({ thread })} />
      <NearDifference key={item.position} params={params} item={item} reason={reason} />
      <Reading tenantId={params.tenantId} item={item} reason={reason} />
      <ItemNotes key={`notes ${item.position}`} params={params} item={item} />
    </Stack>
  );
}

function Reading({
  tenantId,
  item,
  reason,
}: {
  readonly tenantId: string;
  readonly item: ReviewItem;
  readonly reason: string;
}): ReactElement {
  const text = useText();
  const words = useItemWords();
  if (item.hit === null) return <EmptyState text={text('reviews.unreadable', { why: words.where(item) })} />;
  return <ReadingPane key={item.hit.hitId} tenantId={tenantId} hit={item.hit} reason={reason} showsConversation />;
}
