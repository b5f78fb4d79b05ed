import type { SearchHit } from '@holdfast/contract/search';
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

interface HitKeys {
  readonly chosenId: string | null;
  readonly onChoose: (hit: SearchHit) => void;
  /** Absent where hits are only read. */
  readonly onTick: ((hitId: string) => void) | undefined;
}

/** `j` reads the next hit, `k` the one before it and `x` ticks the one being read, wherever on the page the reader is. Answers the frame of the list. */
export function useHitKeys(rows: readonly SearchHit[], { chosenId, onChoose, onTick }: HitKeys): RefObject<HTMLDivElement | null> {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      const step = steps.get(event.key);
      if (isForOthers(event)) return;
      if (event.key === 'x' && chosenId !== null) onTick?.(chosenId);
      if (step === undefined) return;
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
  }, [rows, chosenId, onChoose, onTick]);
  return frame;
}
