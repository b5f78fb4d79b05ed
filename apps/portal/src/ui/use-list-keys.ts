import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Where letters are typed, or where a question waits for its answer. */
const elsewhere = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]';
const steps: ReadonlyMap<string, number> = new Map([
  ['j', 1],
  ['k', -1],
]);

function isForOthers({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const isTyping = target instanceof Element && target.closest(elsewhere) !== null;
  return isTyping || ctrlKey || metaKey || altKey;
}

interface ListKeys<Row> {
  readonly keyOf: (row: Row) => string;
  /** The key of the row that is being read. */
  readonly chosen: string | null;
  readonly onChoose: (row: Row) => void;
  /** What other keys do with the row that is being read; true leads to the next one. */
  readonly others?: ReadonlyMap<string, (key: string) => boolean>;
}

/** `j` reads the next row of a list and `k` the one before it, wherever on the page the reader is. Answers the frame of the list. */
export function useListKeys<Row>(
  rows: readonly Row[],
  { keyOf, chosen, onChoose, others }: ListKeys<Row>,
): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if (isForOthers(event)) return;
      const isDone = chosen !== null && others?.get(event.key)?.(chosen) === true;
      const step = isDone ? 1 : steps.get(event.key);
      if (step === undefined) return;
      const at = rows.findIndex((row) => keyOf(row) === chosen);
      const to = at < 0 ? 0 : at + step;
      const row = rows[to];
      if (row === undefined) return;
      event.preventDefault();
      onChoose(row);
      frame.current?.querySelector<HTMLElement>(`[aria-rowindex="${to + 1}"]`)?.focus();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [rows, keyOf, chosen, onChoose, others]);
  return frame;
}
