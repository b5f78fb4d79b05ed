import { useCallback, useEffect, useRef } from 'react';

/**
 * Keeps the focus in a drawer when what had it is gone, as a form that gives way to its result. On the body it would be
 * outside: Escape would not reach the drawer, and it would be hidden from readers. What takes the focus by itself keeps it.
 */
export function useFocusInside(): (element: HTMLElement | null) => void {
  const surface = useRef<HTMLElement | null>(null);
  useEffect(() => {
    let had = false;
    let frame = 0;
    const handleFocus = ({ target }: FocusEvent): void => {
      had = target instanceof Node && surface.current?.contains(target) === true;
    };
    const changes = new MutationObserver(() => {
      if (!had || document.activeElement !== document.body) return;
      cancelAnimationFrame(frame);
      // After the effects of what came instead.
      frame = requestAnimationFrame(() => {
        if (document.activeElement === document.body) surface.current?.focus();
      });
    });
    document.addEventListener('focusin', handleFocus);
    changes.observe(document.body, { childList: true, subtree: true });
    return () => {
      cancelAnimationFrame(frame);
      changes.disconnect();
      document.removeEventListener('focusin', handleFocus);
    };
  }, []);
  return useCallback((element) => {
    surface.current = element;
  }, []);
}
