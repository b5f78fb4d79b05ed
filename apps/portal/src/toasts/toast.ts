import 'react-toastify/ReactToastify.css';
import { useThemeClassName } from '@fluentui/react-components';
import { toastAutoCloseMs, toastDragPercent } from '@holdfast/contract/limits';
import { createElement, useEffect, useState } from 'react';
import type { ReactPortal } from 'react';
import { createPortal } from 'react-dom';
import type * as toastify from 'react-toastify/unstyled';

/** Every toast of the portal; the only file that knows the library behind them. */
export type ToastKind = 'success' | 'info' | 'warning' | 'error';

export interface Toasts {
  show(kind: ToastKind, text: string, options?: { readonly once?: string }): void;
  /** Closes the ones on the screen and forgets the ones that wait. */
  dismissAll(): void;
  isShown(once: string): boolean;
}

type Library = typeof toastify;
const library: { asked?: Promise<Library>; loaded?: Library } = {};

/** The library comes once, right after the first page has been drawn: that page need not wait for it. */
function load(): Promise<Library> {
  library.asked ??= import('react-toastify/unstyled').then((loaded) => (library.loaded = loaded));
  return library.asked;
}

function dismissIn({ toast }: Library): void {
  toast.clearWaitingQueue();
  toast.dismiss();
}

/** Alt+T goes to the first toast. */
function isToastKey(event: KeyboardEvent): boolean {
  return event.altKey && event.code === 'KeyT';
}

export const toasts: Toasts = {
  show(kind, text, options) {
    const urgent = kind === 'warning' || kind === 'error';
    void load().then(({ toast }) =>
      toast(text, {
        type: kind,
        role: urgent ? 'alert' : 'status',
        ...(options?.once === undefined ? {} : { toastId: options.once }),
      }),
    );
  },
  dismissAll() {
    // In the order of the calls: what is shown after this stays.
    void library.asked?.then(dismissIn);
  },
  isShown: (once) => library.loaded?.toast.isActive(once) === true,
};

export interface ToastRegionProps {
  readonly limit: number;
  readonly theme: 'light' | 'dark';
  readonly label: string;
  readonly closeLabel: string;
}

/** Where toasts appear: once, in the frame of the portal. */
export function ToastRegion({ limit, theme, label, closeLabel }: ToastRegionProps): ReactPortal | null {
  const [loaded, setLoaded] = useState(library.loaded);
  // The colours of the theme are set below the element of the provider, and the body lies above it.
  const themed = useThemeClassName();
  useEffect(() => {
    void load().then(setLoaded);
  }, []);
  if (loaded === undefined) return null;
  const container = createElement(loaded.ToastContainer, {
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
  return createPortal(createElement('div', { className: themed, 'data-tabster-never-hide': '' }, container), document.body);
}
