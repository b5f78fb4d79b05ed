import { Text } from '@fluentui/react-components';
import type { ReviewSet } from '@holdfast/contract/review-values';
import { reviews } from '@holdfast/contract/reviews';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { read } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { useColumnKinds } from '../../ui/data-table/column-kinds.tsx';
import { DataTable } from '../../ui/data-table/data-table.tsx';
import type { Column } from '../../ui/data-table/types.ts';
import { EmptyState, FailedState, FirstStep } from '../../ui/empty-state.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadingShape } from '../../ui/loading-shape.tsx';
import type { ReviewProps } from './review-props.ts';
import { ReviewSetForm } from './review-set-form.tsx';
import { readOf, useReviewWords } from './review-words.ts';

type SetsProps = ReviewProps & { readonly onOpen: (setId: string) => void };

/** The review sets of a case and how far each has been read. */
export function ReviewSets({ onOpen, ...props }: SetsProps): ReactElement {
  const { tenantId, caseId, mayWork, queries } = props;
  const text = useText();
  const [isAdding, setAdding] = useState(false);
  const [madeId, setMadeId] = useState<string | null>(null);
  // The form goes first: what was entered in it is saved and no reason to ask before the set is shown.
  useEffect(() => {
    if (madeId !== null) onOpen(madeId);
  }, [madeId, onOpen]);
  const columns = useColumns();
  const found = useQuery(read(reviews.list, { params: { tenantId, caseId }, quiet: true }));
  if (found.isPending) return <LoadingShape rows={4} />;
  if (found.isError) return <FailedState error={found.error} onRetry={() => void found.refetch()} />;
  const mayAdd = mayWork && queries.length > 0;
  const add = (): void => setAdding(true);
  const first = <FirstStep text={text('reviews.empty')} label={text('reviews.add')} may={mayAdd} onClick={add} />;
  return (
    <Stack>
      <Text>{text('reviews.lead')}</Text>
      <CommandBar commands={mayAdd ? [{ id: 'add', label: text('reviews.add'), run: add, isPrimary: true }] : []} />
      <DataTable
        id="review-sets"
        prefix="sets"
        label={text('cases.tabs.review')}
        columns={columns}
        source={{ kind: 'list', rows: found.data.items }}
        rowKey={(row) => row.setId}
        rowName={(row) => row.name}
        onOpen={(row) => onOpen(row.setId)}
        empty={queries.length === 0 ? <EmptyState text={text('reviews.noQueries')} /> : first}
      />
      {isAdding && madeId === null && (
        <ReviewSetForm {...props} sets={found.data.items} onMade={setMadeId} onClose={() => setAdding(false)} />
      )}
    </Stack>
  );
}

function useColumns(): readonly Column<ReviewSet>[] {
  const text = useText();
  const format = useFormat();
  const { words, count, moment } = useColumnKinds<ReviewSet>();
  const inWords = useReviewWords();
  const share = (set: ReviewSet): string => {
    const { done, all } = readOf(set);
    return format.percent(done / all);
  };
  return [
    words({ id: 'name', title: text('reviews.name'), sort: 'name', width: 180 }, (row) => row.name),
    words({ id: 'reviewed', title: text('reviews.reviewed'), width: 110 }, share),
    count({ id: 'toRead', title: text('reviews.toRead'), width: 110 }, (row) => row.progress.unreviewed),
    count({ id: 'items', title: text('reviews.items'), width: 110 }, (row) => row.items),
    words({ id: 'sample', title: text('reviews.sample'), width: 260 }, inWords.sample),
    words({ id: 'estimate', title: text('reviews.estimate'), width: 190 }, inWords.estimate),
    moment({ id: 'created', title: text('reviews.created'), sort: 'created', width: 150 }, (row) => row.createdAt),
    words({ id: 'creator', title: text('reviews.creator'), width: 220 }, (row) => row.creator),
  ];
}
