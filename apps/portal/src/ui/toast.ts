import 'react-toastify/ReactToastify.css';
import { toastAutoCloseMs, toastDragPercent } from '@holdfast/contract/limits';
import { createElement } from 'react';
import type { ReactPortal } from 'react';
import { createPortal } from 'react-dom';
import { toast, ToastContainer } from 'react-toastify/unstyled';

/** Every toast of the portal; the only file that knows the library behind them. */
export type ToastKind = 'success' | 'info' | 'warning' | 'error';

export interface Toasts {
  show(kind: ToastKind, text: string, options?: { readonly once?: string }): void;
  /** Closes the ones on the screen and forgets the ones that wait. */
  dismissAll(): void;
  isShown(once: string): boolean;
}

/** Alt+T goes to the first toast. */
function isToastKey(event: KeyboardEvent): boolean {
  return event.altKey && event.code === 'KeyT';
}

export const toasts: Toasts = {
  show(kind, text, options) {
    const urgent = kind === 'warning' || kind === 'error';
    toast(text, {
      type: kind,
      role: urgent ? 'alert' : 'status',
      ...(options?.once === undefined ? {} : { toastId: options.once }),
    });
  },
  dismissAll() {
    toast.clearWaitingQueue();
    toast.dismiss();
  },
  isShown: (once) => toast.isActive(once),
};

export interface ToastRegionProps {
  readonly limit: number;
  readonly theme: 'light' | 'dark';
  readonly label: string;
  readonly closeLabel: string;
}

/** Where toasts appear: once, in the frame of the portal. */
export function ToastRegion({ limit, theme, label, closeLabel }: ToastRegionProps): ReactPortal {
  const container = createElement(ToastContainer, {
    position: 'top-right',
    autoClose: toastAutoCloseMs,
    pauseOnHover: true,
    pauseOnFocusLoss: true,
    draggable: true,
    draggablePercent: toastDragPercent,
    hotKeys: isToastKey,
    limit,
    theme,
    'aria-label': label,
    closeButton: ({ closeToast }) =>
      createElement('button', { type: 'button', className: 'Toastify__close-button', 'aria-label': closeLabel, onClick: closeToast }, '×'),
  });
  // An open dialog hides all around it from readers; what is said of its own action must not be among that. Only
  // what lies directly in the body can be spared.
  return createPortal(createElement('div', { 'data-tabster-never-hide': '' }, container), document.body);
}
