import type { SearchHit } from '@holdfast/contract/search';
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Where letters are typed, or where a question waits for its answer. */
const elsewhere = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]';
const steps: ReadonlyMap<string, number> = new Map([
  ['j', 1],
  ['k', -1],
]);

/** `j` reads the next hit and `k` the one before it, wherever on the page the reader is. Answers the frame of the list. */
export function useHitKeys(
  rows: readonly SearchHit[],
  chosenId: string | null,
  onChoose: (hit: SearchHit) => void,
): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      const step = steps.get(event.key);
      const isTyping = event.target instanceof Element && event.target.closest(elsewhere) !== null;
      if (step === undefined || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const at = rows.findIndex(({ hitId }) => hitId === chosenId);
      const to = at < 0 ? 0 : at + step;
      const hit = rows[to];
      if (hit === undefined) return;
      event.preventDefault();
      onChoose(hit);
      frame.current?.querySelector<HTMLElement>(`[aria-rowindex="${to + 1}"]`)?.focus();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [rows, chosenId, onChoose]);
  return frame;
}
