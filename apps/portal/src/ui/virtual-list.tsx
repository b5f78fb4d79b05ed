import { makeStyles, tokens } from '@fluentui/react-components';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';

const rowHeight = 44;
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
  },
});

export interface VirtualListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** How many there are in all, loaded or not. */
  readonly total: number;
  readonly height: number;
  readonly rowKey: (row: Row) => string;
  readonly render: (row: Row) => ReactNode;
  readonly onNearEnd: () => void;
}

/** A long list of which only what is in sight is in the document; it keeps its roles and counts. */
export function VirtualList<Row>({ label, rows, total, height, rowKey, render, onNearEnd }: VirtualListProps<Row>): ReactElement {
  const styles = useStyles();
  const frame = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised over the virtualizer's functions
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan,
    initialRect: { width: 640, height },
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && rows.length < total && last >= rows.length - ahead) onNearEnd();
  }, [last, onNearEnd, rows.length, total]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div ref={frame} className={styles.frame} style={{ height }} role="table" aria-label={label} aria-rowcount={total} tabIndex={0}>
      <div className={styles.space} style={{ height: virtual.getTotalSize() }} role="rowgroup">
        {items.map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <div
              key={rowKey(row)}
              role="row"
              aria-rowindex={item.index + 1}
              className={styles.row}
              style={{ height: rowHeight, transform: `translateY(${item.start}px)` }}
            >
              {render(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
