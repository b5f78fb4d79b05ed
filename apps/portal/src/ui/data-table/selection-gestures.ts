import { useRef } from 'react';
import type { MouseEvent } from 'react';

export interface SelectionGesturesProps<Row> {
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly selected?: ReadonlySet<string> | undefined;
  readonly onSelect?: ((selected: ReadonlySet<string>) => void) | undefined;
}

export interface SelectionGestures {
  /** The box of a row was clicked: with Shift, every row from the last one on. */
  readonly onBox: (key: string, isRange: boolean) => void;
  /** What each row listens to. */
  readonly ofRow: (key: string) => {
    readonly onMouseDown: (event: MouseEvent) => void;
    readonly onMouseEnter: (event: MouseEvent) => void;
  };
  /** Whether a click chooses instead of opening. */
  readonly isMeant: (event: MouseEvent) => boolean;
  /** A click on a row that chooses it instead of opening it: with Ctrl it alone, with Shift the rows up to it. */
  readonly takesClick: (key: string, event: MouseEvent) => boolean;
}

/** Choosing rows as in OneDrive and Explorer: by click, with Shift and Ctrl, and by dragging over their boxes. */
export function useSelectionGestures<Row>({ rows, rowKey, selected, onSelect }: SelectionGesturesProps<Row>): SelectionGestures {
  const anchor = useRef<string | null>(null);
  const drag = useRef<{ readonly from: string; readonly before: ReadonlySet<string> } | null>(null);

  function between(from: string | null, to: string): readonly string[] {
    const keys = rows.map(rowKey);
    const [start, end] = [keys.indexOf(from ?? to), keys.indexOf(to)];
    return start === -1 ? [to] : keys.slice(Math.min(start, end), Math.max(start, end) + 1);
  }
  function toggle(key: string): void {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    anchor.current = key;
    onSelect?.(next);
  }
  const onBox = (key: string, isRange: boolean): void => {
    if (isRange) onSelect?.(new Set([...(selected ?? []), ...between(anchor.current, key)]));
    else toggle(key);
  };
  const isMeant = ({ shiftKey, ctrlKey, metaKey }: MouseEvent): boolean => selected !== undefined && (shiftKey || ctrlKey || metaKey);
  return {
    onBox,
    isMeant,
    ofRow: (key) => ({
      onMouseDown: (event) => {
        // The browser would mark the text between the two clicks.
        if (event.shiftKey) event.preventDefault();
        const isBox = (event.target as Element).closest('[data-selects]') !== null;
        if (!isBox || event.button !== 0) return;
        drag.current = { from: key, before: selected ?? new Set() };
        // Wherever the button is let go, the dragging has ended.
        globalThis.addEventListener('mouseup', () => (drag.current = null), { once: true });
      },
      onMouseEnter: (event) => {
        if (drag.current === null || event.buttons !== 1) return;
        onSelect?.(new Set([...drag.current.before, ...between(drag.current.from, key)]));
      },
    }),
    takesClick(key, event) {
      if (!isMeant(event)) return false;
      onBox(key, event.shiftKey);
      return true;
    },
  };
}
