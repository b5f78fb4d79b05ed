import { useEffect, useRef } from 'react';

/** Ctrl+K opens "Go to"; F6 moves to the next region of the page, Shift+F6 to the one before. */
export function useShellKeys(onGoTo: () => void): void {
  const open = useRef(onGoTo);
  useEffect(() => {
    open.current = onGoTo;
  });
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        open.current();
      } else if (event.key === 'F6') {
        event.preventDefault();
        focusRegion(event.shiftKey ? -1 : 1);
      }
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
}

function focusRegion(step: number): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')];
  const current = regions.findIndex((region) => region.contains(document.activeElement));
  const next = regions[(current + step + regions.length) % regions.length];
  const target = next?.tabIndex === -1 && next.matches('main') ? next : next?.querySelector<HTMLElement>('a, button');
  target?.focus();
}
