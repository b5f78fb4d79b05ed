import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { z } from 'zod';
import { browserClock } from './api/clock.ts';
import { createPortal } from './api/portal.ts';
import { exclusiveOver } from './api/renewal.ts';
import { readSettings } from './api/settings.ts';
import { signOutReasons } from './api/sign-in-state.ts';
import { broadcastOver } from './api/tab-channel.ts';
import { askEarly } from './app/ask-early.ts';
import { watchPreloadErrors } from './app/preload-error.ts';
import { Providers } from './app/providers.tsx';
import { createRouter } from './app/router.tsx';
import { createLanguages } from './i18n/languages.ts';
import { toasts } from './ui/toast.ts';

/** Puts the portal together over the browser's own parts and shows it. */
export async function start(): Promise<void> {
  const parts: { router?: ReturnType<typeof createRouter> } = {};
  watchPreloadErrors(globalThis.window, sessionStorage, () => {
    // A page that did not load never became the address: it is where the reader wanted to go.
    const wanted = parts.router?.state.navigation.location;
    if (wanted) globalThis.location.assign(`${wanted.pathname}${wanted.search}${wanted.hash}`);
    else globalThis.location.reload();
  });

  const languages = await createLanguages({ storage: localStorage, page: document });
  const router = createRouter(languages);
  parts.router = router;
  const portal = createPortal({
    settings: readSettings(document),
    clock: browserClock,
    languages,
    toasts,
    jar: document,
    local: localStorage,
    session: sessionStorage,
    secure: globalThis.location.protocol === 'https:',
    fetch: globalThis.fetch.bind(globalThis),
    exclusive: exclusiveOver(navigator.locks),
    channel: broadcastOver('holdfast-activity', z.number()),
    signOutChannel: broadcastOver('holdfast-sign-out', z.enum(signOutReasons)),
    goTo: (path) => void router.navigate(path),
    here: () => globalThis.location.pathname + globalThis.location.search,
    note: (message, error) => console.error(message, error),
  });

  if (portal.signIn.state.get().isAuthenticated) {
    // Only a head start: without it the page asks by itself.
    void askEarly(portal, globalThis.location.pathname);
  }

  const root = document.querySelector('#root');
  if (root === null) throw new Error('The page has no place for the portal.');
  createRoot(root).render(
    <StrictMode>
      <Providers portal={portal}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  );
}
