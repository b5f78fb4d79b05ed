import { act, cleanup, configure, render } from '@testing-library/react';
import type { RenderResult } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { UserEvent } from '@testing-library/user-event';
import { accounts } from '@holdfast/contract/identity';
import type { ResponseOf } from '@holdfast/contract/route';
import { passkeys } from '@holdfast/contract/passkeys';
import { tenants } from '@holdfast/contract/tenants';
import axe from 'axe-core';
import { StrictMode } from 'react';
import type { ReactElement } from 'react';
import { createMemoryRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { onTestFinished } from 'vitest';
import { createPortal } from '../api/portal.ts';
import type { Portal } from '../api/portal.ts';
import type { SignOutReason } from '../api/sign-in-state.ts';
import { Providers } from '../app/providers.tsx';
import { createLanguages } from '../i18n/languages.ts';
import { toasts } from '../toasts/toast.ts';
import { createFakeApi } from './fake-api.ts';
import type { FakeApi } from './fake-api.ts';
import { createFakeClock } from './fake-clock.ts';
import { aChoice, aTenant, now, sampleIds } from './samples.ts';

// A machine that does other things as well must not fail a test: what is awaited comes, or never does.
configure({ asyncUtilTimeout: 10_000 });

/** The page would otherwise go on drawing below that of the next test, or when its window is gone. */
async function leave(): Promise<void> {
  cleanup();
  await act(async () => undefined);
}

export interface RenderOptions {
  /** The address the page is opened at, and the pattern it is routed by. */
  readonly path?: string;
  readonly pattern?: string;
  readonly language?: 'en' | 'de';
  /** Signed in as an owner of Contoso with a worker chosen, unless one of these is false. */
  readonly signedIn?: boolean;
  readonly workerChosen?: boolean;
  readonly role?: 'owner' | 'administrator' | 'operator' | 'auditor' | 'reader';
  readonly api?: FakeApi;
  /** Browsers allow passkeys at the public address. */
  readonly passkeys?: boolean;
}

export interface RenderedPage extends RenderResult {
  readonly user: UserEvent;
  readonly portal: Portal;
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly address: () => string;
  /** The browser's own way back. */
  readonly back: () => Promise<void>;
  /** What other tabs of the browser were told. */
  readonly signOutsTold: readonly SignOutReason[];
  /** Fails with the findings of axe, if there are any. */
  readonly checkAccessibility: () => Promise<void>;
}

/** jsdom has neither of these; pages only ask what they say. */
function completeTheBrowser(): void {
  globalThis.matchMedia = (query: string) =>
    ({
      matches: query.includes('min-width'),
      media: query,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }) as unknown as MediaQueryList;
  globalThis.ResizeObserver = class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
  Element.prototype.scrollIntoView = () => undefined;
  // Lists that hold only what is in sight ask how much that is.
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 480 });
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => 640 });
  // The focus goes to the first element in a dialog that is laid out. Without one the dialog is taken for a closed one
  // a quarter of a second later, and hidden from readers.
  document.body.getBoundingClientRect = () => new DOMRect(0, 0, 1280, 800);
  Object.defineProperty(HTMLElement.prototype, 'offsetParent', {
    configurable: true,
    get(this: HTMLElement) {
      return getComputedStyle(this).display === 'none' ? null : this.parentElement;
    },
  });
}

function seedStorage(options: RenderOptions): void {
  localStorage.clear();
  sessionStorage.clear();
  localStorage.setItem('holdfast.language', options.language ?? 'en');
  for (const audience of ['main', 'staging', 'legacy']) document.cookie = `holdfast.${audience}=; Max-Age=0; Path=/`;
  if (options.signedIn === false) return;
  const user = { id: sampleIds.user, email: 'admin@contoso.example', role: options.role ?? 'owner' };
  localStorage.setItem('user', JSON.stringify({ token: 'legacy-token', user }));
  if (options.workerChosen !== false) localStorage.setItem('worker', JSON.stringify(aChoice({ role: options.role ?? 'owner' })));
  const expiresAt = '2099-01-01T00:00:00.000Z';
  for (const audience of ['main', 'staging', 'legacy']) {
    document.cookie = `holdfast.${audience}=${encodeURIComponent(JSON.stringify({ token: `${audience}-token`, expiresAt }))}; Path=/`;
  }
}

/** The account of whoever is signed in. */
export const anAccount = (): ResponseOf<typeof accounts.account> => ({
  userId: sampleIds.user,
  email: 'admin@contoso.example',
  isEmailConfirmed: true,
  isVouched: false,
  firstName: 'Ada',
  lastName: 'Admin',
  phoneNumber: '',
  language: 'en',
  summaryMails: true,
  isTwoFactorEnabled: false,
  organisationId: sampleIds.organisation,
  role: 'owner',
  memberships: [{ organisationId: sampleIds.organisation, organisationName: 'Contoso', role: 'owner' }],
  withheld: [],
});

/** Answers that nearly every page asks for; a test's own come after them and win. */
export function aSignedInApi(): FakeApi {
  return createFakeApi()
    .on(tenants.list, { items: [aTenant()] })
    .on(accounts.account, anAccount())
    .on(passkeys.list, { isPossible: false, items: [] });
}

/** Renders a page as the portal would, over a fake server and a clock that stands still. */
export async function renderPage(page: ReactElement, options: RenderOptions = {}): Promise<RenderedPage> {
  completeTheBrowser();
  seedStorage(options);
  onTestFinished(leave);
  const clock = createFakeClock(Date.parse(now));
  const api = options.api ?? aSignedInApi();
  const languages = await createLanguages({ storage: localStorage, page: document });
  await languages.loadPages();
  const path = options.path ?? '/';
  const signOutsTold: SignOutReason[] = [];
  const router = createMemoryRouter(
    [
      { path: options.pattern ?? path.split('?')[0] ?? '/', element: page },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: [path] },
  );
  const portal = createPortal({
    settings: {
      version: 'test',
      nonce: '',
      basePaths: { main: '/apollo', staging: '/apollo-beta', legacy: '/api' },
      allowedOrigins: '*',
      passkeys: options.passkeys === true,
      toastLimit: 5,
      demo: null,
      support: { email: '', phone: '', url: '' },
      imprint: null,
    },
    clock,
    languages,
    toasts,
    jar: document,
    local: localStorage,
    session: sessionStorage,
    secure: false,
    fetch: api.fetch,
    sendForm: async (address, request, onProgress) => {
      onProgress(0.5);
      return await api.fetch(address, request);
    },
    exclusive: (work) => work(),
    channel: { tell: () => undefined, listen: () => () => undefined },
    signOutChannel: { tell: (reason) => signOutsTold.push(reason), listen: () => () => undefined },
    goTo: (to) => void router.navigate(to),
    here: () => router.state.location.pathname,
    note: () => undefined,
  });
  const rendered = render(
    <StrictMode>
      <Providers portal={portal}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  );
  return {
    ...rendered,
    user: userEvent.setup(),
    portal,
    clock,
    address: () => router.state.location.pathname + router.state.location.search,
    back: async () => await act(async () => await router.navigate(-1)),
    signOutsTold,
    checkAccessibility: async () => await checkAccessibility(rendered.baseElement),
  };
}

async function checkAccessibility(element: Element): Promise<void> {
  const { violations } = await axe.run(element, {
    // jsdom computes no layout, so contrast and target size are measured in the browser tests.
    rules: {
      'color-contrast': { enabled: false },
      'target-size': { enabled: false },
      region: { enabled: false },
      'aria-hidden-focus': { enabled: false },
    },
  });
  const findings = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' | ')}`);
  if (findings.length > 0) throw new Error(`axe found:\n${findings.join('\n')}`);
}
