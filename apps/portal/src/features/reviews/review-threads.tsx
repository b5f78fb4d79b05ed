import { isUnderWay } from '@holdfast/contract/run-status';
import { Link, Spinner, Text } from '@fluentui/react-components';
import type { ReviewItem, ReviewSet } from '@holdfast/contract/review-values';
import { reviews } from '@holdfast/contract/reviews';
import type { ReactElement } from 'react';
import { useChange } from '../../api/queries.ts';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { CommandBar } from '../../ui/command-bar.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import type { SetParams } from './reviews.queries.ts';

/** Whether a run is looking for the threads of a set. */
export function isSeeking({ threads }: Pick<ReviewSet, 'threads'>): boolean {
  return threads !== null && isUnderWay(threads);
}

interface ThreadsProps {
  readonly params: SetParams;
  readonly set: ReviewSet;
  readonly mayWork: boolean;
}

/** What the mail of a set repeats, or the way to find out. */
export function ReviewThreads({ params, set, mayWork }: ThreadsProps): ReactElement {
  const text = useText();
  const words = useThreadWords();
  const seek = useChange(reviews.findThreads);
  const { threads } = set;
  const label = text(threads === null ? 'reviews.threads.find' : 'reviews.threads.again');
  const find = { id: 'threads', label, run: () => seek.mutate({ params }) };
  const isUnderWay = isSeeking(set);
  return (
    <Stack>
      {isUnderWay ? (
        <Row>
          <Spinner size="tiny" aria-hidden />
          <Text role="status">{text('reviews.threads.seeking')}</Text>
        </Row>
      ) : (
        <Text>{words.found(set)}</Text>
      )}
      {mayWork && !isUnderWay && <CommandBar commands={[find]} />}
    </Stack>
  );
}

/** What is known of threads, in words. */
export function useThreadWords() {
  const text = useText();
  const format = useFormat();
  const item = (position: number): string => format.count(position);
  return {
    found({ threads }: Pick<ReviewSet, 'threads'>): string {
      if (threads === null) return text('reviews.threads.lead');
      if (threads.figures === null) return text('reviews.threads.failed');
      const { toRead, mails, threads: count, nearCopies, notCompared } = threads.figures;
      const parts = [
        text('reviews.threads.found', { toRead: item(toRead), mails: item(mails), threads: item(count), near: item(nearCopies) }),
      ];
      if (notCompared > 0) parts.push(text('reviews.threads.notCompared', { count: notCompared }));
      if (threads.status !== 'successful') parts.push(text('reviews.threads.failedAgain'));
      return parts.join(' ');
    },
    /** What a list says of an item: its thread, whether another says the same, what it is nearly a copy of. */
    of({ thread, nearCopy }: ReviewItem): string[] {
      const words: string[] = [];
      if (thread !== null && thread.mails > 1) words.push(text('reviews.threads.mails', { count: thread.mails }));
      if (thread !== null && thread.role !== 'inclusive') {
        words.push(text(`reviews.threads.roles.${thread.role}`, { position: item(thread.shownBy) }));
      }
      if (nearCopy !== null) {
        words.push(text('reviews.threads.near', { share: format.percent(nearCopy.likeness), position: item(nearCopy.pivot) }));
      }
      return words;
    },
  };
}

interface LineProps {
  readonly item: ReviewItem;
  /** Whether the thread is listed as a whole already. */
  readonly isWhole: boolean;
  readonly onThread: (first: number) => void;
}

/** Where the mail that is open stands in its thread, with a way to read the whole thread. */
export function ThreadLine({ item, isWhole, onThread }: LineProps): ReactElement | null {
  const text = useText();
  const words = useThreadWords().of(item);
  const { thread } = item;
  if (words.length === 0) return null;
  return (
    <Row>
      <Text size={200}>{words.join(' · ')}</Text>
      {!isWhole && thread !== null && thread.mails > 1 && (
        <Link as="button" onClick={() => onThread(thread.first)}>
          {text('reviews.threads.show')}
        </Link>
      )}
    </Row>
  );
}
