import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactElement, ReactNode } from 'react';
import { narrowScreen } from './theme.ts';

const useStyles = makeStyles({
  row: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  spread: { justifyContent: 'space-between' },
  // Fields end with the space for a fault (`FieldFrame`).
  besideFields: { alignSelf: 'end', marginBottom: tokens.spacingVerticalSNudge },
  stack: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, minWidth: 0 },
  loose: { gap: tokens.spacingVerticalXL },
  cards: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(224px, 100%), 1fr))',
    gap: tokens.spacingHorizontalL,
  },
  tightCards: { gridTemplateColumns: 'repeat(auto-fit, minmax(min(120px, 100%), 1fr))' },
  // Below the width of four (944) a card takes nearly half of the room: three and one below them would look forgotten.
  fourCards: { gridTemplateColumns: 'repeat(auto-fit, minmax(min(max(224px, min(45%, (943px - 100%) * 1000)), 100%), 1fr))' },
  roomyCards: { gridTemplateColumns: 'repeat(auto-fit, minmax(min(288px, 100%), 1fr))' },
  split: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)',
    gap: tokens.spacingHorizontalL,
    alignItems: 'start',
    [narrowScreen]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  even: { alignItems: 'stretch' },
  facts: {
    display: 'grid',
    gridTemplateColumns: 'fit-content(56%) minmax(0, 1fr)',
    columnGap: tokens.spacingHorizontalXL,
    rowGap: tokens.spacingVerticalS,
    margin: 0,
    [narrowScreen]: { gridTemplateColumns: 'minmax(0, 1fr)', rowGap: tokens.spacingVerticalXXS },
  },
  stacked: { gridTemplateColumns: 'minmax(0, 1fr)', rowGap: tokens.spacingVerticalXXS },
  stackedValue: { marginBottom: tokens.spacingVerticalS },
  term: { color: tokens.colorNeutralForeground2, overflowWrap: 'anywhere', hyphens: 'auto' },
  value: { margin: 0, overflowWrap: 'anywhere', [narrowScreen]: { marginBottom: tokens.spacingVerticalS } },
});

interface Children {
  readonly children: ReactNode;
}

/** Things beside each other, wrapping where there is no room. */
export function Row({ children, spread = false }: Children & { readonly spread?: boolean }): ReactElement {
  const styles = useStyles();
  return <div className={mergeClasses(styles.row, spread && styles.spread)}>{children}</div>;
}

/** A button or the like beside fields, aligned with their controls. */
export function BesideFields({ children }: Children): ReactElement {
  const styles = useStyles();
  return <div className={styles.besideFields}>{children}</div>;
}

/** Things below each other. */
export function Stack({ children, loose = false }: Children & { readonly loose?: boolean }): ReactElement {
  const styles = useStyles();
  return <div className={mergeClasses(styles.stack, loose && styles.loose)}>{children}</div>;
}

/** Cards in as many columns as fit; roomy ones hold whole sentences, tight ones a number. Four stand in one row, or two and two. */
export function CardGrid({ children, size }: Children & { readonly size?: 'roomy' | 'tight' | 'four' }): ReactElement {
  const styles = useStyles();
  return (
    <div
      className={mergeClasses(
        styles.cards,
        size === 'roomy' && styles.roomyCards,
        size === 'tight' && styles.tightCards,
        size === 'four' && styles.fourCards,
      )}
    >
      {children}
    </div>
  );
}

/** Two columns on wide screens; even ones are of the same height. */
export function Split({ children, even = false }: Children & { readonly even?: boolean }): ReactElement {
  const styles = useStyles();
  return <div className={mergeClasses(styles.split, even && styles.even)}>{children}</div>;
}

export interface FactsProps {
  readonly items: readonly (readonly [string, ReactNode])[];
  /** Each value below its name: for cards that are too narrow for both beside each other. */
  readonly stacked?: boolean;
}

/** Names and values of one thing; values that are absent are left out by the caller. */
export function Facts({ items, stacked = false }: FactsProps): ReactElement {
  const styles = useStyles();
  return (
    <dl className={mergeClasses(styles.facts, stacked && styles.stacked)}>
      {items.map(([term, value], position) => (
        // Two may have the same name: the place tells them apart.
        <FactPair key={`${position} ${term}`} term={term} value={value} stacked={stacked} />
      ))}
    </dl>
  );
}

interface FactPairProps {
  readonly term: string;
  readonly value: ReactNode;
  readonly stacked: boolean;
}

function FactPair({ term, value, stacked }: FactPairProps): ReactElement {
  const styles = useStyles();
  return (
    <>
      <dt className={styles.term}>{term}</dt>
      <dd className={mergeClasses(styles.value, stacked && styles.stackedValue)}>{value}</dd>
    </>
  );
}
