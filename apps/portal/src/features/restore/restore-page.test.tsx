import { screen, waitFor, within } from '@testing-library/react';
import { content } from '@holdfast/contract/content';
import { discovery } from '@holdfast/contract/discovery';
import { jobs } from '@holdfast/contract/jobs';
import { locations } from '@holdfast/contract/locations';
import { monitoring } from '@holdfast/contract/monitoring';
import { restore } from '@holdfast/contract/restore';
import { expect, test } from 'vitest';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import type { RenderedPage, RenderOptions } from '../../testing/render-page.tsx';
import { aLocation, aNode, aPoint, aPreview, aRestoreJob, aRun, aSource, onePage, sampleIds } from '../../testing/samples.ts';
import RestorePage from './restore-page.tsx';

const base = '/backup-and-restore/restore';
const chosen = `${base}?location=${sampleIds.location}&source=${sampleIds.source}`;

const points = [
  aPoint({ sequence: 3, at: '2026-11-20T21:00:00.000Z' }),
  aPoint({ sequence: 2, at: '2026-11-19T21:00:00.000Z', status: 'defective' }),
  aPoint({ sequence: 1, at: '2026-11-12T21:00:00.000Z' }),
];
const file = aNode({ nodeId: 'file-1', name: 'Budget.xlsx', kind: 'file' });

function theApi(): FakeApi {
  return aSignedInApi()
    .on(locations.list, { items: [aLocation()] })
    .on(monitoring.list, onePage([]))
    .on(discovery.sources, onePage([aSource()]))
    .on(discovery.source, aSource({ kind: 'drive', workload: 'onedrive', name: "Adele's OneDrive" }))
    .on(discovery.points, { items: points })
    .on(discovery.items, {
      ...onePage([aNode({ nodeId: 'folder-1', name: 'Finance', kind: 'folder', isContainer: true }), file]),
      point: points[0] ?? null,
      trail: [],
    })
    .on(restore.plan, {
      sequence: 7,
      items: 1,
      bytes: 4_096,
      byKind: [{ kind: 'file', count: 1 }],
      collisions: 1,
      unknown: 2,
      notRestorable: [{ code: 'restore.limit.file-authors', count: 1 }],
      missingRoles: [],
      expectedSeconds: 3,
    })
    .on(jobs.create, aRestoreJob());
}

const open = async (options: Partial<RenderOptions> & { readonly api: FakeApi }): Promise<RenderedPage> =>
  await renderPage(<RestorePage />, { path: chosen, pattern: `${base}/*`, ...options });

/** What the restore that was started asks for. */
function started(api: FakeApi): Record<string, unknown> {
  const job = api.bodies.find((body) => (body as { type?: string }).type === 'restore') as { restore: Record<string, unknown> } | undefined;
  if (job === undefined) throw new Error('No restore was started.');
  return job.restore;
}

test('somebody is chosen from the list, and stands in the address', async () => {
  const page = await open({ api: theApi(), path: base });
  await page.user.click(await screen.findByRole('button', { name: 'Adele Vance' }));
  expect(page.address()).toBe(chosen);
});

test('from somebody whose data is shown, a link leads to a search in all of it', async () => {
  const page = await open({ api: theApi() });
  await page.user.click(await screen.findByRole('link', { name: 'Search in this drive' }));
  expect(new URLSearchParams(page.address().split('?')[1]).get('query')).toBe('mailbox=adele@contoso.example AND workload:onedrive');
});

test('the list opens at the location that holds something, not at the first one that jobs store in', async () => {
  const empty = aLocation({ locationId: sampleIds.worker, name: 'New and empty', restorePoints: 0 });
  const full = aLocation({ name: 'Full', restorePoints: 60 });
  const api = theApi().on(locations.list, { items: [empty, full] });
  await open({ api, path: base });
  await screen.findByRole('button', { name: 'Adele Vance' });
  const asked = api.calls.filter((call) => call.includes('/sources'));
  expect(asked.every((call) => call.includes(full.locationId))).toBe(true);
});

test('one file is chosen, its dry run read, and the restore started after its confirmation', async () => {
  const api = theApi();
  const page = await open({ api });
  await page.user.click(await screen.findByRole('checkbox', { name: 'Select Budget.xlsx' }));
  expect(screen.getByText('1 item selected, 4 KB')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Next' }));
  expect(await screen.findByText('Files show the app as author (1)')).toBeTruthy();
  expect(screen.getByText('1, and 2 items that are known only when they are restored')).toBeTruthy();
  expect(screen.getByText('No invitations or sharing e-mails are sent.')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Restore' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText('Restore 1 item?')).toBeTruthy();
  expect(within(dialog).getByText(/To: Original place\. Existing items: Skip existing\./)).toBeTruthy();
  await page.user.click(within(dialog).getByRole('button', { name: 'Restore' }));
  await screen.findByText('The restore is being prepared …');
  expect(page.address()).toBe(`${base}/${sampleIds.job}`);
  // A backup that ends in between changes nothing: what the dry run has shown is what is restored.
  expect(started(api)).toMatchObject({ items: ['file-1'], sequence: 7, target: { kind: 'original' }, collisions: 'skip' });
});

/** A channel with a post of words, and one that is only a picture. */
function aChannel(): FakeApi {
  const posts = [
    aNode({ nodeId: 'post-1', name: 'Plans for May', kind: 'post', isContainer: true, author: 'Grace Harris' }),
    aNode({ nodeId: 'post-2', name: '', kind: 'post', isContainer: true, author: null }),
  ];
  return theApi()
    .on(discovery.items, { ...onePage(posts), point: points[0] ?? null, trail: [{ nodeId: 'post-2', name: '', kind: 'post' }] })
    .on(content.open, { ticket: 'a-ticket-of-more-than-twenty-letters', expiresAt: '2026-11-21T09:31:00.000Z' })
    .on(content.preview, aPreview({ title: 'Plans for May' }));
}

test('a post is opened for its answers and looked at for itself', async () => {
  const page = await open({ api: aChannel() });
  await page.user.click(await screen.findByRole('button', { name: 'Preview Plans for May' }));
  expect(screen.getAllByText('Grace Harris').length).toBeGreaterThan(0);
  await page.user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Asked for by its author');
  await page.user.click(screen.getByRole('button', { name: 'Open' }));
  expect(await screen.findByRole('table', { name: 'Versions' })).toBeTruthy();
  await page.checkAccessibility();
});

test('a post that is only a picture has a name all the same', async () => {
  const page = await open({ api: aChannel() });
  expect(await screen.findByRole('button', { name: 'Open (no text)' })).toBeTruthy();
  expect(screen.getByRole('checkbox', { name: 'Select (no text)' })).toBeTruthy();
  expect(screen.getByRole('button', { name: '(no text)' })).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Preview (no text)' }));
  expect(await screen.findByRole('heading', { name: '(no text)' })).toBeTruthy();
});

test('an earlier version is put back from its preview, over the newest one', async () => {
  const api = theApi()
    .on(content.open, { ticket: 'a-ticket-of-more-than-twenty-letters', expiresAt: '2026-11-21T09:31:00.000Z' })
    .on(content.preview, aPreview({ gone: [{ part: 'version', name: '3.0', since: '2026-11-03T08:00:00.000Z' }] }));
  const page = await open({ api });
  await page.user.click(await screen.findByRole('button', { name: 'Preview Budget.xlsx' }));
  await page.user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Asked for by its owner');
  await page.user.click(screen.getByRole('button', { name: 'Open' }));
  const versions = await screen.findByRole('table', { name: 'Versions' });
  expect(screen.getByText('Version 3.0, not found since 03 Nov 2026')).toBeTruthy();
  expect(within(versions).getAllByRole('row')).toHaveLength(3);
  expect(screen.getByRole('region', { name: 'Reading pane' }).contains(document.activeElement)).toBe(true);
  await page.checkAccessibility();
  await page.user.click(within(versions).getByRole('button', { name: 'Restore version 1.0' }));
  expect(await screen.findByText('Budget.xlsx comes back as it was in version 1.0.')).toBeTruthy();
  expect(screen.queryByRole('radio', { name: /Download/ })).toBeNull();
  await page.user.click(await screen.findByRole('button', { name: 'Restore' }));
  await page.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restore' }));
  await screen.findByText('The restore is being prepared …');
  expect(started(api)).toMatchObject({ items: ['file-1'], fileVersion: '1.0', collisions: 'replace' });
});

test('the calendar names each day with its restore points and the worst of them', async () => {
  const page = await open({ api: theApi() });
  await page.user.click(await screen.findByRole('button', { name: 'Choose another time' }));
  expect(await screen.findByRole('button', { name: '19 Nov 2026: 1 restore point, defective' })).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '18 Nov 2026: no restore point' }).disabled).toBe(true);
  await page.checkAccessibility();
});

test('the same points stand in a table, from which one is chosen as well', async () => {
  const page = await open({ api: theApi() });
  await page.user.click(await screen.findByRole('button', { name: 'Choose another time' }));
  await page.user.click(screen.getByRole('button', { name: 'Show as table' }));
  await screen.findByRole('region', { name: 'Points' });
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Show as calendar' }));
  expect(screen.getByRole('table', { name: 'Days with restore points' })).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Show as table' }));
  await page.user.click(screen.getByRole('button', { name: /^12 Nov 2026/ }));
  expect(await screen.findByText(/State of 12 Nov 2026/)).toBeTruthy();
});

test('the last point before a chosen moment is found', async () => {
  const page = await open({ api: theApi() });
  await page.user.click(await screen.findByRole('button', { name: 'Choose another time' }));
  await page.user.type(screen.getByLabelText('Last point before'), '2026-11-15T12:00');
  await page.user.click(screen.getByRole('button', { name: 'Jump' }));
  expect(await screen.findByText(/State of 12 Nov 2026/)).toBeTruthy();
});

test('the contents have heads, by which the server sorts them up, down and not at all', async () => {
  const asked: (string | null)[] = [];
  const api = theApi().on(discovery.items, ({ query }) => {
    asked.push(query.get('sort'));
    return { ...onePage([file]), point: points[0] ?? null, trail: [] };
  });
  const page = await open({ api });
  const size = await screen.findByRole('button', { name: 'Size' });
  expect(screen.getAllByRole('columnheader', { hidden: true }).map((head) => head.textContent)).toEqual([
    'Selected',
    'Name',
    'Kind',
    'Author',
    'Versions',
    'Modified',
    'Size',
    'Preview',
  ]);
  await page.user.click(size);
  await waitFor(() => expect(asked.at(-1)).toBe('sizeBytes'));
  await page.user.click(await screen.findByRole('button', { name: 'Size' }));
  await waitFor(() => expect(asked.at(-1)).toBe('-sizeBytes'));
  expect(screen.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe('descending');
  await page.checkAccessibility();
});

test('two points are compared: what was added, changed and deleted between them', async () => {
  const api = theApi().on(
    discovery.compare,
    onePage([
      { ...file, change: 'changed' as const },
      { ...file, nodeId: 'gone', name: 'Gone.txt', path: 'Gone.txt', change: 'removed' as const },
    ]),
  );
  const page = await open({ api });
  await page.user.click(await screen.findByRole('button', { name: 'Compare with another point' }));
  expect(await screen.findByText('Gone.txt')).toBeTruthy();
  expect(screen.getByText('Deleted')).toBeTruthy();
  expect(api.calls.some((call) => call.includes('from=2&to=3'))).toBe(true);
  await page.checkAccessibility();
});

test('a rehearsal asks for no collisions: it goes into a folder of its own', async () => {
  const api = theApi();
  const page = await open({ api });
  await page.user.click(await screen.findByRole('checkbox', { name: 'Select Budget.xlsx' }));
  await page.user.click(screen.getByRole('button', { name: 'Next' }));
  await page.user.click(await screen.findByRole('radio', { name: /^Rehearsal/ }));
  expect(screen.queryByRole('radio', { name: 'Skip existing' })).toBeNull();
  expect(screen.queryByText('Already there')).toBeNull();
  await page.user.click(screen.getByRole('button', { name: 'Restore' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText(/^To: Rehearsal\./)).toBeTruthy();
  expect(dialog.textContent).not.toContain('Existing items');
  await page.user.click(within(dialog).getByRole('button', { name: 'Restore' }));
  await screen.findByText('The restore is being prepared …');
  expect(started(api)).toMatchObject({ items: ['file-1'], target: { kind: 'rehearsal' } });
});

test('content is not given to others without a reason', async () => {
  const api = theApi();
  const page = await open({ api });
  await page.user.click(await screen.findByRole('checkbox', { name: 'Select Budget.xlsx' }));
  await page.user.click(screen.getByRole('button', { name: 'Next' }));
  await page.user.click(await screen.findByRole('radio', { name: 'Download' }));
  await page.user.click(screen.getByRole('button', { name: 'Restore' }));
  expect(await screen.findByText('Please enter a reason.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a source that is gone says so in place', async () => {
  const api = theApi().fail(discovery.source, 404, { code: 'restore.source-unknown' });
  await open({ api });
  expect(await screen.findByText('This no longer exists.')).toBeTruthy();
});

test('a restore to somebody else says what, to whom and why before it starts', async () => {
  const ben = { id: 'ben', name: 'Ben Walters', address: 'ben@contoso.example', kind: 'user' as const };
  const api = theApi().on(discovery.users, onePage([{ ...ben, protection: 'protected' as const, lastPointAt: null }]));
  const page = await open({ api });
  await page.user.click(await screen.findByRole('checkbox', { name: 'Select Budget.xlsx' }));
  await page.user.click(screen.getByRole('button', { name: 'Next' }));
  await page.user.click(await screen.findByRole('radio', { name: /^Another mailbox/ }));
  await page.user.click(await screen.findByRole('checkbox', { name: /Ben Walters/ }));
  await page.user.type(screen.getByRole('textbox', { name: /^Reason/ }), 'Handover of the project');
  await page.user.click(screen.getByRole('button', { name: 'Restore' }));
  const dialog = within(await screen.findByRole('dialog'));
  for (const words of ["Adele's OneDrive", 'Ben Walters', 'Handover of the project']) expect(dialog.getByText(words)).toBeTruthy();
  await page.user.click(dialog.getByRole('button', { name: 'Restore' }));
  await screen.findByText('The restore is being prepared …');
  expect(started(api)).toMatchObject({ target: { kind: 'elsewhere', graphId: 'ben' }, reason: 'Handover of the project' });
});

test('the list of recent restores names recipient and reason', async () => {
  const facts = { source: 'Adele Vance', target: 'elsewhere' as const, recipient: 'Ben Walters', reason: 'Handover of the project' };
  const api = theApi().on(monitoring.list, onePage([aRun({ type: 'restore', restore: facts })]));
  const page = await open({ api, path: base });
  expect(await screen.findByText(/Ben Walters/)).toBeTruthy();
  expect(screen.getByText('Reason: Handover of the project')).toBeTruthy();
  await page.checkAccessibility();
});
