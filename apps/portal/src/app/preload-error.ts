const flag = 'holdfast.reloaded';

/**
 * A page's chunk that can't be loaded is most often one of an older version: the page is loaded anew,
 * once. A second failure is left to the fallback screen.
 */
export function watchPreloadErrors(target: EventTarget, storage: Storage, reload: () => void): void {
  target.addEventListener('vite:preloadError', (event) => {
    // Without a network there is nothing to load anew, and the portal would be gone with what it shows.
    if (!navigator.onLine || storage.getItem(flag) !== null) return;
    storage.setItem(flag, '1');
    event.preventDefault();
    reload();
  });
}

/** A chunk did load: the next failure is a new one. */
export function forgetReload(storage: Storage): void {
  storage.removeItem(flag);
}
