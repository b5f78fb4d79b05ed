import '../ui/base.css';
import { createHashRouter } from 'react-router';
import { createBrowserPortal, showPortal } from '../app/browser-portal.tsx';
import { createLanguages } from '../i18n/languages.ts';
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
const portal = createBrowserPortal({
  languages,
  secure: false,
  fetch: () => Promise.reject(new TypeError('The kit has no server.')),
  sendForm: () => Promise.reject(new TypeError('The kit has no server.')),
  goTo: (path) => void router.navigate(path),
  here: () => router.state.location.pathname,
  note: () => undefined,
});
showPortal(portal, router);
