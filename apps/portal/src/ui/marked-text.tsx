import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactElement } from 'react';

const useStyles = makeStyles({
  mark: {
    backgroundColor: tokens.colorPaletteYellowBackground2,
    color: tokens.colorNeutralForeground1,
    forcedColorAdjust: 'auto',
  },
});

/** Places in a text, in order; none overlaps another. */
export type TextMarks = readonly { readonly from: number; readonly to: number }[];

/** A text with some of its words marked. */
export function MarkedText({ text, marks }: { readonly text: string; readonly marks: TextMarks }): ReactElement {
  const styles = useStyles();
  const plainFrom = (index: number): number => marks[index - 1]?.to ?? 0;
  return (
    <>
      {marks.map(({ from, to }, index) => (
        <span key={from}>
          {text.slice(plainFrom(index), from)}
          <mark className={styles.mark}>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(plainFrom(marks.length))}
    </>
  );
}
