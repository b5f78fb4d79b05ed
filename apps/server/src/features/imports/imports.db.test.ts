import type { ArchivedMailbox, ArchivedMailboxDetails } from '@holdfast/contract/archive';
import { importPartBytes, type ImportFault, type ImportFile, type ImportReport } from '@holdfast/contract/imports';
import type { RunAccount, RunProblem } from '@holdfast/contract/monitoring';
import type { Page } from '@holdfast/contract/paging';
import { outlookPasswordCheck } from '@holdfast/contract/outlook-password';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { bytesOfSparse, writePst } from '@holdfast/engine/testing/pst-writer';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { systemClock } from '@holdfast/foundation/clock';
import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { silentLogger } from '@holdfast/foundation/logger';
import type { Scope } from '@holdfast/database';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { recountArchives } from '../archive/index.ts';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import {
  act,
  connectSimulated,
  everyone,
  peopleOf,
  unscheduled,
  type SimulatedPerson,
  type SimulatedTenant,
} from '../../testing/simulated-tenant.ts';

/** Mail from files in archives, by jobs that were made over HTTP. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let imports: string;
let tenant: SimulatedTenant;
let token: string;
let people: readonly SimulatedPerson[];

const person = (at: number) => {
  const found = people[at];
  if (!found) throw new Error(`There is no person ${at}.`);
  return found;
};
const mail = (id: string, body: string): string =>
  `From: anna@fabrikam.example\nTo: you@tiny.example\nSubject: Offer ${id}\nMessage-ID: <${id}@fabrikam.example>\nDate: Mon, 02 Nov 2026 10:00:00 +0000\n\n${body}`;
const mbox = (messages: readonly string[]): string =>
  messages
    .map((message) => `From anna@fabrikam.example Mon Nov  2 10:00:00 2026\n${message.replaceAll(/^(>*From )/gmu, '>$1')}\n`)
    .join('');
const hashes = (messages: readonly string[]): string[] => messages.map((message) => sha256Hex(Buffer.from(message, 'latin1'))).sort();

async function send(to: string, { method = 'GET', body }: { readonly method?: string; readonly body?: object } = {}): Promise<Response> {
  return running.server.send(`/apollo/api/${tenant.tenantId}/${to}`, { method, token, ...(body === undefined ? {} : { body }) });
}

async function codeOf(answer: Response): Promise<string> {
  return `${answer.status} ${((await answer.json()) as { code?: string }).code}`;
}

async function putPart(fileId: string, part: number, bytes: Buffer): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'part');
  const to = `${running.server.address}/apollo/api/${tenant.tenantId}/archive/imports/files/${fileId}/parts/${part}`;
  return fetch(to, { method: 'PUT', body: form, headers: { authorization: `Bearer ${token}` } });
}

const announce = (name: string, sizeBytes: number): Promise<ImportFile> =>
  tenant.call<ImportFile>(`${tenant.tenantId}/archive/imports/files`, { name, sizeBytes, locationId: tenant.locationId });

async function folder(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const there = path.join(imports, name);
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(there, file)), { recursive: true });
    await writeFile(path.join(there, file), content, 'latin1');
  }
  return name;
}

let jobs = 0;
const importBody = (settings: object) => ({
  type: 'import',
  name: `Import ${(jobs += 1)}`,
  locationId: tenant.locationId,
  schedule: unscheduled,
  import: settings,
});
const fromFolder = (name: string, mapping: readonly object[]) => importBody({ source: { kind: 'folder', path: name }, mapping });

const report = (jobId: string): Promise<ImportReport> => tenant.call<ImportReport>(`${tenant.tenantId}/archive/imports/${jobId}`);
const faults = async (jobId: string): Promise<ImportFault[]> =>
  (await tenant.call<Page<ImportFault>>(`${tenant.tenantId}/archive/imports/${jobId}/faults`)).items;

/** What the newest state of the archive of a mailbox has, with the folders of each message. */
async function archived(user: string): Promise<ReadonlyMap<string, string[]>> {
  const rows = await testing.asSuperuser(
    `select item_key, detail from catalog_items join catalog_sources using (organisation_id, realm, source_id)
       join resources using (organisation_id, realm, resource_id)
     where resources.kind = 'archive' and to_point = 9007199254740991 and graph_id = $1 order by item_key`,
    [user],
  );
  return new Map(
    rows.map(({ item_key, detail }) => {
      const { properties } = detail as { properties: { placements: { folder: string }[] } };
      return [item_key as string, properties.placements.map((place) => place.folder).sort()];
    }),
  );
}

beforeAll(async () => {
  imports = await mkdtemp(path.join(tmpdir(), 'holdfast-imports-'));
  running = await startSimulatedServer(testing, { HOLDFAST_IMPORT_ROOTS: imports });
  const { server, simulator } = running;
  const owner = await server.owner();
  token = owner.tokens.main;
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(running.folder, 'vault') });
  people = peopleOf(simulator);
}, 240_000);
afterEach(() => onCrashPoint(undefined));
afterAll(async () => {
  await running.close();
  await rm(imports, { recursive: true, force: true });
});

test('A7: a file is uploaded in parts, looked at first, and imported; its counts balance and its messages have their exact bytes', async () => {
  const messages = ['one', 'two', 'three'].map((id) => mail(id, `${'x'.repeat(74)}\n`.repeat(12_000)));
  const bytes = Buffer.from(`${mbox(messages)}From broken@fabrikam.example Mon Nov  2 10:00:00 2026\n\nno header\n\n`, 'latin1');
  const file = await announce('Inbox.mbox', bytes.byteLength);
  expect(file).toMatchObject({ received: [], parts: 2 });
  expect((await putPart(file.fileId, 1, bytes.subarray(importPartBytes))).status).toBe(204);
  const settings = { source: { kind: 'upload', fileId: file.fileId }, dryRun: true };
  expect(await codeOf(await send('jobs', { method: 'POST', body: importBody(settings) }))).toBe('409 import.file-not-whole');
  expect(await codeOf(await putPart(file.fileId, 0, bytes.subarray(0, 10)))).toBe('400 import.part-size');
  expect((await putPart(file.fileId, 0, bytes.subarray(0, importPartBytes))).status).toBe(204);
  expect((await putPart(file.fileId, 0, bytes.subarray(0, importPartBytes))).status).toBe(204);
  const files = await tenant.call<{ items: ImportFile[] }>(`${tenant.tenantId}/archive/imports/files`);
  expect(files.items).toMatchObject([{ name: 'Inbox.mbox', received: [0, 1] }]);

  const look = await tenant.job(importBody(settings));
  expect(await tenant.finish(look)).toMatchObject({ status: 'defective', added: 0 });
  expect(await report(look)).toMatchObject({
    dryRun: true,
    isEnded: true,
    seen: 4,
    added: 3,
    failed: 1,
    formats: [{ format: 'mboxrd', files: 1 }],
  });
  expect((await report(look)).folders).toMatchObject([{ path: 'Inbox', messages: 3, oldestAt: '2026-11-02T10:00:00.000Z' }]);
  expect((await archived(person(0).id)).size).toBe(0);

  const job = await tenant.job(importBody({ source: settings.source, mapping: [{ mailbox: person(0), into: 'Old mail' }] }));
  expect(await tenant.finish(job)).toMatchObject({ status: 'defective' });
  expect(await report(job)).toMatchObject({ dryRun: false, seen: 4, added: 3, known: 0, failed: 1 });
  expect([...(await archived(person(0).id)).keys()]).toEqual(hashes(messages));
  expect(new Set([...(await archived(person(0).id)).values()].flat())).toEqual(new Set(['Old mail/Inbox']));
  const [fault] = await faults(job);
  expect(fault).toMatchObject({ fileName: 'Inbox.mbox', code: 'import.no-header', offset: mbox(messages).length });
  const to = `archive/imports/${job}/faults/${fault?.faultId}/raw`;
  expect(await codeOf(await send(to))).toBe('400 request.invalid');
  const piece = await send(`${to}?reason=Audit`);
  expect(await piece.text()).toContain('no header');
  const logged = await testing.asSuperuser(`
    select payload::text as payload from audit_inbox where event = 'imports.pieceDownloaded'
    union all select payload from audit_events where event = 'imports.pieceDownloaded'`);
  expect(logged.map(({ payload }) => (JSON.parse(String(payload)) as { reason?: string }).reason)).toEqual(['Audit']);
  // Nobody's content opens to no one where access is strict.
  await testing.asSuperuser("update organisations set content_access = 'strict'");
  expect(await codeOf(await send(`${to}?reason=Audit`))).toBe('403 content.export-right-needed');
  await testing.asSuperuser("update organisations set content_access = 'open'");

  // The same again is known, and nothing is stored twice.
  expect(await tenant.finish(job)).toMatchObject({ added: 0, changed: 0, new_bytes: 0 });
  expect(await report(job)).toMatchObject({ seen: 4, added: 0, known: 3, failed: 1 });
  expect((await send(`archive/imports/files/${file.fileId}`, { method: 'DELETE' })).status).toBe(204);
  expect(await codeOf(await send(`archive/imports/files/${file.fileId}`))).toBe('404 not-found');
}, 180_000);

test('A1: folders go to the mailboxes that were chosen for them, and what differs in a byte is another message', async () => {
  const [same, other] = [mail('same', 'Body 1\n'), mail('same', 'Body 2\n')];
  const name = await folder('team', {
    'Anna/Inbox.mbox': mbox([same, other]),
    'Ben/a.eml': same,
    'Ben/Deep/b.eml': other,
    'c.eml': mail('c', 'C'),
  });
  const job = await tenant.job(
    fromFolder(name, [
      { folder: 'Anna', mailbox: person(1) },
      { folder: 'Ben', mailbox: person(2) },
      { folder: 'Ben/Deep', mailbox: person(1), into: 'Deep' },
    ]),
  );
  expect((await tenant.finish(job)).status).toBe('successful');
  expect(await report(job)).toMatchObject({ seen: 4, added: 4, failed: 0 });
  const [first = '', second = ''] = [same, other].map((text) => sha256Hex(Buffer.from(text)));
  expect(Object.fromEntries(await archived(person(1).id))).toEqual({ [first]: ['Anna/Inbox'], [second]: ['Anna/Inbox', 'Deep/Ben/Deep'] });
  expect(Object.fromEntries(await archived(person(2).id))).toEqual({ [first]: ['Ben'] });
  const { items } = await tenant.call<Page<ArchivedMailbox>>(`${tenant.tenantId}/archive/mailboxes?limit=200`);
  const one = items.find(({ email }) => email === person(1).address);
  expect(one).toMatchObject({ messages: 2, coverage: 'partly' });
  const details = await tenant.call<ArchivedMailboxDetails>(`${tenant.tenantId}/archive/mailboxes/${one?.mailboxId}`);
  expect(details.folders.map(({ path: at, messages }) => [at, messages])).toEqual([
    ['Anna/Inbox', 2],
    ['Deep/Ben/Deep', 1],
  ]);
}, 120_000);

test('A7: an import that dies at any step goes on, and its counts are those of one that did not', async () => {
  const messages = Array.from({ length: 450 }, (_, at) => mail(`m${at}`, `Body ${at % 400}\n`));
  const name = await folder('large', { 'Sent.mbox': mbox(messages), 'page.mbox': '<html><body></body></html>' });
  const job = await tenant.job(fromFolder(name, [{ mailbox: person(0), into: 'Large' }]));
  for (const point of ['backup.before-segment', 'backup.after-catalog']) {
    onCrashPoint((passed) => {
      if (passed === point) throw new Error(`died at ${point}`);
    });
    await tenant.finish(job);
    onCrashPoint(undefined);
  }
  expect(await tenant.finish(job)).toMatchObject({ status: 'defective' });
  const { seen, added, known, failed } = await report(job);
  expect([seen, added + known + failed, failed]).toEqual([451, 451, 1]);
  expect([...(await archived(person(0).id)).keys()]).toEqual(expect.arrayContaining(hashes(messages)));
  const verify = await tenant.job({ type: 'verify', name: 'Verify', budgetPercent: 100 });
  expect(await tenant.finish(verify)).toMatchObject({ status: 'successful', result: { deviations: 0 } });
}, 240_000);

test('A8: an Outlook data file is looked at, opened with its password, and imported once, its messages marked as reconstructed', async () => {
  const items = ['One', 'Two'].map((subject) => ({
    properties: [
      { id: 0x00_37, value: subject },
      { id: 0x10_00, value: `Body of ${subject}` },
      { id: 0x0e_06, value: new Date('2026-11-02T10:00:00Z') },
    ],
  }));
  const bytes = bytesOfSparse(writePst([{ name: 'Inbox', items }], { passwordCheck: outlookPasswordCheck('secret') }));
  const name = await folder('outlook', { 'anna.pst': bytes.toString('latin1') });
  const source = { kind: 'folder', path: name };
  const look = async (settings: object): Promise<ImportReport> => {
    const job = await tenant.job(importBody({ source, dryRun: true, ...settings }));
    await tenant.finish(job);
    const found = await report(job);
    const [fault] = await faults(job);
    expect(fault?.code).toBe(
      found.failed === 0 ? undefined : 'passwordCheck' in settings ? 'import.pst-password-wrong' : 'import.pst-password-needed',
    );
    return found;
  };
  expect(await look({})).toMatchObject({ seen: 1, failed: 1, formats: [{ format: 'pst', files: 1 }] });
  expect(await look({ passwordCheck: outlookPasswordCheck('wrong') })).toMatchObject({ seen: 1, failed: 1 });
  const passwordCheck = outlookPasswordCheck('secret');
  expect(await look({ passwordCheck })).toMatchObject({
    added: 2,
    failed: 0,
    folders: [{ path: 'anna/Inbox', messages: 2, oldestAt: '2026-11-02T10:00:00.000Z' }],
  });
  const before = await archived(person(2).id);
  const settings = { source, mapping: [{ mailbox: person(2) }], passwordCheck };
  const first = await tenant.job(importBody(settings));
  expect((await tenant.finish(first)).status).toBe('successful');
  expect(await report(first)).toMatchObject({ seen: 2, added: 2, known: 0, failed: 0 });
  const after = await archived(person(2).id);
  const keys = [...after.keys()].filter((key) => !before.has(key));
  expect(keys).toHaveLength(2);
  const again = await tenant.job(importBody(settings));
  await tenant.finish(again);
  expect(await report(again)).toMatchObject({ seen: 2, added: 0, known: 2, failed: 0 });
  expect(await archived(person(2).id)).toEqual(after);
  const rows = await testing.asSuperuser(`select detail from catalog_items where item_key = any($1) and to_point = 9007199254740991`, [
    keys,
  ]);
  for (const { detail } of rows) {
    const { properties, contents } = detail as { properties: object; contents: { role: string; label?: string }[] };
    expect(properties).toMatchObject({ reconstructed: true, receivedBy: 'provider' });
    expect(contents.map(({ role, label }) => [role, label ?? null])).toEqual([
      ['mime', null],
      ['part', 'properties'],
    ]);
  }
}, 120_000);

test('the counters of archives are those of a recount after captures, imports, moves and deaths, and a wrong one is set right', async () => {
  const source = { ...everyone, everyone: false, users: [person(0), person(1)] };
  await tenant.finish(await tenant.job({ type: 'backup', name: 'Mail', source }));
  await tenant.finish(await tenant.job({ type: 'archive', name: 'Archive of some', source }));
  const [row] = await testing.asSuperuser('select organisation_id from archive_mailboxes limit 1');
  const scope = { organisationId: row?.['organisation_id'], realm: 'production' } as Scope;
  const recount = async (): Promise<number> => {
    await testing.asSuperuser('update archive_mailboxes set recounted_at = null');
    return recountArchives({ database: testing.database, clock: systemClock, logger: silentLogger }, scope);
  };
  const counters = (): Promise<unknown[]> =>
    testing.asSuperuser(`select source_id, messages, attachments, bytes, null as name from archive_mailboxes union all
      select source_id, messages, attachments, bytes, dimension || name from archive_counts order by 1, 5 nulls first`);
  const before = await counters();
  expect(before.length).toBeGreaterThan(10);
  expect(await recount()).toBe(0);
  expect(await counters()).toEqual(before);
  await testing.asSuperuser('update archive_mailboxes set messages = messages + 1, oldest_at = null');
  await testing.asSuperuser("update archive_counts set bytes = bytes - 1 where dimension = 'folder'");
  await testing.asSuperuser("delete from archive_counts where dimension = 'month'");
  expect(await recount()).toBeGreaterThan(3);
  expect(await counters()).toEqual(before);
  expect(await recountArchives({ database: testing.database, clock: systemClock, logger: silentLogger }, scope)).toBe(0);
}, 240_000);

test('an import stands among the runs with its mailboxes', async () => {
  const name = await folder('runs', { 'a.eml': mail('run', 'A') });
  const job = await tenant.job(fromFolder(name, [{ mailbox: person(2) }]));
  const run = await tenant.finish(job);
  const { items } = await tenant.call<Page<RunAccount>>(`${tenant.tenantId}/monitoring/${run.run_id}/accounts`);
  expect(items.map(({ name: who, status }) => [who, status])).toEqual([[person(2).name, 'successful']]);
}, 60_000);

test('what cannot work is refused at its field, and whoever an archive job exempts is left alone', async () => {
  const name = await folder('refused', { 'a.eml': mail('a', 'A') });
  const refusal = async (body: object): Promise<string> => codeOf(await send('jobs', { method: 'POST', body }));
  const stranger = { id: '0190bbbb-0000-7000-8000-00000000dead', name: 'Stranger', address: 'stranger@tiny.example' };
  expect(await refusal(fromFolder(name, [{ mailbox: stranger }]))).toBe('400 import.mailbox-unknown');
  await symlink('/etc', path.join(imports, 'out'));
  for (const wanted of ['/etc', '../..', 'nowhere', 'out', 'a\0b']) {
    expect(await refusal(fromFolder(wanted, [{ mailbox: person(0) }])), wanted).toBe('400 import.folder-refused');
  }
  expect(await refusal(fromFolder(name, []))).toBe('400 request.invalid');
  await tenant.job({ type: 'archive', workload: 'exchange', name: 'Archive', source: everyone, exempt: [person(2)] });
  expect(await refusal(fromFolder(name, [{ mailbox: person(2) }]))).toBe('409 import.mailbox-exempt');
}, 60_000);

/** Microsoft 365 answers nothing, until the test ends. */
function closeMicrosoft365(): void {
  const { control } = running.simulator;
  control.setFaults([{ match: { path: '*' }, do: 'status', status: 403 }]);
  onTestFinished(() => control.setFaults([]));
}

test('an import does not ask Microsoft 365 as long as nobody is exempt as a member of a group', async () => {
  await tenant.finish(await tenant.job({ type: 'backup', name: 'Mail of all', source: everyone }));
  const name = await folder('away', { 'a.eml': mail('away', 'A') });
  closeMicrosoft365();
  const run = await tenant.finish(await tenant.job(fromFolder(name, [{ mailbox: person(1) }])));
  expect([run.status, run.code]).toEqual(['successful', null]);
}, 60_000);

test('whoever becomes exempt after an import was saved is left alone by its next run, as a member of a group too', async () => {
  const name = await folder('later', { 'one/a.eml': mail('later one', 'A'), 'other/a.eml': mail('later other', 'A'), 'b.eml': 'no mail' });
  const [directory] = [...running.simulator.simulation.tenants.values()].map((found) => found.directory);
  act(running.simulator, 'directory.createGroup', { displayName: 'Works council' });
  const group = directory?.groups().find(({ displayName }) => displayName === 'Works council');
  const found = directory?.users().find((user) => !user.hasMailbox);
  if (!group || !found) throw new Error('The tenant has no such group, or nobody of whom nothing is archived.');
  const one = { id: found.id, name: found.displayName, address: found.mail };
  const other = person(0);
  const saved = await tenant.job(fromFolder(name, [{ mailbox: one }]));
  const mapping = [
    { mailbox: one, folder: 'one' },
    { mailbox: other, folder: 'other' },
  ];
  const savedForTwo = await tenant.job(fromFolder(name, mapping));
  act(running.simulator, 'directory.joinGroup', { group: group.id, user: one.id });
  const exempt = [{ id: group.id, name: group.displayName, address: '' }];
  await tenant.job({ type: 'archive', workload: 'exchange', name: 'With a group', source: everyone, exempt });
  const problemsOf = async (runId: string) =>
    (await tenant.call<Page<RunProblem>>(`${tenant.tenantId}/monitoring/${runId}/problems`)).items.map(({ accountName, code }) => [
      accountName,
      code,
    ]);

  const run = await tenant.finish(saved);
  expect(run).toMatchObject({ status: 'failed', code: 'import.mailbox-exempt', added: 0 });
  expect(await problemsOf(run.run_id)).toEqual([[one.name, 'import.mailbox-exempt']]);
  expect(await report(saved)).toMatchObject({ seen: 0, added: 0, failed: 0 });

  const forTwo = await tenant.finish(savedForTwo);
  expect(forTwo).toMatchObject({ status: 'defective', code: null, added: 1 });
  expect(await problemsOf(forTwo.run_id)).toContainEqual([one.name, 'import.mailbox-exempt']);
  // The piece that is no message is in a folder of nobody: it is kept with whoever gets something.
  expect(await report(savedForTwo)).toMatchObject({ seen: 2, added: 1, failed: 1 });
  expect(await testing.asSuperuser("select from resources where kind = 'archive' and graph_id = $1", [one.id])).toEqual([]);
  expect(await codeOf(await send('jobs', { method: 'POST', body: fromFolder(name, mapping) }))).toBe('409 import.mailbox-exempt');

  const before = await archived(other.id);
  closeMicrosoft365();
  const untold = await tenant.finish(savedForTwo);
  expect([untold.status, untold.code]).toEqual(['failed', 'graph.access-denied']);
  // It can be saved all the same, for its run looks again.
  expect((await send('jobs', { method: 'POST', body: fromFolder(name, [{ mailbox: other }]) })).status).toBe(201);
  expect(await archived(other.id)).toEqual(before);
}, 60_000);
