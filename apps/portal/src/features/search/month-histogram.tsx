import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { periodTerm } from '@holdfast/contract/query/facet-term';
import type { Query } from '@holdfast/contract/query/tree';
import type { SearchFacets } from '@holdfast/contract/search';
import { useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { useFormat, useText } from '../../i18n/use-text.ts';

type Bar = SearchFacets['facets']['month']['values'][number];

/** With more months than this, bars are years. */
const mostMonths = 48;

/** A bar and the gap beside it, in px. */
const widestBar = 34;

const useStyles = makeStyles({
  // The ends stand below their bars, however few these are.
  frame: { minWidth: 'min(240px, 100%)' },
  bars: { display: 'flex', alignItems: 'flex-end', gap: '2px', height: '72px', touchAction: 'none', userSelect: 'none' },
  bar: {
    flex: '1 1 0',
    minWidth: '4px',
    minHeight: '4px',
    padding: 0,
    border: 'none',
    cursor: 'pointer',
    backgroundColor: tokens.colorBrandBackground2Pressed,
    ':hover': { backgroundColor: tokens.colorBrandBackgroundHover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  inside: { backgroundColor: tokens.colorBrandBackground },
  ends: { display: 'flex', justifyContent: 'space-between' },
});

/** The months, or their years where there are too many to be told apart. */
function barsOf(months: readonly Bar[]): readonly Bar[] {
  if (months.length <= mostMonths) return months;
  const hits = new Map<string, number>();
  for (const month of months) {
    const value = month.value.slice(0, 4);
    hits.set(value, (hits.get(value) ?? 0) + month.hits);
  }
  const values = [...hits.keys()].toSorted();
  return values.map((value) => ({ value, label: value, hits: hits.get(value) ?? 0 }));
}

interface MonthHistogramProps {
  readonly months: readonly Bar[];
  readonly onNarrow: (term: Query) => void;
}

/** Hits by month, or by year: a click narrows the search to one, dragging (or Shift and the arrows, then Enter) to several. */
export function MonthHistogram({ months, onNarrow }: MonthHistogramProps): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const styles = useStyles();
  const [span, setSpan] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const bars = barsOf(months);
  if (bars.length < 2) return null;
  const most = Math.max(...bars.map(({ hits }) => hits));
  const narrow = (from: number, to: number): void => {
    setSpan(null);
    onNarrow(periodTerm(bars[from]?.value ?? '', bars[to]?.value ?? ''));
  };
  const isInside = (at: number): boolean => span !== null && at >= Math.min(span.from, span.to) && at <= Math.max(span.from, span.to);
  const handleKey = (event: KeyboardEvent<HTMLButtonElement>, at: number): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const to = at + step;
    if (step === 0 || to < 0 || to >= bars.length) return;
    event.preventDefault();
    setSpan(event.shiftKey ? { from: span?.from ?? at, to } : null);
    (event.currentTarget.parentElement?.children[to] as HTMLElement | undefined)?.focus();
  };
  return (
    <div className={styles.frame} style={{ maxWidth: `${bars.length * widestBar}px` }}>
      <div role="group" aria-label={text('search.facets.month')} className={styles.bars}>
        {bars.map(({ value, hits }, at) => (
          <button
            key={value}
            type="button"
            className={mergeClasses(styles.bar, isInside(at) && styles.inside)}
            style={{ height: `${(hits / most) * 100}%` }}
            aria-label={text('search.facets.monthHits', { month: value, count: hits })}
            title={text('search.facets.monthHits', { month: value, count: hits })}
            onPointerDown={() => setSpan({ from: at, to: at })}
            // A drag that ended outside leaves a span behind, which the next pointer without a button drops.
            onPointerEnter={({ buttons }) => setSpan(span === null || buttons === 0 ? null : { ...span, to: at })}
            onClick={() => narrow(span?.from ?? at, at)}
            onPointerUp={() => span !== null && span.from !== at && narrow(span.from, at)}
            onKeyDown={(event) => handleKey(event, at)}
          />
        ))}
      </div>
      <div className={styles.ends} aria-hidden>
        <Text size={200}>{bars[0]?.value}</Text>
        <Text size={200}>{format.count(most)}</Text>
        <Text size={200}>{bars.at(-1)?.value}</Text>
      </div>
    </div>
  );
}
