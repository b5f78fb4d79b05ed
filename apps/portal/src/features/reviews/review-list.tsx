import { Link, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import type { ReviewTag } from '@holdfast/contract/review-marks';
import type { ReviewItem } from '@holdfast/contract/review-values';
import type { ReactElement, RefObject } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import type { Tagging } from './item-tags.tsx';
import { useThreadWords } from './review-threads.tsx';
import { ReviewStatusBadge } from './review-status.tsx';

const useStyles = makeStyles({
  row: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM, width: '100%', height: '100%' },
  words: { flex: '1 1 auto', minWidth: 0 },
  line: { display: 'block', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', maxWidth: '100%' },
  below: { color: tokens.colorNeutralForeground2 },
  chosen: { fontWeight: tokens.fontWeightSemibold },
});
const listHeight = 560;
const rowHeight = 92;

/** The name of an item in lists and above its content; what cannot be read has its number alone. */
export function useItemWords() {
  const text = useText();
  const format = useFormat();
  const threads = useThreadWords();
  return {
    title: ({ hit, position }: ReviewItem): string =>
      hit === null ? text('reviews.number', { position: format.count(position) }) : hit.title.trim() || text('search.untitled'),
    where({ hit, place }: ReviewItem): string {
      if (place !== 'kept' || hit === null) return text(`reviews.${place === 'kept' ? 'gone' : place}`);
      const { sender, at, resource } = hit;
      return [sender, resource.name || resource.address, format.date(at)].filter((word) => word !== '').join(' · ');
    },
    /** What there is to know of it beside where it is: copies, its thread and notes. */
    marks(item: ReviewItem): readonly string[] {
      const { copies } = item;
      const words: string[] = [];
      if (copies > 1) words.push(text('reviews.copies', { count: copies - 1 }));
      words.push(...threads.of(item));
      if (item.notes > 0) words.push(text('reviews.notes.count', { count: item.notes }));
      return words;
    },
  };
}

interface ListProps {
  readonly rows: readonly ReviewItem[];
  readonly total: number;
  readonly chosen: number | null;
  /** The tags of the case, and which of them an item has. */
  readonly tags: readonly ReviewTag[];
  readonly tagging: Tagging;
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly onChoose: (item: ReviewItem) => void;
  readonly onNearEnd: () => void;
}

/** The contents of a set with their decisions. */
export function ReviewList({ rows, total, chosen, tags, tagging, frame, onChoose, onNearEnd }: ListProps): ReactElement {
  const text = useText();
  const styles = useStyles();
  const words = useItemWords();
  const tagsOf = (row: ReviewItem): string[] => tags.filter(({ tagId }) => tagging.of(row).includes(tagId)).map(({ name }) => name);
  return (
    <div ref={frame}>
      <VirtualList
        label={text('reviews.list')}
        rows={rows}
        total={total}
        height={listHeight}
        rowHeight={rowHeight}
        rowKey={(row) => String(row.position)}
        onOpen={onChoose}
        onSelect={onChoose}
        onNearEnd={onNearEnd}
        render={(row, tabIndex) => (
          <span role="gridcell" className={styles.row} aria-selected={row.position === chosen}>
            <span className={styles.words}>
              <Link
                as="button"
                tabIndex={tabIndex}
                className={mergeClasses(styles.line, row.position === chosen && styles.chosen)}
                onClick={() => onChoose(row)}
              >
                {words.title(row)}
              </Link>
              <Text size={200} className={mergeClasses(styles.line, styles.below)}>
                {words.where(row)}
              </Text>
              <Text size={200} className={mergeClasses(styles.line, styles.below)}>
                {[...words.marks(row), ...tagsOf(row)].join(' · ')}
              </Text>
            </span>
            <ReviewStatusBadge status={row.status} />
          </span>
        )}
      />
    </div>
  );
}
