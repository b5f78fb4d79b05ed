import type { MouseEvent } from 'react';

/** Where a menu was asked for, in the window. */
export interface MenuPoint {
  readonly clientX: number;
  readonly clientY: number;
}

/** Shows a menu of ours instead of the browser's: by the right mouse button, or by the menu key for what has the focus. */
export function onMenuAsked(show: ((at: MenuPoint) => void) | undefined) {
  if (show === undefined) return {};
  return {
    onContextMenu(event: MouseEvent): void {
      event.preventDefault();
      show(event);
    },
  };
}
