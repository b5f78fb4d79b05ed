import { cases } from '@holdfast/contract/cases';
import { compliance } from '@holdfast/contract/compliance';
import type { ManagedNode } from '@holdfast/contract/compliance-values';
import { discovery } from '@holdfast/contract/discovery';
import { holds } from '@holdfast/contract/holds';
import type { Hold } from '@holdfast/contract/holds';
import { retention } from '@holdfast/contract/retention';
import type { Policy, RetentionEvent } from '@holdfast/contract/retention';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aPolicy } from '../../testing/retention-samples.ts';
import type { RenderedPage } from '../../testing/render-page.tsx';
import { aPoint, aSource, now, sampleIds } from '../../testing/samples.ts';
import FileManagerPage from './file-manager-page.tsx';

function aNode(nodeId: string, name: string, given: Partial<ManagedNode> = {}): ManagedNode {
  const common = { kind: 'file', isContainer: false, sizeBytes: 1_024, modifiedAt: now, author: null, versions: 3 };
  return { nodeId, name, ...common, state: 'live', sequence: 2, audience: null, isHeld: false, ...given };
}

const nodes = [
  aNode('d:2', 'Campaigns', { kind: 'folder', isContainer: true }),
  aNode('d:1', 'Payroll.xlsx', { isHeld: true }),
  aNode('d:3', 'Gone.docx', { state: 'deleted', sequence: 1 }),
];

const aHold: Hold = {
  holdId: sampleIds.job,
  name: 'Lawsuit',
  reason: 'Case 7',
  status: 'active',
  resourceId: sampleIds.run,
  resource: { name: 'Marketing', address: '', kind: 'site' },
  heldItems: [],
  search: null,
  from: null,
  to: null,
  placer: 'ann@contoso.example',
  placedAt: now,
  releaseReason: null,
  releasedAt: null,
};

const onFiles = (given: Partial<Policy> = {}): Policy =>
  aPolicy({
    policyId: sampleIds.job,
    name: 'Contracts',
    about: 'files',
    places: [{ resourceId: sampleIds.source, resourceName: 'Marketing', nodeId: 'd:9', name: 'Signed', isContainer: true }],
    ...given,
  });

const anEvent: RetentionEvent = {
  eventId: sampleIds.job,
  kind: 'caseClosed',
  subject: { mailboxId: sampleIds.run, name: 'Marketing', email: '' },
  items: [],
  description: 'Contract ended',
  date: '2026-06-30',
  recorder: 'ann@contoso.example',
  recordedAt: now,
  policies: [],
};

const anApi = () =>
  aSignedInApi()
    .on(discovery.source, aSource({ name: 'Marketing', kind: 'site', workload: 'sharepoint' }))
    .on(discovery.points, { items: [aPoint({ sequence: 2 })] })
    .on(compliance.nodes, { items: nodes, total: nodes.length, nextCursor: null, at: now, trail: [] })
    .on(compliance.versions, { items: [] })
    .on(compliance.kept, {
      holds: [],
      policies: [
        { name: 'Contracts', until: '2031-12-31T23:00:00.000Z' },
        { name: 'Matters', until: null },
      ],
      rules: [{ jobName: 'Old points', retention: { mode: 'days', days: 90 }, until: '2027-02-03T12:00:00.000Z' }],
      points: 1,
      oldestAt: now,
      newestAt: now,
      shares: [],
      grants: [],
    });

const inSite = { path: `/compliance?location=${sampleIds.location}&source=${sampleIds.source}`, pattern: '/compliance' };
const choose = async ({ user }: RenderedPage, ...names: readonly string[]): Promise<void> => {
  for (const name of names) await user.click(within(await screen.findByRole('row', { name: new RegExp(name) })).getByRole('checkbox'));
};

test('chosen files and folders are put on hold together, without a period, and what is held is marked', async () => {
  const api = anApi().on(holds.place, aHold);
  const page = await renderPage(<FileManagerPage />, { ...inSite, api });
  const held = await screen.findByRole('row', { name: /Payroll/ });
  expect(within(held).getByLabelText('On hold')).toBeTruthy();
  expect(within(screen.getByRole('row', { name: /Campaigns/ })).queryByLabelText('On hold')).toBeNull();
  await choose(page, 'Campaigns', 'Payroll');
  const selection = screen.getByRole('group', { name: '2 selected' });
  await page.user.click(within(selection).getByText('Put on hold'));
  expect((await screen.findAllByText('Put on hold: Campaigns, Payroll.xlsx')).length).toBeGreaterThan(0);
  expect(screen.queryByLabelText(/^From/)).toBeNull();
  await page.user.type(screen.getByLabelText(/^Name/), 'Lawsuit');
  await page.user.type(screen.getByLabelText(/^Reason/), 'Case 7');
  await page.user.click(screen.getByText('Place a hold'));
  await expect.poll(() => api.bodies.at(-1)).toMatchObject({ items: ['d:2', 'd:1'], from: null, to: null, name: 'Lawsuit' });
  expect(api.calls.some((call) => call.startsWith('POST') && call.endsWith('/holds'))).toBe(true);
});

test('an export begins with the download chosen; items of different restore points go one at a time', async () => {
  const page = await renderPage(<FileManagerPage />, { ...inSite, api: anApi() });
  await choose(page, 'Payroll', 'Gone');
  expect(await screen.findByText('Items from different restore points are restored one at a time.')).toBeTruthy();
  await page.user.click(screen.getByText('Export with checksums'));
  expect(page.address()).toContain('/compliance');
  await choose(page, 'Gone');
  await page.user.click(screen.getByText('Export with checksums'));
  await expect.poll(() => page.address()).toContain('/backup-and-restore/restore');
});

test('a job that deletes restore points begins with the site that is open', async () => {
  const page = await renderPage(<FileManagerPage />, { ...inSite, api: anApi() });
  await page.user.click(await screen.findByRole('button', { name: 'More commands' }));
  await page.user.click(await screen.findByText('Delete by job'));
  await expect.poll(() => page.address()).toContain('/archive/deletion-jobs/new');
});

test('chosen files and folders come under a new policy, which keeps nothing before its preview and activation', async () => {
  const api = anApi().on(retention.list, { items: [] }).on(retention.create, onFiles());
  const page = await renderPage(<FileManagerPage />, { ...inSite, api });
  await choose(page, 'Campaigns', 'Payroll');
  await page.user.click(within(screen.getByRole('group', { name: '2 selected' })).getByText('Retention'));
  await page.user.type(await screen.findByLabelText(/^Name/), 'Contracts');
  expect(screen.queryByLabelText(/^Archiving/)).toBeNull();
  api.on(retention.list, { items: [onFiles()] });
  await page.user.click(screen.getByText('Save draft'));
  await expect
    .poll(() => api.bodies.at(-1))
    .toMatchObject({
      about: 'files',
      name: 'Contracts',
      anchor: 'received',
      mailboxes: null,
      replaces: null,
      places: [
        { resourceId: sampleIds.source, nodeId: 'd:2' },
        { resourceId: sampleIds.source, nodeId: 'd:1' },
      ],
    });
  expect(await screen.findByText('Draft, keeps nothing yet')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Preview' })).toBeTruthy();
});

test('a folder is added to a policy in force by one that takes its place, with all that this one is on', async () => {
  const inForce = onFiles({ status: 'active', activatedAt: now });
  const api = anApi()
    .on(retention.list, { items: [inForce] })
    .on(retention.create, onFiles({ replaces: { policyId: inForce.policyId, name: inForce.name } }));
  const page = await renderPage(<FileManagerPage />, { ...inSite, api });
  await choose(page, 'Campaigns');
  await page.user.click(within(screen.getByRole('group', { name: '1 selected' })).getByText('Retention'));
  await page.user.click(await screen.findByLabelText(/^Contracts/));
  await page.user.click(within(screen.getByRole('form', { name: 'Retention: Campaigns' })).getByText('Next'));
  await page.user.click(await screen.findByText('Save draft'));
  await expect
    .poll(() => api.bodies.at(-1))
    .toMatchObject({
      replaces: inForce.policyId,
      places: [
        { resourceId: sampleIds.source, nodeId: 'd:9' },
        { resourceId: sampleIds.source, nodeId: 'd:2' },
      ],
    });
});

test('a retention event of the whole site needs a description and a date', async () => {
  const api = anApi().on(retention.recordEvent, anEvent);
  const page = await renderPage(<FileManagerPage />, { ...inSite, api });
  await page.user.click(await screen.findByRole('button', { name: 'More commands' }));
  await page.user.click(await screen.findByText('Retention event'));
  await page.user.click(await screen.findByRole('button', { name: 'Record an event' }));
  expect((await screen.findAllByText('The description must not be empty.')).length).toBeGreaterThan(0);
  expect(screen.getAllByText('The date must not be empty.').length).toBeGreaterThan(0);
  await page.user.type(screen.getByLabelText(/^Description/), 'Contract ended');
  await page.user.type(screen.getByLabelText(/^Date/), '2026-06-30');
  await page.user.click(screen.getByRole('button', { name: 'Record an event' }));
  await expect
    .poll(() => api.bodies.at(-1))
    .toEqual({ kind: 'caseClosed', subject: sampleIds.source, items: [], description: 'Contract ended', date: '2026-06-30' });
});

test('a file names the policies that keep it, and until when', async () => {
  const page = await renderPage(<FileManagerPage />, { ...inSite, api: anApi() });
  await page.user.click(await screen.findByText('Gone.docx'));
  expect(await screen.findByText(/Contracts: at least until .*31.*2031/)).toBeTruthy();
  expect(screen.getByText('Matters: until its event is recorded, then for its period')).toBeTruthy();
});

test('a deleted file says until when it is kept', async () => {
  const page = await renderPage(<FileManagerPage />, { ...inSite, api: anApi() });
  await page.user.click(await screen.findByText('Gone.docx'));
  expect(await screen.findByText(/Old points: kept until .*2027/)).toBeTruthy();
});

test('chosen files are added to a case that the reader works on, with a note', async () => {
  const open = {
    caseId: sampleIds.job,
    matter: 'Falcon',
    reference: '',
    status: 'open',
    from: null,
    to: null,
    creator: '',
    createdAt: now,
    closedAt: null,
  } as const;
  const counts = { members: 1, custodians: 0, queries: 0, holds: 0 };
  const api = anApi()
    .on(cases.list, { items: [{ ...open, ...counts }], total: 1, nextCursor: null })
    .on(cases.addFiles, { ...open, people: [], custodians: [], queries: [], holds: [], files: [] });
  const page = await renderPage(<FileManagerPage />, { ...inSite, api });
  await choose(page, 'Payroll', 'Gone');
  await page.user.click(await screen.findByText('Add to a case'));
  expect((await screen.findAllByText('Add to a case: Payroll.xlsx, Gone.docx')).length).toBeGreaterThan(0);
  await page.user.type(await screen.findByLabelText(/^Note/), 'Seen by Ann');
  await page.user.click(screen.getByText('Add', { exact: true }));
  await expect.poll(() => api.bodies.at(-1)).toMatchObject({ items: ['d:1', 'd:3'], note: 'Seen by Ann' });
  expect(api.calls.some((call) => call.startsWith('POST') && call.endsWith(`/archive/cases/${sampleIds.job}/files`))).toBe(true);
});

test('an operator restores, but places no hold', async () => {
  const page = await renderPage(<FileManagerPage />, { ...inSite, api: anApi(), role: 'operator' });
  await choose(page, 'Payroll');
  expect((await screen.findAllByText('Restore')).length).toBeGreaterThan(0);
  expect(screen.queryByText('Put on hold')).toBeNull();
});
