import '../ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createHashRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { z } from 'zod';
import { browserClock } from '../api/clock.ts';
import { createPortal } from '../api/portal.ts';
import { exclusiveOver } from '../api/renewal.ts';
import { readSettings } from '../api/settings.ts';
import { signOutReasons } from '../api/sign-in-state.ts';
import { broadcastOver } from '../api/tab-channel.ts';
import { Providers } from '../app/providers.tsx';
import { createLanguages } from '../i18n/languages.ts';
import { toasts } from '../ui/toast.ts';
import { KitPage } from './kit-page.tsx';
import { KitCentred } from './kit-centred.tsx';

/**
 * `/_kit`: every part of `ui/` on one page, for whoever changes one of them and for the tests that look at
 * all of them. It has an entry of its own, so that nothing of it is in what is delivered, and no server.
 */
const languages = await createLanguages({ storage: localStorage, page: document });
await languages.loadPages();
const router = createHashRouter([
  { path: '/', Component: KitPage },
  { path: '/centred', Component: KitCentred },
]);
const portal = createPortal({
  settings: readSettings(document),
  clock: browserClock,
  languages,
  toasts,
  jar: document,
  local: localStorage,
  session: sessionStorage,
  secure: false,
  fetch: () => Promise.reject(new TypeError('The kit has no server.')),
  exclusive: exclusiveOver(navigator.locks),
  channel: broadcastOver('holdfast-activity', z.number()),
  signOutChannel: broadcastOver('holdfast-sign-out', z.enum(signOutReasons)),
  goTo: (path) => void router.navigate(path),
  here: () => router.state.location.pathname,
  note: () => undefined,
});
const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no place for the kit.');
createRoot(root).render(
  <StrictMode>
    <Providers portal={portal}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
