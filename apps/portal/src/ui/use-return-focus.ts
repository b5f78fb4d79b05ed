import { useEffect, useRef, useState } from 'react';

/** The element that opens something: of a menu, what opened the menu, for its items are about to go. */
function opener(): Element | null {
  const { activeElement } = document;
  const isInMenu = activeElement?.closest('[role="menu"]') != null;
  return isInMenu ? document.querySelector('[aria-haspopup="menu"][aria-expanded="true"]') : activeElement;
}

/**
 * Gives the focus back to what opened a dialog or drawer when that closes; when it is gone by then, to the dialog or
 * the page that it stood in. Without it the focus falls to the body, and a drawer below stays hidden from readers. A
 * drawer that takes the place of another has the focus by then and keeps it: outside of it, Escape would not reach it.
 */
export function useReturnFocus(): void {
  const [from] = useState(opener);
  const [around] = useState(() => from?.closest('[role="dialog"]') ?? document.querySelector('main'));
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
      // React may take effects down and up again at once: only what stays closed gives the focus back.
      queueMicrotask(() => {
        if (isOpen.current || document.activeElement?.closest('[role="dialog"], [role="alertdialog"]') != null) return;
        const known = [from, around, document.querySelector('main')];
        const target = known.find((one) => one?.isConnected === true && one !== document.body);
        if (target instanceof HTMLElement) target.focus();
      });
    };
  }, [around, from]);
}
