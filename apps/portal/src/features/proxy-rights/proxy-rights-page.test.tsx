import { screen } from '@testing-library/react';
import { discovery } from '@holdfast/contract/discovery';
import type { Candidate } from '@holdfast/contract/discovery';
import { auditorAccesses } from '@holdfast/contract/auditor-access';
import { approvals } from '@holdfast/contract/approvals';
import { locations } from '@holdfast/contract/locations';
import { proxyRights } from '@holdfast/contract/proxy-rights';
import type { Page } from '@holdfast/contract/paging';
import type { ProxyExemption, ProxyRight } from '@holdfast/contract/proxy-rights';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aLocation } from '../../testing/samples.ts';
import ProxyRightsPage from './proxy-rights-page.tsx';

const place = { path: '/archive/proxy-rights', pattern: '/archive/proxy-rights/*' };

function aRight(given: Partial<ProxyRight> = {}): ProxyRight {
  return {
    proxyRightId: '01900000-0000-7000-8000-0000000000c1',
    state: 'active',
    holder: { kind: 'account', id: 'lee', name: 'Lee Gu', address: 'lee@contoso.example' },
    target: { kind: 'account', id: 'adele', name: 'Adele Vance', address: 'adele@contoso.example' },
    may: ['read', 'export'],
    mailFrom: null,
    mailTo: null,
    accessFrom: '2026-11-01T00:00:00.000Z',
    accessTo: '2026-12-31T22:59:59.999Z',
    purpose: 'Covers for a colleague',
    granter: 'ann@contoso.example',
    grantedAt: '2026-11-01T08:00:00.000Z',
    remover: null,
    removedAt: null,
    people: 1,
    mailboxes: 1,
    includesPrivate: 'no',
    synchronisedAt: '2026-11-20T08:00:00.000Z',
    ...given,
  };
}

const listOf = <Item,>(...items: Item[]) => ({ items, total: items.length, nextCursor: null });
const lee: Candidate = {
  id: 'lee',
  name: 'Lee Gu',
  address: 'lee@contoso.example',
  kind: 'user',
  protection: 'protected',
  lastPointAt: null,
};

const anApi = (rights: Page<ProxyRight>, exempt: readonly ProxyExemption[] = []) =>
  aSignedInApi()
    .on(proxyRights.list, rights)
    .on(proxyRights.exemptions, { items: [...exempt] })
    .on(auditorAccesses.list, { items: [], total: 0, nextCursor: null });

test('rights are listed with who, whose, what and until when, and one is removed after a question', async () => {
  const api = anApi(listOf(aRight())).on(proxyRights.get, aRight()).on(proxyRights.remove, undefined);
  const page = await renderPage(<ProxyRightsPage />, { ...place, api });
  expect(await screen.findByText(/Read and search, Download/)).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByText(/Lee Gu/));
  await page.user.click(await screen.findByText('Remove proxy rights'));
  expect(await screen.findByText('The archives of 1 mailboxes can then no longer be read with them.')).toBeTruthy();
  await page.user.click(screen.getByText('Remove'));
  await expect.poll(() => api.calls.some((call) => call.startsWith('DELETE'))).toBe(true);
});

test('whoever is chosen on both sides is selected already, and nothing is granted', async () => {
  const api = anApi(listOf())
    .on(locations.list, { items: [aLocation()] })
    .on(discovery.users, listOf(lee))
    .on(proxyRights.grant, aRight());
  const page = await renderPage(<ProxyRightsPage />, { ...place, api });
  await page.user.click(await screen.findByText('Grant proxy rights'));
  for (const box of await screen.findAllByRole('checkbox', { name: /Lee Gu/ })) await page.user.click(box);
  await page.user.type(screen.getByLabelText(/^Access from/), '2026-11-20');
  await page.user.type(screen.getByLabelText(/^Access until/), '2026-12-20');
  await page.user.type(screen.getByLabelText(/^Purpose/), 'Covers for a colleague');
  await page.user.click(screen.getAllByText('Grant proxy rights').at(-1) as HTMLElement);
  expect(await screen.findByText('Already selected.')).toBeTruthy();
  expect(api.calls.some((call) => call.startsWith('POST'))).toBe(false);
  await page.user.click(screen.getByLabelText(/^Everyone:/));
  await page.user.click(screen.getAllByText('Grant proxy rights').at(-1) as HTMLElement);
  await expect.poll(() => api.calls.some((call) => call.startsWith('POST'))).toBe(true);
});

test('a right over private messages is asked for apart', async () => {
  const api = anApi(listOf())
    .on(locations.list, { items: [aLocation()] })
    .on(discovery.users, listOf(lee))
    .on(proxyRights.grant, aRight({ includesPrivate: 'waiting' }));
  const page = await renderPage(<ProxyRightsPage />, { ...place, api });
  await page.user.click(await screen.findByText('Grant proxy rights'));
  const [holder] = await screen.findAllByRole('checkbox', { name: /Lee Gu/ });
  await page.user.click(holder as HTMLElement);
  await page.user.click(screen.getByLabelText(/^Everyone:/));
  await page.user.click(screen.getByLabelText(/^Private messages too/));
  await page.user.type(screen.getByLabelText(/^Access from/), '2026-11-20');
  await page.user.type(screen.getByLabelText(/^Access until/), '2026-12-20');
  await page.user.type(screen.getByLabelText(/^Purpose/), 'Absence');
  await page.user.click(screen.getAllByText('Grant proxy rights').at(-1) as HTMLElement);
  await expect.poll(() => api.bodies.some((body) => (body as { includesPrivate?: boolean }).includesPrivate === true)).toBe(true);
});

test('a right over private messages says that it waits for a second person', async () => {
  const right = aRight({ includesPrivate: 'waiting' });
  const page = await renderPage(<ProxyRightsPage />, { ...place, api: anApi(listOf(right)).on(proxyRights.get, right) });
  await page.user.click(await screen.findByText(/Lee Gu/));
  expect(await screen.findByText('Waits for a second person')).toBeTruthy();
});

test('without rights the page says what they are for, in German too', async () => {
  const page = await renderPage(<ProxyRightsPage />, { ...place, api: anApi(listOf()), language: 'de' });
  expect(await screen.findByText(/Niemand besitzt Stellvertreterrechte/)).toBeTruthy();
  await page.checkAccessibility();
});

function anExemption(given: Partial<ProxyExemption> = {}): ProxyExemption {
  return {
    exemptionId: '01900000-0000-7000-8000-0000000000c2',
    state: 'active',
    party: { kind: 'account', id: 'megan', name: 'Megan Bowen', address: 'megan@contoso.example' },
    reason: 'Works council',
    adder: 'ann@contoso.example',
    addedAt: '2026-11-01T08:00:00.000Z',
    endedAt: null,
    ...given,
  };
}

test('somebody is exempted at once, and only with a reason', async () => {
  const api = anApi(listOf())
    .on(locations.list, { items: [aLocation()] })
    .on(discovery.users, listOf(lee))
    .on(proxyRights.exempt, anExemption());
  const page = await renderPage(<ProxyRightsPage />, { ...place, api });
  expect(await screen.findByText(/Nobody is exempt/)).toBeTruthy();
  await page.user.click(screen.getByText('Exempt somebody'));
  await page.user.click(await screen.findByRole('checkbox', { name: /Lee Gu/ }));
  await page.user.click(screen.getAllByText('Exempt somebody').at(-1) as HTMLElement);
  expect((await screen.findAllByText('Please fill in this field.')).length).toBeGreaterThan(0);
  expect(api.calls.some((call) => call.startsWith('POST'))).toBe(false);
  await page.user.type(screen.getByLabelText(/^Reason/), 'Works council');
  await page.checkAccessibility();
  await page.user.click(screen.getAllByText('Exempt somebody').at(-1) as HTMLElement);
  await expect.poll(() => api.calls.some((call) => call.startsWith('POST') && call.endsWith('/proxy-exemptions'))).toBe(true);
});

test('the end of an exemption is asked for with a reason and names who approves it', async () => {
  const nobodyWaits = { items: [], secondPersons: ['ben@contoso.example'], approvers: [], delayHours: 24, delayFrom: null };
  const api = anApi(listOf(), [anExemption()])
    .on(approvals.list, nobodyWaits)
    .on(proxyRights.endExemption, anExemption({ state: 'ending' }));
  const page = await renderPage(<ProxyRightsPage />, { ...place, api, language: 'de' });
  await page.user.click(await screen.findByText(/Megan Bowen/));
  await page.user.click(await screen.findByText('Ausnahme beenden'));
  expect(await screen.findByText(/ben@contoso.example/)).toBeTruthy();
  await page.user.type(screen.getByLabelText(/^Grund/), 'Aus dem Betriebsrat ausgeschieden');
  await page.user.click(screen.getAllByText('Ausnahme beenden').at(-1) as HTMLElement);
  await expect.poll(() => api.calls.some((call) => call.startsWith('POST') && call.endsWith('/end'))).toBe(true);
});
