import type { CaseDetails, CaseSummary } from '@holdfast/contract/case-values';
import { cases } from '@holdfast/contract/cases';
import { approvals } from '@holdfast/contract/approvals';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aCoverage } from '../../testing/found-samples.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { now, onePage } from '../../testing/samples.ts';
import CasesPage from './cases-page.tsx';

const base = '/ediscovery/portal';
const pattern = `${base}/*`;
const idOf = (last: string): string => `01900000-0000-7000-8000-0000000000${last}`;
const caseId = idOf('ca');

const basics = {
  caseId,
  matter: 'Falcon',
  reference: 'HR-17',
  status: 'open',
  from: null,
  to: null,
  creator: 'ann@contoso.example',
  createdAt: now,
  closedAt: null,
} as const;
const aSummary = (given: Partial<CaseSummary> = {}): CaseSummary => ({
  ...basics,
  members: 1,
  custodians: 1,
  queries: 1,
  holds: 1,
  ...given,
});

function aCase(given: Partial<CaseDetails> = {}): CaseDetails {
  const resource = { name: 'Adele Vance', address: 'adele@contoso.example', kind: 'mailbox' } as const;
  const kept = { points: 12, items: 340, bytes: 4_096 };
  return {
    ...basics,
    people: [
      { userId: idOf('01'), email: 'ann@contoso.example', name: 'Ann Admin', role: 'administrator' },
      { userId: idOf('02'), email: 'aud@contoso.example', name: '', role: 'auditor' },
    ],
    custodians: [
      {
        custodianId: idOf('c1'),
        name: 'Adele Vance',
        addresses: ['adele@contoso.example'],
        addedAt: now,
        resources: [
          { resourceId: idOf('d1'), ...resource, ...kept, isHeld: true, deletedAt: null },
          { resourceId: idOf('d2'), ...resource, kind: 'drive', ...kept, isHeld: false, deletedAt: now },
        ],
      },
    ],
    queries: [
      {
        queryId: idOf('e1'),
        name: 'Offers',
        query: 'offer',
        readAs: 'offer',
        creator: 'ann@contoso.example',
        createdAt: now,
        hits: null,
        bytes: null,
        countedAt: null,
      },
    ],
    files: [],
    holds: [
      {
        holdId: idOf('f1'),
        name: 'Falcon',
        reason: 'Court order',
        status: 'active',
        resourceId: idOf('d1'),
        resource,
        heldItems: [],
        search: null,
        from: null,
        to: null,
        placer: 'ann@contoso.example',
        placedAt: now,
        releaseReason: null,
        releasedAt: null,
        ...kept,
      },
    ],
    ...given,
  };
}

const anApi = (of = aCase()) =>
  aSignedInApi()
    .on(cases.list, onePage([aSummary()]))
    .on(cases.get, of);
const posted = (api: ReturnType<typeof anApi>, end: string): boolean =>
  api.calls.some((call) => call.startsWith('POST') && call.endsWith(end));

test('an empty list says what a case is for, and the first one is opened with a matter', async () => {
  const api = anApi().on(cases.list, onePage([])).on(cases.create, aCase());
  const page = await renderPage(<CasesPage />, { path: base, pattern, api });
  expect(await screen.findByText(/No cases yet/)).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getAllByRole('button', { name: 'Open a case' })[0] as HTMLElement);
  const form = await screen.findByRole('form', { name: 'Open a case' });
  await page.user.click(within(form).getByRole('button', { name: 'Open a case' }));
  expect((await screen.findAllByText('Please fill in this field.')).length).toBeGreaterThan(0);
  expect(posted(api, '/cases')).toBe(false);
  await page.user.type(screen.getByLabelText(/^Matter/), 'Falcon');
  await page.user.type(screen.getByLabelText(/^From/), '2024-01-01');
  await page.user.click(within(form).getByRole('button', { name: 'Open a case' }));
  await expect.poll(() => page.address()).toBe(`${base}/${caseId}`);
  expect(api.bodies).toContainEqual({ matter: 'Falcon', reference: '', from: new Date(2024, 0, 1).toISOString(), to: null });
});

test('the custodians of a case show what is kept of each, what is held, and what Microsoft 365 no longer has', async () => {
  const page = await renderPage(<CasesPage />, { path: `${base}/${caseId}`, pattern, api: anApi() });
  expect(await screen.findByText('Mailbox: Adele Vance')).toBeTruthy();
  expect(screen.getByText(/OneDrive: Adele Vance · Deleted in Microsoft 365 on/)).toBeTruthy();
  expect([screen.getAllByText('On hold').length, screen.getAllByText('Not on hold').length]).toEqual([1, 1]);
  await page.checkAccessibility();
});

test('people are chosen from those who have something in the backups', async () => {
  const person = { key: 'u:1', name: 'Ben Baker', address: 'ben@contoso.example', mailboxes: 1, drives: 1, chats: 3, archives: 1 };
  const api = anApi()
    .on(cases.people, onePage([person]))
    .on(cases.addCustodians, aCase());
  const page = await renderPage(<CasesPage />, { path: `${base}/${caseId}`, pattern, api });
  await page.user.click(await screen.findByRole('button', { name: 'Add custodians' }));
  await screen.findByText('Ben Baker');
  expect(screen.getByRole('searchbox', { name: 'Search in People' })).toBeTruthy();
  await page.user.click(screen.getAllByRole('checkbox', { hidden: true }).at(-1) as HTMLElement);
  await page.user.click(await screen.findByRole('button', { name: 'Add 1 person', hidden: true }));
  await expect.poll(() => api.bodies).toContainEqual({ keys: ['u:1'] });
});

test('a query is counted, and one with mistakes shows what the server says of it', async () => {
  const fault = 'There is no field "form".';
  const coverage = aCoverage(1);
  const api = anApi()
    .on(cases.countQuery, { readAs: 'offer', hits: 7, bytes: 1, months: [], coverage })
    .fail(cases.addQuery, 400, { code: 'search.invalid', errors: { query: [fault] } });
  const page = await renderPage(<CasesPage />, { path: `${base}/${caseId}/queries`, pattern, api });
  expect(await screen.findByText('Not counted yet')).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Actions: Offers' }));
  await page.user.click(await screen.findByRole('menuitem', { name: 'Count' }));
  await expect.poll(() => posted(api, '/count')).toBe(true);
  await page.user.click(screen.getByRole('button', { name: 'Add query' }));
  await page.user.type(await screen.findByLabelText(/^Name/), 'Bad');
  await page.user.type(screen.getByLabelText(/^Query/), 'form:anna');
  await page.user.click(within(screen.getByRole('form', { name: 'Add query' })).getByRole('button', { name: 'Add query' }));
  expect((await screen.findAllByText(fault)).length).toBeGreaterThan(0);
});

test('the report of hits says what each query finds and what only it finds', async () => {
  const coverage = aCoverage(1);
  const api = anApi().on(cases.report, {
    hits: 1_234,
    bytes: 4_096,
    queries: [
      {
        queryId: idOf('e1'),
        name: 'Offers',
        readAs: 'offer',
        hits: 1_200,
        bytes: 4_000,
        unique: 77,
        family: 1_450,
        parts: [{ readAs: 'subject:offer', hits: 31, unique: 13, family: 40 }],
      },
    ],
    resources: [
      { resourceId: idOf('d1'), name: 'Adele Vance', address: 'adele@contoso.example', kind: 'mailbox', hits: 1_234, bytes: 4_096 },
    ],
    coverage,
  });
  const page = await renderPage(<CasesPage />, { path: `${base}/${caseId}/queries`, pattern, api });
  await page.user.click(await screen.findByRole('button', { name: 'Report of hits' }));
  expect(await screen.findByText('1,234 items, 4 KB, found by the queries together.')).toBeTruthy();
  for (const figure of ['77', '1,450', 'subject:offer', '31', '13', '40']) expect(screen.getByText(figure), figure).toBeTruthy();
  expect(screen.getByText('Adele Vance (adele@contoso.example)')).toBeTruthy();
  await page.checkAccessibility();
});

test('what no hold guards is named, and one step holds it; the end of a hold is asked for from its details', async () => {
  const nobodyWaits = { items: [], secondPersons: ['ben@contoso.example'], approvers: [], delayHours: 24, delayFrom: null };
  const api = anApi().on(cases.placeHolds, aCase()).on(approvals.list, nobodyWaits);
  const page = await renderPage(<CasesPage />, { path: `${base}/${caseId}/holds`, pattern, api, language: 'de' });
  expect(await screen.findByText('1 Ressource der Verwahrer steht nicht unter Legal Hold.')).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Legal Holds anlegen' }));
  await page.user.type(await screen.findByLabelText(/^Grund/), 'Gericht');
  await page.user.click(screen.getAllByRole('button', { name: 'Legal Holds anlegen', hidden: true }).at(-1) as HTMLElement);
  await expect.poll(() => api.bodies).toContainEqual({ name: 'Falcon', reason: 'Gericht' });
  await page.user.click(await screen.findByRole('button', { name: 'Adele Vance (adele@contoso.example)' }));
  expect(await screen.findByText('Legal Hold aufheben')).toBeTruthy();
});

test('closing says that holds stay in force, and a closed case offers nothing but to reopen it', async () => {
  const api = anApi().on(cases.close, aCase());
  const page = await renderPage(<CasesPage />, { path: `${base}/${caseId}`, pattern, api });
  await page.user.click(await screen.findByRole('button', { name: 'Close case' }));
  expect(await screen.findByText(/1 hold of this case is in force/)).toBeTruthy();
  await page.user.click(screen.getByLabelText('Close the case and keep its holds in force'));
  await page.user.type(screen.getByLabelText(/^Reason/), 'Settled');
  await page.user.click(screen.getAllByRole('button', { name: 'Close case', hidden: true }).at(-1) as HTMLElement);
  await expect.poll(() => api.bodies).toContainEqual({ reason: 'Settled', keepHolds: true });
  page.unmount();
  const closed = await renderPage(<CasesPage />, {
    path: `${base}/${caseId}`,
    pattern,
    api: anApi(aCase({ status: 'closed', closedAt: now })),
  });
  expect(await screen.findByText(/This case is closed/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reopen case' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add custodians' })).toBeNull();
  await closed.checkAccessibility();
});

test('an auditor works on queries and manages nothing', async () => {
  await renderPage(<CasesPage />, { path: `${base}/${caseId}/queries`, pattern, api: anApi(), role: 'auditor' });
  expect(await screen.findByRole('button', { name: 'Add query' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Close case' })).toBeNull();
});

test.each([
  [
    'en',
    'ann@contoso.example added Adele Vance, Ben Baker as custodians.',
    'ann@contoso.example closed the case. Holds kept in force: 2. Reason: Settled',
  ],
  [
    'de',
    'ann@contoso.example hat Verwahrer hinzugefügt: Adele Vance, Ben Baker.',
    'ann@contoso.example hat den Fall geschlossen. Weiterhin gültige Legal Holds: 2. Grund: Settled',
  ],
] as const)('the log reads as sentences: %s', async (language, added, closed) => {
  const event = { at: now, actor: 'ann@contoso.example', subject: 'Falcon', reason: null };
  const events = [
    { ...event, event: 'cases.closed', reason: 'Settled', details: { holds: 2 } },
    { ...event, event: 'cases.custodians-added', details: { people: ['Adele Vance', 'Ben Baker'] } },
  ];
  const api = anApi().on(cases.log, onePage(events));
  await renderPage(<CasesPage />, { path: `${base}/${caseId}/log`, pattern, api, language });
  expect(await screen.findByText(added)).toBeTruthy();
  expect(screen.getByText(closed)).toBeTruthy();
});

test('the files of a case lead to the file manager, and one is removed after a question', async () => {
  const kept = { locationId: idOf('c1'), sourceId: idOf('c2') };
  const file = {
    fileId: idOf('cf'),
    siteName: 'Marketing',
    nodeId: 'd:1',
    isContainer: false,
    note: 'Seen by Ann',
    adder: 'ann@contoso.example',
    addedAt: now,
  };
  const files = [
    { ...file, name: 'Offer.docx', place: kept },
    { ...file, fileId: idOf('ce'), name: 'Lost.docx', place: null },
  ];
  const api = aSignedInApi().on(cases.get, aCase({ files })).on(cases.removeFile, undefined);
  const page = await renderPage(<CasesPage />, { path: `${base}/${caseId}/files`, pattern, api });
  const link = await screen.findByRole('link', { name: 'Offer.docx' });
  expect(link.getAttribute('href')).toBe(`/compliance?location=${kept.locationId}&source=${kept.sourceId}&deleted=true&search=Offer.docx`);
  expect(screen.getByText('Lost.docx (Not in any restore point anymore)')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Actions: Offer.docx' }));
  await page.user.click(await screen.findByText('Remove Offer.docx from the case'));
  await page.user.click(await screen.findByText('Remove'));
  await expect.poll(() => api.calls.some((call) => call.startsWith('DELETE') && call.endsWith(`/files/${idOf('cf')}`))).toBe(true);
});
