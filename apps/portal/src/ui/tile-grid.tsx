import { makeStyles, tokens } from '@fluentui/react-components';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import { onMenuAsked } from './menu-point.ts';
import type { MenuPoint } from './menu-point.ts';
import { useWidth } from './use-width.ts';

const leastWidth = 152;
const gap = 12;
const overscan = 3;
/** More tiles are fetched while this many are still ahead. */
const ahead = 50;

const useStyles = makeStyles({
  frame: { overflowY: 'auto', padding: `0 ${tokens.spacingHorizontalXXS}`, contain: 'strict' },
  space: { position: 'relative', width: '100%' },
  row: { position: 'absolute', insetInline: 0, top: 0, display: 'grid', columnGap: `${gap}px` },
  cell: {
    minWidth: 0,
    borderRadius: tokens.borderRadiusXLarge,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
});

export interface TileGridProps<Tile> {
  readonly label: string;
  readonly tiles: readonly Tile[];
  /** How many there are in all, loaded or not. */
  readonly total: number;
  readonly height: number;
  readonly tileHeight: number;
  readonly tileKey: (tile: Tile) => string;
  /** What a tile shows; what in it can be focused takes the tab index, so that Tab passes one tile and not all of them. */
  readonly render: (tile: Tile, tabIndex: 0 | -1) => ReactNode;
  readonly onNearEnd: () => void;
  /** The arrows have led to a tile. */
  readonly onMove?: (tile: Tile) => void;
  /** Enter on a tile. */
  readonly onOpen: (tile: Tile) => void;
  /** Space on a tile. */
  readonly onSelect: (tile: Tile) => void;
  /** The right mouse button or the menu key was pressed on a tile. */
  readonly onMenu?: ((tile: Tile, at: MenuPoint) => void) | undefined;
  /** The tiles that are drawn, whenever others come into sight. */
  readonly onShown?: (tiles: readonly Tile[]) => void;
  /** The first tile takes the focus when the grid appears: the reader came from another list by keyboard. */
  readonly takesFocus?: boolean;
}

/**
 * Tiles beside and below each other, of which only those in sight are in the document. One can be reached by Tab; the
 * arrows, Home, End and the page keys lead to the others.
 */
export function TileGrid<Tile>(props: TileGridProps<Tile>): ReactElement {
  const { label, tiles, total, height, tileHeight, takesFocus = false } = props;
  const styles = useStyles();
  const frame = useRef<HTMLDivElement>(null);
  const columns = columnsIn(useWidth(frame));
  const [chosen, setChosen] = useState(0);
  const current = Math.min(chosen, tiles.length - 1);
  const isWanted = useRef(takesFocus);
  const lineHeight = tileHeight + gap;
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised over the virtualizer's functions
  const virtual = useVirtualizer({
    count: Math.ceil(tiles.length / columns),
    getScrollElement: () => frame.current,
    estimateSize: () => lineHeight,
    overscan,
    initialRect: { width: 640, height },
  });
  const lines = virtual.getVirtualItems().map(({ index, start }) => ({ index, start, first: index * columns }));
  useSight(props, lines[0]?.first ?? 0, (lines.at(-1)?.first ?? 0) + columns);
  useEffect(() => {
    if (!isWanted.current) return;
    isWanted.current = false;
    frame.current?.querySelector<HTMLElement>(`[data-tile="${current}"]`)?.focus({ preventScroll: true });
  });
  const handleKey = (event: KeyboardEvent): void => {
    const tile = tiles[current];
    const isOnTile = event.target instanceof Element && event.target.getAttribute('role') === 'gridcell';
    const next = placeAfter(event.key, { current, last: tiles.length - 1, columns, page: Math.floor(height / lineHeight) * columns });
    if (next !== null) {
      isWanted.current = true;
      setChosen(next);
      virtual.scrollToIndex(Math.floor(next / columns));
      const moved = tiles[next];
      if (moved !== undefined && next !== current) props.onMove?.(moved);
    } else if (tile !== undefined && isOnTile && event.key === 'Enter') props.onOpen(tile);
    else if (tile !== undefined && isOnTile && event.key === ' ') props.onSelect(tile);
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
      aria-rowcount={Math.ceil(total / columns)}
      aria-colcount={columns}
      onKeyDown={handleKey}
    >
      <div className={styles.space} style={{ height: virtual.getTotalSize() }} role="rowgroup">
        {lines.map(({ index, start, first }) => (
          <div
            key={index}
            role="row"
            aria-rowindex={index + 1}
            className={styles.row}
            style={{ height: tileHeight, transform: `translateY(${start}px)`, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
          >
            <Cells {...props} first={first} columns={columns} current={current} onChoose={setChosen} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Asks for more before the reader gets to the end, and tells what is drawn. */
function useSight<Tile>({ tiles, total, onNearEnd, onShown }: TileGridProps<Tile>, from: number, to: number): void {
  useEffect(() => {
    if (tiles.length > 0 && tiles.length < total && to >= tiles.length - ahead) onNearEnd();
  }, [to, onNearEnd, tiles.length, total]);
  useEffect(() => onShown?.(tiles.slice(from, to)), [onShown, tiles, from, to]);
}

interface CellsProps<Tile> extends Pick<TileGridProps<Tile>, 'tiles' | 'tileKey' | 'render' | 'onMenu'> {
  readonly first: number;
  readonly columns: number;
  readonly current: number;
  readonly onChoose: (index: number) => void;
}

/** The tiles of one row. */
function Cells<Tile>({ tiles, tileKey, render, onMenu, first, columns, current, onChoose }: CellsProps<Tile>): ReactElement[] {
  return tiles
    .slice(first, first + columns)
    .map((tile, place) => (
      <Cell
        key={tileKey(tile)}
        tile={tile}
        index={first + place}
        column={place + 1}
        tabIndex={first + place === current ? 0 : -1}
        render={render}
        onMenu={onMenu}
        onChoose={onChoose}
      />
    ));
}

interface CellProps<Tile> extends Pick<TileGridProps<Tile>, 'render' | 'onMenu'> {
  readonly tile: Tile;
  readonly index: number;
  readonly column: number;
  readonly tabIndex: 0 | -1;
  readonly onChoose: (index: number) => void;
}

function CellOf<Tile>({ tile, index, column, tabIndex, render, onMenu, onChoose }: CellProps<Tile>): ReactElement {
  return (
    <div
      role="gridcell"
      aria-colindex={column}
      data-tile={index}
      tabIndex={tabIndex}
      className={useStyles().cell}
      onFocus={() => onChoose(index)}
      {...onMenuAsked(onMenu && ((at) => onMenu(tile, at)))}
    >
      {render(tile, tabIndex)}
    </div>
  );
}

/** While a reader scrolls, only the tiles that come into sight are drawn, not again those that stay. */
const Cell = memo(CellOf) as typeof CellOf;

/** As many as have room; one before the room was measured would be drawn by the hundred. */
function columnsIn(width: number): number {
  return width === 0 ? 4 : Math.max(2, Math.floor((width + gap) / (leastWidth + gap)));
}

interface Place {
  readonly current: number;
  readonly last: number;
  readonly columns: number;
  readonly page: number;
}

/** Where a key leads to from a tile; null when it leads nowhere. */
function placeAfter(key: string, { current, last, columns, page }: Place): number | null {
  const places: Readonly<Record<string, number>> = {
    ArrowRight: current + 1,
    ArrowLeft: current - 1,
    ArrowDown: current + columns > last ? current : current + columns,
    ArrowUp: current - columns < 0 ? current : current - columns,
    PageDown: current + page,
    PageUp: current - page,
    Home: 0,
    End: last,
  };
  const to = places[key];
  return to === undefined ? null : Math.max(0, Math.min(last, to));
}
