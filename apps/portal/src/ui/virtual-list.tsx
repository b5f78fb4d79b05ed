import { makeStyles, tokens } from '@fluentui/react-components';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import { narrowQuery } from './theme.ts';
import { useMedia } from './use-media.ts';

const usualHeight = 44;
const headHeight = 36;
const overscan = 12;
/** More rows are fetched while this many are still ahead. */
const ahead = 50;

const useStyles = makeStyles({
  frame: {
    overflowY: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    contain: 'strict',
  },
  space: { position: 'relative', width: '100%' },
  head: {
    position: 'sticky',
    top: 0,
    zIndex: 1,
    boxSizing: 'border-box',
    height: `${headHeight}px`,
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    paddingInline: tokens.spacingHorizontalM,
    backgroundColor: tokens.colorNeutralBackground1,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  row: {
    position: 'absolute',
    insetInline: 0,
    top: 0,
    boxSizing: 'border-box',
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    paddingInline: tokens.spacingHorizontalM,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
});

export interface VirtualListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** How many there are in all, loaded or not. */
  readonly total: number;
  readonly height: number;
  readonly rowKey: (row: Row) => string;
  /** The cells of a row; what in them can be focused takes the tab index, so that Tab passes one row and not all of them. */
  readonly render: (row: Row, tabIndex: 0 | -1) => ReactNode;
  /** Of a row with more than one line everywhere. */
  readonly rowHeight?: number;
  /** Of a row whose cells stand below each other where there is no room for them beside each other. */
  readonly narrowHeight?: number;
  /** The names of the columns, as cells of a row that stays in sight. */
  readonly head?: ReactNode;
  readonly onNearEnd: () => void;
  /** The arrows have led to a row. */
  readonly onMove?: (row: Row) => void;
  /** Enter on a row. */
  readonly onOpen: (row: Row) => void;
  /** Space on a row. */
  readonly onSelect: (row: Row) => void;
  /** The first row takes the focus when the list appears: the reader came from another list by keyboard. */
  readonly takesFocus?: boolean;
}

/**
 * A long list of which only what is in sight is in the document; it keeps its roles and counts. One row can be reached
 * by Tab; arrows, Home, End and the page keys move to others, also to those that are far out of sight.
 */
export function VirtualList<Row>(props: VirtualListProps<Row>): ReactElement {
  const { label, rows, total, height, rowKey, render, head, onNearEnd, takesFocus = false } = props;
  const headRows = head === undefined ? 0 : 1;
  const rowHeight = useRowHeight(props.rowHeight ?? usualHeight, props.narrowHeight);
  const styles = useStyles();
  const frame = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(0);
  const current = Math.min(chosen, rows.length - 1);
  const isWanted = useRef(takesFocus);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised over the virtualizer's functions
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan,
    scrollPaddingStart: headRows * headHeight,
    scrollMargin: headRows * headHeight,
    initialRect: { width: 640, height },
    // The row that Tab leads to stays in the document wherever the reader has scrolled.
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), current])].toSorted((one, other) => one - other),
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && rows.length < total && last >= rows.length - ahead) onNearEnd();
  }, [last, onNearEnd, rows.length, total]);
  useEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    frame.current?.querySelector<HTMLElement>(`[aria-rowindex="${current + 1 + headRows}"]`)?.focus({ preventScroll: true });
  });
  const handleKey = (event: KeyboardEvent): void => {
    const row = rows[current];
    const isOnRow = event.target instanceof Element && event.target.getAttribute('role') === 'row';
    const to = placeAfter(event.key, { current, last: rows.length - 1, page: Math.floor(height / rowHeight) - 1 });
    if (to !== null) {
      isWanted.current = true;
      setChosen(to);
      virtual.scrollToIndex(to);
      const moved = rows[to];
      if (moved !== undefined && to !== current) props.onMove?.(moved);
    } else if (row !== undefined && isOnRow && event.key === 'Enter') props.onOpen(row);
    else if (row !== undefined && isOnRow && event.key === ' ') props.onSelect(row);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={frame}
      className={styles.frame}
      style={{ height }}
      role="grid"
      tabIndex={-1}
      aria-label={label}
      aria-rowcount={total + headRows}
      onKeyDown={handleKey}
    >
      {head !== undefined && <Head cells={head} />}
      <div className={styles.space} style={{ height: virtual.getTotalSize() }} role="rowgroup">
        {items.map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <Line
              key={rowKey(row)}
              row={row}
              index={item.index}
              rowIndex={item.index + 1 + headRows}
              top={item.start - headRows * headHeight}
              height={rowHeight}
              tabIndex={item.index === current ? 0 : -1}
              render={render}
              onChoose={setChosen}
            />
          );
        })}
      </div>
    </div>
  );
}

interface LineProps<Row> extends Pick<VirtualListProps<Row>, 'render'> {
  readonly row: Row;
  readonly index: number;
  readonly rowIndex: number;
  readonly top: number;
  readonly height: number;
  readonly tabIndex: 0 | -1;
  readonly onChoose: (index: number) => void;
}

function LineOf<Row>({ row, index, rowIndex, top, height, tabIndex, render, onChoose }: LineProps<Row>): ReactElement {
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      tabIndex={tabIndex}
      className={useStyles().row}
      style={{ height, transform: `translateY(${top}px)` }}
      onFocus={() => onChoose(index)}
    >
      {render(row, tabIndex)}
    </div>
  );
}

/** While a reader scrolls, only the rows that come into sight are drawn, not again those that stay. */
const Line = memo(LineOf) as typeof LineOf;

function useRowHeight(height: number, narrowHeight: number | undefined): number {
  const isNarrow = useMedia(narrowQuery);
  return (isNarrow ? narrowHeight : undefined) ?? height;
}

function Head({ cells }: { readonly cells: ReactNode }): ReactElement {
  return (
    <div role="rowgroup" className={useStyles().head}>
      <div role="row" aria-rowindex={1} style={{ display: 'contents' }}>
        {cells}
      </div>
    </div>
  );
}

/** Where a key leads to from a row; null when it leads nowhere. */
function placeAfter(key: string, at: { readonly current: number; readonly last: number; readonly page: number }): number | null {
  const { current, last, page } = at;
  const places: Readonly<Record<string, number>> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    PageDown: current + page,
    PageUp: current - page,
    Home: 0,
    End: last,
  };
  const to = places[key];
  return to === undefined ? null : Math.max(0, Math.min(last, to));
}
