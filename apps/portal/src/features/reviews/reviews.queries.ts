import type { ReviewItem, ReviewStatus } from '@holdfast/contract/review-values';
import { reviews } from '@holdfast/contract/reviews';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePortal } from '../../api/portal-context.ts';
import { keyOf, useChange } from '../../api/queries.ts';

const pageSize = 100;

/** What of a set is listed. */
export interface ReviewFilters {
  readonly status?: ReviewStatus;
  readonly resourceId?: string;
  readonly reviewer?: string;
  /** Without mails that another mail says whole. */
  readonly readLess?: boolean;
  /** Contents with this tag of the case. */
  readonly tagId?: string;
  /** The mails of one thread, by its first. */
  readonly thread?: number;
}

export interface SetParams {
  readonly tenantId: string;
  readonly caseId: string;
  readonly setId: string;
}

/** Each page is logged: it is asked for when the reader scrolls to it, never again by itself. */
export function useReviewItems(params: SetParams, filters: ReviewFilters) {
  const { client } = usePortal();
  return useInfiniteQuery({
    queryKey: [...keyOf(reviews.items), params, filters],
    queryFn: ({ pageParam }) =>
      client.send(reviews.items, {
        params,
        body: { ...filters, limit: pageSize, ...(pageParam === null ? {} : { cursor: pageParam }) },
        quiet: true,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 'static',
    // Decisions of others are in what is listed the next time.
    gcTime: 0,
    meta: { quiet: true },
  });
}

type Decision = Pick<ReviewItem, 'status' | 'revision' | 'reviewer' | 'reviewedAt'>;

export interface Deciding {
  /** An item with the newest decision that this reader knows of. */
  readonly latest: (item: ReviewItem) => ReviewItem;
  readonly decide: (item: ReviewItem, status: ReviewStatus, onRefused: () => void) => void;
}

/** Decisions of this reader, shown at once beside those that were listed; one that is refused is taken back. */
export function useDecisions(params: SetParams): Deciding {
  const change = useChange(reviews.decide);
  const [made, setMade] = useState<ReadonlyMap<number, Decision>>(new Map());
  const keep = (position: number, decision: Decision | undefined): void =>
    setMade(
      (before) => new Map([...[...before].filter(([key]) => key !== position), ...(decision ? [[position, decision] as const] : [])]),
    );
  const latest = (item: ReviewItem): ReviewItem => {
    const own = made.get(item.position);
    return own !== undefined && own.revision > item.revision ? { ...item, ...own } : item;
  };
  return {
    latest,
    decide(item, status, onRefused) {
      const { position, revision } = latest(item);
      keep(position, { status, revision: revision + 1, reviewer: null, reviewedAt: null });
      change.mutate(
        { params: { ...params, position }, body: { status, revision } },
        {
          onSuccess: (answer) => keep(position, answer),
          onError: () => {
            keep(position, undefined);
            onRefused();
          },
        },
      );
    },
  };
}
