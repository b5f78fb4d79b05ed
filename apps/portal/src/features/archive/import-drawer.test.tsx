import { screen, waitFor, within } from '@testing-library/react';
import { discovery } from '@holdfast/contract/discovery';
import { accounts } from '@holdfast/contract/identity';
import { imports, type ImportFile, type ImportReport } from '@holdfast/contract/imports';
import { jobs } from '@holdfast/contract/jobs';
import { locations } from '@holdfast/contract/locations';
import { expect, test } from 'vitest';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aJob, aLocation, onePage, sampleIds } from '../../testing/samples.ts';
import ArchiveJobsPage from './archive-jobs-page.tsx';

const page = { path: '/archive/jobs', pattern: '/archive/jobs/*' };
const fileId = '01900000-0000-7000-8000-0000000000f1';

/** A file as the server has cut it: how many parts there are is its word. */
const aFile = (changes: Partial<ImportFile> = {}): ImportFile => ({
  fileId,
  name: 'Inbox.mbox',
  sizeBytes: 10,
  received: [],
  parts: 2,
  uploader: 'owner@contoso.example',
  createdAt: '2026-11-23T12:00:00.000Z',
  ...changes,
});

const aReport = (changes: Partial<ImportReport> = {}): ImportReport => ({
  jobId: sampleIds.job,
  runId: sampleIds.run,
  dryRun: true,
  isEnded: true,
  seen: 1_205,
  added: 1_204,
  known: 0,
  erasedBefore: 0,
  failed: 1,
  formats: [{ format: 'mboxrd', files: 1 }],
  folders: [
    { path: 'Inbox', messages: 1_200, bytes: 12_000_000, oldestAt: '2019-01-02T10:00:00Z', newestAt: '2026-10-02T10:00:00Z' },
    { path: 'Sent', messages: 4, bytes: 4_000, oldestAt: '2026-01-02T10:00:00Z', newestAt: '2026-02-02T10:00:00Z' },
  ],
  otherFolders: 0,
  ...changes,
});

function theApi(): FakeApi {
  return (
    aSignedInApi()
      .on(jobs.list, onePage([]))
      .on(locations.list, { items: [aLocation()] })
      .on(imports.addFile, aFile())
      .on(imports.putPart, undefined)
      .on(jobs.create, aJob())
      .on(imports.report, aReport())
      // After the report, whose path takes `files` for a job here.
      .on(imports.files, { items: [] })
      .on(imports.faults, onePage([{ faultId: fileId, fileName: 'Inbox.mbox', offset: 4_096, code: 'import.no-header', sizeBytes: 20 }]))
      .on(
        discovery.users,
        onePage([
          {
            id: 'adele',
            name: 'Adele Vance',
            address: 'adele@contoso.example',
            kind: 'user',
            protection: 'unprotected',
            lastPointAt: null,
          },
        ]),
      )
  );
}

async function open(api: FakeApi, language: 'en' | 'de' = 'en', role: 'owner' | 'operator' = 'owner') {
  const rendered = await renderPage(<ArchiveJobsPage />, { ...page, api, language, role });
  await rendered.user.click(await screen.findByRole('button', { name: language === 'en' ? 'Import mail' : 'E-Mails importieren' }));
  return { ...rendered, drawer: within(await screen.findByRole('dialog')) };
}

async function chooseFile(opened: Awaited<ReturnType<typeof open>>): Promise<void> {
  const file = new File([new Uint8Array(10)], 'Inbox.mbox');
  await opened.user.upload(opened.drawer.getByLabelText('Choose file'), file);
  await opened.user.click(opened.drawer.getByRole('combobox', { name: /Location/ }));
  await opened.user.click(await screen.findByRole('option', { name: aLocation().name }));
  await opened.user.click(opened.drawer.getByRole('button', { name: 'Look at the files' }));
}

test('a file is uploaded in parts, looked at, and imported into the archive that was chosen', async () => {
  const api = theApi();
  const opened = await open(api);
  await opened.checkAccessibility();
  await chooseFile(opened);
  expect(await opened.drawer.findByText('Mailbox file (mboxrd)')).toBeTruthy();
  expect(api.calls.filter((call) => call.startsWith('PUT')).map((call) => call.split('/').at(-1))).toEqual(['0', '1']);
  expect(opened.drawer.getByRole('row', { name: /Inbox 1,200/ })).toBeTruthy();
  expect(await opened.drawer.findByText('Inbox.mbox, at byte 4,096:')).toBeTruthy();
  await opened.checkAccessibility();
  await opened.user.click(await opened.drawer.findByText('Adele Vance'));
  api.on(imports.report, aReport({ dryRun: false, known: 4, added: 1_200, folders: [] }));
  await opened.user.click(opened.drawer.getByRole('button', { name: 'Import' }));
  expect(await opened.drawer.findByText('The import has ended.')).toBeTruthy();
  const [sent] = api.bodies.filter((body) => (body as { import?: { mapping?: unknown[] } } | undefined)?.import?.mapping !== undefined);
  expect(sent).toMatchObject({
    type: 'import',
    import: { source: { kind: 'upload', fileId }, mapping: [{ folder: '', into: 'Imported', mailbox: { id: 'adele' } }] },
  });
  await opened.checkAccessibility();
});

test('the piece that was not taken in is saved with a reason, by those alone who may', async () => {
  const name = 'Save the piece from Inbox.mbox at byte 4,096';
  const unread = { faultId: sampleIds.run, fileName: 'Broken.zip', offset: 0, code: 'import.no-header', sizeBytes: 0 };
  const piece = { ...unread, faultId: fileId, fileName: 'Inbox.mbox', offset: 4_096, sizeBytes: 20 };
  const saved: unknown[] = [];
  const api = theApi()
    .on(imports.faults, onePage([piece, unread]))
    .on(accounts.downloadPass, ({ body }) => void saved.push(body));
  const opened = await open(api);
  await chooseFile(opened);
  await opened.user.click(await opened.drawer.findByRole('button', { name }));
  // Nothing could be read there, so there is nothing to save.
  expect(opened.drawer.getByText('Broken.zip, at byte 0:')).toBeTruthy();
  expect(opened.drawer.queryByRole('button', { name: /Broken/ })).toBeNull();
  const form = within(await opened.drawer.findByRole('form', { name }));
  await opened.checkAccessibility();
  await opened.user.click(form.getByRole('button', { name: 'Save the piece' }));
  expect(saved).toEqual([]);
  await opened.user.type(form.getByRole('textbox', { name: /Reason for looking/ }), 'Ticket 7');
  await opened.user.click(form.getByRole('button', { name: 'Save the piece' }));
  const raw = new RegExp(`/archive/imports/${sampleIds.job}/faults/${fileId}/raw[?]reason=Ticket(?:[+]|%20)7$`);
  await waitFor(() => expect(saved).toEqual([{ address: expect.stringMatching(raw) }]));
  await waitFor(() => expect(opened.drawer.queryByRole('form', { name })).toBeNull());
  opened.unmount();
  const operator = await open(api, 'en', 'operator');
  await chooseFile(operator);
  expect(await operator.drawer.findByText('Inbox.mbox, at byte 4,096:')).toBeTruthy();
  expect(operator.drawer.queryByRole('button', { name: /Save the piece/ })).toBeNull();
});

test('an interrupted upload resumes with the missing parts', async () => {
  const api = theApi().on(imports.files, { items: [aFile({ received: [0] })] });
  const opened = await open(api);
  await chooseFile(opened);
  await waitFor(() => expect(api.calls.filter((call) => call.startsWith('PUT')).map((call) => call.split('/').at(-1))).toEqual(['1']));
  expect(await opened.drawer.findByText('Mailbox file (mboxrd)')).toBeTruthy();
});

test('imports are listed together with archive jobs, whatever the workload, and alone where they are chosen', async () => {
  const asked: (string | null)[] = [];
  const api = theApi().on(jobs.list, ({ query }) => {
    asked.push(`${query.get('type')} ${query.get('workload')}`);
    return onePage([aJob()]);
  });
  const { user } = await renderPage(<ArchiveJobsPage />, { ...page, api });
  await user.click(await screen.findByRole('combobox', { name: 'Filter by Kind' }));
  await user.click(await screen.findByRole('option', { name: 'Import' }));
  await waitFor(() => expect(asked).toContain('import null'));
  expect(asked[0]).toBe('archive,import null');
  await user.click(await screen.findByRole('combobox', { name: 'Filter by Kind' }));
  await user.click(await screen.findByRole('option', { name: 'Archive' }));
  await waitFor(() => expect(asked).toContain('archive exchange'));
});

test('without a file, a folder or a location the fields say so, in German too', async () => {
  const api = theApi();
  const opened = await open(api, 'de');
  await opened.user.click(opened.drawer.getByRole('radio', { name: /In einem Ordner des Servers/ }));
  await opened.user.click(opened.drawer.getByRole('button', { name: 'Dateien ansehen' }));
  expect((await opened.drawer.findAllByText(/./, { selector: '.fui-Field__validationMessage' })).length).toBe(2);
  expect(api.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  await opened.checkAccessibility();
});

test('an empty form names the missing file as well as the location, and the focus is at the file', async () => {
  const api = theApi();
  const opened = await open(api);
  await opened.user.click(opened.drawer.getByRole('button', { name: 'Look at the files' }));
  const faults = await opened.drawer.findAllByText(/./, { selector: '.fui-Field__validationMessage' });
  expect(faults.map(({ textContent }) => textContent)).toEqual(['Please select a file.', 'Please fill in this field.']);
  expect(document.activeElement).toBe(opened.drawer.getByRole('button', { name: 'Choose file' }));
  await opened.checkAccessibility();
  await opened.user.upload(opened.drawer.getByLabelText('Choose file'), new File([new Uint8Array(10)], 'Inbox.mbox'));
  await waitFor(() => expect(opened.drawer.queryByText('Please select a file.', { selector: '.fui-Field__validationMessage' })).toBeNull());
  expect(api.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
});
