import { screen, within } from '@testing-library/react';
import { auditorAccesses } from '@holdfast/contract/auditor-access';
import type { AuditorAccess } from '@holdfast/contract/auditor-access';
import { cases } from '@holdfast/contract/cases';
import { content } from '@holdfast/contract/content';
import { members } from '@holdfast/contract/members';
import { savedSearches } from '@holdfast/contract/saved-searches';
import type { SearchHit } from '@holdfast/contract/search';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { onePage } from '../../testing/samples.ts';
import AuditPage from './audit-page.tsx';
import { AuditorList } from './auditor-list.tsx';

const tenantId = '01900000-0000-7000-8000-0000000000a1';
const id = (end: string): string => `01900000-0000-7000-8000-0000000000${end}`;
const audit = { path: '/archive/audit', pattern: '/archive/audit', role: 'auditor' } as const;
const rights = { path: '/archive/proxy-rights', pattern: '/archive/proxy-rights' };

function anAccess(given: Partial<AuditorAccess> = {}): AuditorAccess {
  return {
    accessId: id('b1'),
    state: 'active',
    auditor: 'tax@office.example',
    purpose: 'Tax audit 2024',
    source: { kind: 'search', name: 'Invoices' },
    query: 'kind:email invoice',
    items: 1_200,
    accessFrom: '2026-11-01T00:00:00.000Z',
    accessTo: '2026-12-31T22:59:59.999Z',
    granter: 'ann@contoso.example',
    grantedAt: '2026-11-01T08:00:00.000Z',
    ender: null,
    endedAt: null,
    ...given,
  };
}

const hit: SearchHit = {
  hitId: '1',
  locationId: id('c1'),
  sourceId: id('c2'),
  nodeId: 'm1',
  sequence: 3,
  kind: 'email',
  workload: 'exchange',
  title: 'Invoice 4711',
  sender: 'Ben',
  at: '2026-05-17T10:00:00.000Z',
  sizeBytes: 10,
  attachments: 1,
  state: 'indexed',
  resource: { resourceId: id('c3'), name: 'Adele Vance', address: 'adele@contoso.example', kind: 'mailbox' },
  isDeleted: false,
  lastSeenAt: '2026-11-01T00:00:00.000Z',
};

const preview = {
  kind: 'message' as const,
  title: 'Invoice 4711',
  from: 'Ben',
  to: [],
  cc: [],
  at: null,
  text: 'Please find the invoice attached.',
  frame: null,
  properties: [],
  attachments: [{ index: 0, name: 'invoice.pdf', mediaType: 'application/pdf', sizeBytes: 3 }],
  versions: [],
  gone: [],
};

test('an auditor chooses a list, gives a reason, reads, and is offered a print and the attachments but not the original', async () => {
  const api = aSignedInApi()
    .on(auditorAccesses.mine, { items: [anAccess()] })
    .on(auditorAccesses.items, onePage([hit]))
    .on(content.open, { ticket: 't'.repeat(43), expiresAt: '2026-11-20T21:00:00.000Z' })
    .on(content.preview, preview);
  const page = await renderPage(<AuditPage />, { ...audit, api });
  const asked = (): number => api.calls.filter((call) => call.endsWith('/items')).length;
  await page.user.click(await screen.findByRole('button', { name: 'Show' }));
  expect(asked()).toBe(0);
  await page.user.type(screen.getByLabelText(/^Reason/), 'Order 12');
  await page.user.click(screen.getByRole('button', { name: 'Show' }));
  // Nothing is ticked in a list that is only read: no key is named for it.
  expect(await screen.findByText('Choose an item to read it here. Press J for the next item and K for the previous one.')).toBeTruthy();
  await page.user.click(await screen.findByText('Invoice 4711'));
  expect(await screen.findByText('Please find the invoice attached.')).toBeTruthy();
  expect(api.bodies).toContainEqual({ query: '', reason: 'Order 12', limit: 100 });
  const pane = within(screen.getByRole('region', { name: 'Reading pane' }));
  expect(pane.queryByRole('button', { name: 'Download the original' })).toBeNull();
  await page.user.click(pane.getByRole('button', { name: /invoice\.pdf/ }));
  // Each download is a look of its own.
  await expect.poll(() => api.calls.filter((call) => call.endsWith('/content-tickets')).length).toBe(2);
  expect(pane.getByRole('button', { name: /PDF/ })).toBeTruthy();
  expect(screen.getByText('Download list as CSV')).toBeTruthy();
  await page.checkAccessibility();
});

test('without an access the page says so, in German too', async () => {
  const api = aSignedInApi().on(auditorAccesses.mine, { items: [] });
  const page = await renderPage(<AuditPage />, { ...audit, api, language: 'de' });
  expect(await screen.findByText(/Sie haben derzeit keinen Zugriff/)).toBeTruthy();
  await page.checkAccessibility();
});

test('whoever is no auditor is told where auditors are let in, and nothing is asked for', async () => {
  const api = aSignedInApi();
  await renderPage(<AuditPage />, { ...audit, role: 'owner', api });
  expect(await screen.findByText(/for people with the role Auditor/)).toBeTruthy();
  expect(api.calls.filter((call) => call.includes('/auditor-accesses'))).toEqual([]);
});

test('an auditor is let in to what a saved search finds, and only auditors are offered', async () => {
  const member = (email: string, role: 'auditor' | 'reader', end: string) => ({ userId: id(end), email, role, status: 'active' });
  const api = aSignedInApi()
    .on(auditorAccesses.list, onePage<AuditorAccess>([]))
    .on(members.list, { items: [member('tax@office.example', 'auditor', 'd1'), member('ria@contoso.example', 'reader', 'd2')] } as never)
    .on(savedSearches.list, { items: [{ searchId: id('d3'), name: 'Invoices' }] } as never)
    .on(cases.list, onePage<never>([]))
    .on(auditorAccesses.grant, anAccess());
  const page = await renderPage(<AuditorList tenantId={tenantId} />, { ...rights, api });
  expect(await screen.findByText(/No auditor has access/)).toBeTruthy();
  await page.user.click(screen.getByText('Grant auditor access'));
  await page.user.click(await screen.findByRole('combobox', { name: /^Auditor/ }));
  const auditor = await screen.findByRole('option', { name: 'tax@office.example' });
  expect(screen.queryByRole('option', { name: 'ria@contoso.example' })).toBeNull();
  await page.user.click(auditor);
  await page.user.click(screen.getByRole('combobox', { name: /^Saved search/ }));
  await page.user.click(await screen.findByRole('option', { name: 'Invoices' }));
  await page.user.type(screen.getByLabelText(/^Access from/), '2026-11-20');
  await page.user.type(screen.getByLabelText(/^Access until/), '2026-12-20');
  await page.user.type(screen.getByLabelText(/^Purpose/), 'Tax audit 2024');
  await page.checkAccessibility();
  await page.user.click(screen.getAllByRole('button', { name: 'Grant auditor access' }).at(-1) as HTMLElement);
  const granted = { userId: id('d1'), source: { kind: 'search', searchId: id('d3') }, purpose: 'Tax audit 2024' };
  await expect.poll(() => api.bodies).toContainEqual(expect.objectContaining(granted));
});

test('without a saved search the form says how to save one', async () => {
  const auditor = { userId: id('d1'), email: 'tax@office.example', role: 'auditor', status: 'active' };
  const api = aSignedInApi()
    .on(auditorAccesses.list, onePage<AuditorAccess>([]))
    .on(members.list, { items: [auditor] } as never)
    .on(savedSearches.list, { items: [] })
    .on(cases.list, onePage<never>([]));
  const page = await renderPage(<AuditorList tenantId={tenantId} />, { ...rights, api });
  await page.user.click(await screen.findByText('Grant auditor access'));
  expect(await screen.findByText(/^No search is saved yet/)).toBeTruthy();
  await page.user.click(screen.getByLabelText('Hits of all queries of a case'));
  expect(await screen.findByText('There is no open case that you work on.')).toBeTruthy();
});

test('without an auditor the form says so and leads to the users', async () => {
  const api = aSignedInApi()
    .on(auditorAccesses.list, onePage<AuditorAccess>([]))
    .on(members.list, { items: [] })
    .on(savedSearches.list, { items: [] })
    .on(cases.list, onePage<never>([]));
  const page = await renderPage(<AuditorList tenantId={tenantId} />, { ...rights, api });
  await page.user.click(await screen.findByText('Grant auditor access'));
  expect(await screen.findByText(/^Nobody has the role Auditor/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open Users' }).getAttribute('href')).toBe('/configuration/users');
});

test('an access is ended after a question, and shows what was seen with it', async () => {
  const seen = {
    id: '7',
    at: '2026-11-20T21:00:00.000Z',
    kind: 'searched' as const,
    reader: 'tax@office.example',
    isOwn: false,
    owners: [],
    ground: 'auditor' as const,
    groundName: 'Tax audit 2024',
    reason: 'Order 12',
    query: 'invoice',
    count: 3,
    address: null,
  };
  const api = aSignedInApi()
    .on(auditorAccesses.list, onePage([anAccess()]))
    .on(auditorAccesses.log, onePage([seen]))
    .on(auditorAccesses.end, undefined);
  const page = await renderPage(<AuditorList tenantId={tenantId} />, { ...rights, api });
  await page.user.click(await screen.findByText('tax@office.example'));
  const sentence = 'tax@office.example searched the list frozen for “Tax audit 2024” for “invoice” and found 3.';
  expect((await screen.findAllByText(sentence)).length).toBeGreaterThan(0);
  await page.user.click(screen.getByText('End this access'));
  expect(await screen.findByText(/can no longer read this list/)).toBeTruthy();
  await page.user.click(screen.getAllByRole('button', { name: 'End this access' }).at(-1) as HTMLElement);
  await expect.poll(() => api.calls.some((call) => call.startsWith('DELETE'))).toBe(true);
});
