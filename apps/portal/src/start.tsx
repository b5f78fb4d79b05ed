import { sendForm } from './api/send-form.ts';
import { askEarly } from './app/ask-early.ts';
import { createBrowserPortal, showPortal } from './app/browser-portal.tsx';
import { watchPreloadErrors } from './app/preload-error.ts';
import { createRouter } from './app/router.tsx';
import { createLanguages } from './i18n/languages.ts';

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
  const portal = createBrowserPortal({
    languages,
    secure: globalThis.location.protocol === 'https:',
    fetch: globalThis.fetch.bind(globalThis),
    sendForm,
    goTo: (path) => void router.navigate(path),
    here: () => globalThis.location.pathname + globalThis.location.search,
    note: (message, error) => console.error(message, error),
  });

  if (portal.signIn.state.get().isAuthenticated) {
    // Only a head start: without it the page asks by itself.
    void askEarly(portal, globalThis.location.pathname);
  }
  showPortal(portal, router);
}
