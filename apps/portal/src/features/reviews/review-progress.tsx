import { makeStyles, Text } from '@fluentui/react-components';
import type { ReviewSet } from '@holdfast/contract/review-values';
import type { ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';
import { Facts, Row, Stack } from '../../ui/layout.tsx';
import { Ring } from '../../ui/ring.tsx';
import { decisions, looks } from './review-status.tsx';
import { readOf, useReviewWords } from './review-words.ts';

const useStyles = makeStyles({
  words: { flex: '1 1 260px', minWidth: 0, maxWidth: '640px' },
  mark: { display: 'inline-block', width: '12px', height: '12px', marginInlineEnd: '8px', borderRadius: '2px' },
});

/** How far a set has been read, as a ring and in words, and what its sample says of the whole. */
export function ReviewProgress({ set }: { readonly set: ReviewSet }): ReactElement {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const words = useReviewWords();
  const { all, done } = readOf(set);
  const parts = decisions.map((status) => ({
    name: text(`reviews.statuses.${status}`),
    value: set.progress[status],
    colour: looks[status].colour,
  }));
  const estimated = words.estimated(set);
  return (
    <Row>
      <Ring parts={parts}>
        <Text size={600} weight="semibold">
          {format.percent(Math.floor((done / all) * 1_000) / 1_000)}
        </Text>
        <Text size={200}>{text('reviews.reviewed')}</Text>
      </Ring>
      <div className={styles.words}>
        <Stack>
          <Text role="status" weight="semibold">
            {done === all ? text('reviews.finished') : text('reviews.progress', { done: format.count(done), all: format.count(all) })}
          </Text>
          <Facts
            items={parts.map(
              ({ name, value, colour }) => [name, <Marked key={name} colour={colour} words={format.count(value)} />] as const,
            )}
          />
          <Text size={200}>{`${words.sample(set)} · ${set.query || '*'}`}</Text>
          {estimated !== null && <Text>{estimated}</Text>}
        </Stack>
      </div>
    </Row>
  );
}

/** A figure with the colour of its part of the ring. */
function Marked({ colour, words }: { readonly colour: string; readonly words: string }): ReactElement {
  return (
    <>
      <span className={useStyles().mark} style={{ backgroundColor: colour }} aria-hidden />
      {words}
    </>
  );
}
