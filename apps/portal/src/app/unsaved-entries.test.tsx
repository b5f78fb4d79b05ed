import { act, screen, waitFor, within } from '@testing-library/react';
import { approvals } from '@holdfast/contract/approvals';
import { configuration } from '@holdfast/contract/configuration';
import { holds } from '@holdfast/contract/holds';
import { locations } from '@holdfast/contract/locations';
import { members, organisations } from '@holdfast/contract/members';
import { workers } from '@holdfast/contract/workers';
import type { ComponentType, ReactElement } from 'react';
import { expect, test } from 'vitest';
import ConfigurationPage from '../features/configuration/configuration-page.tsx';
import HoldsPage from '../features/holds/holds-page.tsx';
import UsersPage from '../features/organisations/users-page.tsx';
import TenantsPage, { LocationsPage } from '../features/tenants/tenants-page.tsx';
import WorkersPage from '../features/workers/workers-page.tsx';
import type { FakeApi } from '../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../testing/render-page.tsx';
import type { RenderedPage, RenderOptions } from '../testing/render-page.tsx';
import { aConfiguration, aLocation, aWorker, onePage, sampleIds } from '../testing/samples.ts';

const theApi = (): FakeApi =>
  aSignedInApi()
    .on(holds.list, { items: [] })
    .on(holds.guarded, { items: [] })
    .on(approvals.list, { items: [], secondPersons: [], approvers: [], delayHours: 24, delayFrom: null })
    .on(locations.list, { items: [aLocation()] })
    .on(members.list, onePage([]))
    .on(organisations.list, { items: [] })
    .on(workers.list, { items: [aWorker()] })
    .on(workers.joinTokens, { items: [] })
    .on(configuration.read, aConfiguration());

/** Every drawer that something is entered in. */
const drawers: readonly (readonly ['en' | 'de', string, string, ComponentType])[] = [
  ['en', '/configuration/holds', '/new', HoldsPage],
  ['de', '/configuration/tenants', '/new', TenantsPage],
  ['en', '/configuration/tenants', `/${sampleIds.tenant}/edit`, TenantsPage],
  ['de', '/configuration/locations', '/new', LocationsPage],
  ['en', '/configuration/locations', `/${sampleIds.location}/edit`, LocationsPage],
  ['de', '/configuration/users', '/new', UsersPage],
  ['en', '/configuration/workers', `/${sampleIds.worker}/edit`, WorkersPage],
];

const words = {
  en: {
    ask: 'Discard changes?',
    lost: 'Your entries on this page will be lost.',
    stay: 'Keep editing',
    go: 'Discard',
    cancel: 'Cancel',
  },
  de: {
    ask: 'Änderungen verwerfen?',
    lost: 'Ihre Eingaben auf dieser Seite gehen verloren.',
    stay: 'Weiterbearbeiten',
    go: 'Verwerfen',
    cancel: 'Abbrechen',
  },
} as const;

async function open(base: string, below: string, element: ReactElement, options: Partial<RenderOptions> = {}): Promise<RenderedPage> {
  const page = await renderPage(element, { path: `${base}${below}`, pattern: `${base}/*`, api: theApi(), ...options });
  await screen.findByRole('dialog');
  return page;
}

const firstField = async (): Promise<HTMLElement> => {
  const [field] = await within(await screen.findByRole('dialog')).findAllByRole('textbox', { hidden: true });
  if (field === undefined) throw new Error('Nothing can be entered here.');
  return field;
};

/** Presses a button by the keyboard. Who gets the focus, and what is hidden from readers meanwhile, is looked at in a real browser. */
async function press({ user }: RenderedPage, name: string): Promise<void> {
  (await screen.findByRole('button', { name })).focus();
  await user.keyboard('{Enter}');
}

test.each(drawers)('in %s, %s%s closes at once while nothing was entered, and asks before what was entered is lost', async (...drawer) => {
  const [language, base, below, Drawers] = drawer;
  const { ask, lost, stay, go, cancel } = words[language];
  const page = await open(base, below, <Drawers />, { language });
  await firstField();
  await page.user.keyboard('{Escape}');
  await waitFor(() => expect(page.address()).toBe(base));
  expect(screen.queryByText(ask)).toBeNull();
  act(() => page.portal.goTo(`${base}${below}`));
  const field = await firstField();
  await page.user.type(field, 'x');
  const entered = (field as HTMLInputElement).value;
  await page.user.keyboard('{Escape}');
  expect(await screen.findByText(ask)).toBeTruthy();
  expect(screen.getByText(lost)).toBeTruthy();
  await press(page, stay);
  expect(page.address()).toBe(`${base}${below}`);
  expect((field as HTMLInputElement).value).toBe(entered);
  await press(page, cancel);
  await screen.findByText(ask);
  await press(page, go);
  await waitFor(() => expect(page.address()).toBe(base));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test("the close button and the browser's way back ask too, and going elsewhere", async () => {
  const page = await renderPage(<HoldsPage />, { path: '/configuration/holds', pattern: '/configuration/holds/*', api: theApi() });
  await page.user.click(await screen.findByText('Put a period on hold'));
  await page.user.type(await firstField(), 'Lawsuit');
  await page.user.click(screen.getByRole('button', { name: 'Close' }));
  await page.user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  await page.back();
  await page.user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(page.address()).toBe('/configuration/holds/new');
  page.portal.goTo('/elsewhere');
  await page.user.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(await screen.findByText('elsewhere')).toBeTruthy();
});

test('who has saved is not asked', async () => {
  const api = theApi().on(workers.update, aWorker());
  const page = await open('/configuration/workers', `/${sampleIds.worker}/edit`, <WorkersPage />, { api });
  await page.user.type(await firstField(), ' again');
  await press(page, 'Save');
  await waitFor(() => expect(page.address()).toBe('/configuration/workers'));
  expect(screen.queryByText(words.en.ask)).toBeNull();
});

test('a form that is a page asks as well, until it is saved', async () => {
  const api = theApi().on(configuration.update, aConfiguration({ version: 2 }));
  const page = await renderPage(<ConfigurationPage />, { path: '/configuration', api });
  const [first] = await screen.findAllByRole('switch');
  await page.user.click(first as HTMLElement);
  page.portal.goTo('/elsewhere');
  await page.user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  expect(page.address()).toBe('/configuration');
  await page.user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Configuration updated.');
  page.portal.goTo('/elsewhere');
  expect(await screen.findByText('elsewhere')).toBeTruthy();
});

test('a session that has ended does not stay for a question', async () => {
  const page = await open('/configuration/holds', '/new', <HoldsPage />);
  await page.user.type(await firstField(), 'Lawsuit');
  page.portal.signIn.forget();
  page.portal.goTo('/logout');
  expect(await screen.findByText('elsewhere')).toBeTruthy();
});
