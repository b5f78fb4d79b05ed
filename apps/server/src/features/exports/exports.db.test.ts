import type { ContentExport } from '@holdfast/contract/exports';
import type { Page } from '@holdfast/contract/paging';
import type { SearchAnswer } from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { act, unscheduled } from '../../testing/simulated-tenant.ts';
import { createExportGround, HASHES, head, MAILS, run, WORD } from './testing/export-ground.ts';

/** Exports over HTTP, opened and judged by programs of others. */
const testing = testDatabase(import.meta.url);
const ground = createExportGround(testing);
const { send, told, codeOf, hitsOf, selected, exported, ended, unpacked, verified, filesIn, imported, archivedOf, manifestOf } = ground;
const { query, person } = ground;

beforeAll(() => ground.open(), 240_000);
afterEach(() => onCrashPoint(undefined));
afterAll(() => ground.close());

test('A28: what is exported and imported into an empty archive is the same set of messages, and the export verifies', async () => {
  const one = await ended(await exported({ source: { kind: 'selection', selectionId: await selected() } }));
  expect(one).toMatchObject({ status: 'successful', items: MAILS.length, failed: 0, files: MAILS.length, read: MAILS.length });
  const into = await unpacked(one, 'eml');
  expect(await verified(into)).toMatchObject([expect.stringMatching(/^The export is whole: 42 files\./u), expect.any(String)]);
  const mails = await filesIn(into, '.eml');
  expect(new Set(mails.map((name) => name.toLowerCase())).size).toBe(MAILS.length);
  expect((await Promise.all(mails.map(async (name) => sha256Hex(await readFile(path.join(into, name)))))).sort()).toEqual(HASHES);

  await run('xmllint', ['--noout', '--schema', path.join(into, 'index.xsd'), path.join(into, 'index.xml')]);
  const index = await readFile(path.join(into, 'index.csv'), 'utf8');
  expect(index).toContain('"\'=HYPERLINK(""http://evil.example"")"');
  expect(index.trimEnd().split('\r\n')).toHaveLength(MAILS.length + 1);
  const { files, ...manifest } = await manifestOf(into);
  expect(manifest).toMatchObject({
    query: one.query,
    requestedBy: ground.owner.email,
    errors: 0,
    accounts: [{ items: MAILS.length, errors: 0 }],
    coverage: { searched: expect.any(Number) as number },
  });
  expect(files).toHaveLength(MAILS.length + 6);
  // Without Holdfast: the commands that the page in the export gives.
  await run('sha256sum', ['--check', 'manifest.sha256'], { cwd: into });
  const seal = ['-pubin', '-inkey', 'public-key.pem', '-rawin', '-in', 'manifest.sha256', '-sigfile', 'manifest.sha256.sig'];
  expect((await run('openssl', ['pkeyutl', '-verify', ...seal], { cwd: into })).stdout).toContain('Success');

  const mailsOnly = path.join(ground.folder, 'mails-only');
  await mkdir(mailsOnly);
  for (const name of mails) await writeFile(path.join(mailsOnly, path.basename(name)), await readFile(path.join(into, name)));
  await imported('back', mailsOnly, person(1));
  expect(await archivedOf(person(1).id)).toEqual(HASHES);
}, 120_000);

test('A28: verification names the file of which one byte was changed, the one that is missing, the one that was added, and a forged manifest', async () => {
  const one = await ended(await exported({ source: { kind: 'selection', selectionId: await selected() } }));
  const into = await unpacked(one, 'damaged');
  const [first = '', second = ''] = await filesIn(into, '.eml');
  const bytes = await readFile(path.join(into, first));
  bytes[10] = (bytes[10] ?? 0) ^ 1;
  await writeFile(path.join(into, first), bytes);
  await unlink(path.join(into, second));
  await writeFile(path.join(into, 'extra.eml'), 'x');
  const lines = await verified(into);
  expect(lines.slice().sort()).toEqual(
    [
      `${first}: was changed`,
      `${second}: is missing`,
      'extra.eml: does not belong to the export',
      'The export is not whole: 3 problems in 42 files.',
    ].sort(),
  );
  await appendFile(path.join(into, 'manifest.json'), ' ');
  expect(await verified(into)).toEqual(['manifest.json is not the one that was signed.']);
  await unlink(path.join(into, 'manifest.sha256.sig'));
  expect(await verified(into)).toEqual([expect.stringContaining('manifest.sha256.sig is missing')]);
}, 60_000);

test('a mailbox file is read by other programs, and the manifest has the hashes of its messages before they were quoted', async () => {
  const one = await ended(await exported({ format: 'mbox', source: { kind: 'selection', selectionId: await selected() } }));
  expect(one).toMatchObject({ status: 'successful', files: 1, items: MAILS.length });
  const into = await unpacked(one, 'mbox');
  expect((await verified(into))[0]).toMatch(/^The export is whole: 7 files/u);
  const [file = ''] = await filesIn(into, '.mbox');
  const maildir = path.join(ground.folder, 'maildir');
  for (const part of ['cur', 'new', 'tmp']) await mkdir(path.join(maildir, part), { recursive: true });
  execFileSync('mdeliver', ['-M', maildir], { input: await readFile(path.join(into, file)), maxBuffer: 2 ** 26 });
  expect(await readdir(path.join(maildir, 'new'))).toHaveLength(MAILS.length);
  expect((await manifestOf(into)).originals.map(({ sha256 }) => sha256).sort()).toEqual(HASHES);
}, 60_000);

test('A28: an export that dies at any step goes on, and its manifest lists the same as that of one that did not', async () => {
  const selectionId = await selected();
  const whole = await unpacked(await ended(await exported({ source: { kind: 'selection', selectionId } })), 'whole');
  const points = ['export.listed-batch', 'export.read-page', 'export.parts-made', 'export.papers-hashed'];
  onCrashPoint((passed) => {
    if (passed === points[0]) throw new Error(`died at ${passed}`);
  });
  const begun = await exported({ source: { kind: 'selection', selectionId } });
  while (points.length > 0) {
    expect((await ended(begun)).status).toBe('failed');
    expect(await codeOf(await send(`exports/${begun.exportId}/parts/1`))).toBe('409 exports.not-ready');
    points.shift();
    expect((await send(`exports/${begun.exportId}/resume`, { method: 'POST' })).status).toBe(204);
  }
  const one = await ended(begun);
  expect(one.status).toBe('successful');
  const into = await unpacked(one, 'interrupted');
  expect((await verified(into))[0]).toMatch(/^The export is whole/u);
  const same = async (of: string) => {
    const { exportId: _id, requestedAt: _at, ...rest } = await manifestOf(of);
    return rest;
  };
  expect(await same(into)).toEqual(await same(whole));
  expect(await codeOf(await send(`exports/${begun.exportId}/resume`, { method: 'POST' }))).toBe('409 exports.not-resumable');
}, 120_000);

test('an item that can no longer be read is in errors.csv, and the export says so', async () => {
  const selectionId = await selected(`${WORD} formula`);
  await testing.asSuperuser(`update search_selection_items set item_key = repeat('0', 64) where selection_id = $1`, [selectionId]);
  const one = await ended(await exported({ source: { kind: 'selection', selectionId } }));
  expect(one).toMatchObject({ status: 'defective', failed: 1, files: 0 });
  const into = await unpacked(one, 'missing');
  expect(await readFile(path.join(into, 'errors.csv'), 'utf8')).toContain('content.item-unknown');
  expect((await manifestOf(into))['errors']).toBe(1);
  expect((await verified(into))[0]).toMatch(/^The export is whole: 6 files/u);
}, 60_000);

test('nobody else sees an export; where access is strict its maker downloads it only with a right; every download is logged first', async () => {
  const one = await ended(await exported({ source: { kind: 'selection', selectionId: await selected() } }));
  const other = await ground.running.server.member(ground.owner.organisationId, 'administrator');
  const to = `exports/${one.exportId}`;
  for (const path of [to, `${to}/parts/1`]) expect(await codeOf(await send(path, { token: other.tokens.main }))).toBe('404 not-found');
  expect((await told<Page<ContentExport>>(await send('exports', { token: other.tokens.main }))).total).toBe(0);
  expect((await told<Page<ContentExport>>(await send('exports'))).items.map(({ exportId }) => exportId)).toContain(one.exportId);
  expect(await codeOf(await send(`${to}/parts/2`))).toBe('404 not-found');
  await (await send(`${to}/parts/1`)).arrayBuffer();
  const log = await testing.asSuperuser(
    `select payload from (select event, payload::jsonb as payload from audit_inbox union all select event, payload::jsonb from audit_events) told
     where event = 'content.downloaded' and payload #>> '{details,exportId}' = $1`,
    [one.exportId],
  );
  expect(log.map(({ payload }) => payload)).toMatchObject([
    { actor: ground.owner.email, reason: 'A dispute', details: { part: 1, hits: MAILS.length } },
  ]);
  await testing.asSuperuser("update organisations set content_access = 'strict'");
  try {
    expect(await codeOf(await send(`${to}/parts/1`))).toBe('403 content.export-right-needed');
    const again = { name: 'Again', format: 'eml', reason: 'Test', source: { kind: 'savedSearch', searchId: one.exportId } };
    expect(await codeOf(await send('exports', { body: again }))).toBe('403 content.read-right-needed');
  } finally {
    await testing.asSuperuser("update organisations set content_access = 'open'");
  }
  expect(
    await codeOf(
      await send('exports', {
        body: { name: 'No reason', format: 'eml', reason: '', source: { kind: 'selection', selectionId: one.exportId } },
      }),
    ),
  ).toBe('400 request.invalid');
}, 60_000);

test('an export expires: it is listed, and can no longer be downloaded; one that has ended can be deleted', async () => {
  const one = await ended(await exported({ source: { kind: 'selection', selectionId: await selected() } }));
  await testing.asSuperuser(`update exports set expires_at = now() - interval '1 minute' where export_id = $1`, [one.exportId]);
  expect(await codeOf(await send(`exports/${one.exportId}/parts/1`))).toBe('409 exports.not-ready');
  expect((await send(`exports/${one.exportId}`, { method: 'DELETE' })).status).toBe(204);
  expect(await codeOf(await send(`exports/${one.exportId}`))).toBe('404 not-found');
}, 60_000);

test('what a saved search and a query of a case find is exported; the case lists its exports and logs them', async () => {
  const body = { name: 'Compote', query: query(), hasAlert: false };
  const saved = await told<{ searchId: string }>(await send('searches', { body }));
  const bySearch = await ended(await exported({ source: { kind: 'savedSearch', searchId: saved.searchId } }));
  expect(bySearch).toMatchObject({ status: 'successful', items: MAILS.length, caseId: null });

  const mime = Buffer.from(`${head('In the mailbox')}Mirabellenmus\n`).toString('base64');
  act(ground.running.simulator, 'mail.deliver', { user: person(2).id, folder: 'inbox', mime });
  const source = { everyone: false, users: [person(2)], groups: [], sites: [], teams: [] };
  await ground.tenant.finish(await ground.tenant.job({ type: 'backup', name: 'Mail', source }));
  await vi.waitFor(
    async () => {
      if ((await hitsOf('Mirabellenmus')) === 0) throw new Error('The mail has not been read yet.');
    },
    { timeout: 60_000, interval: 300 },
  );
  const { caseId } = await told<{ caseId: string }>(
    await send('cases', { body: { matter: 'Fruit', reference: '', from: null, to: null } }),
  );
  const people = await told<Page<{ key: string }>>(await send(`cases/${caseId}/people`));
  await told(await send(`cases/${caseId}/custodians`, { body: { keys: people.items.map(({ key }) => key) } }));
  const added = await send(`cases/${caseId}/queries`, { body: { name: 'All', query: 'Mirabellenmus' } });
  const { queries } = await told<{ queries: { queryId: string }[] }>(added);
  const byCase = await ended(await exported({ source: { kind: 'case', caseId, queryId: queries[0]?.queryId } }));
  expect(byCase).toMatchObject({ status: 'successful', caseId, items: 1 });
  const list = await told<Page<ContentExport>>(await send(`exports?caseId=${caseId}`));
  expect(list.items.map(({ exportId }) => exportId)).toEqual([byCase.exportId]);
  await vi.waitFor(async () => {
    const log = await told<Page<{ event: string }>>(await send(`cases/${caseId}/log`));
    if (!log.items.some(({ event }) => event === 'cases.exported')) throw new Error('The log does not say so yet.');
  });
}, 120_000);

test('one mail is printed as a PDF file that names the hash of its original', async () => {
  const answer = await send('search', { body: { query: query(`${WORD} quotes`), reason: 'An export', limit: 1 } });
  const [hit] = (await told<SearchAnswer>(answer)).items;
  if (!hit) throw new Error('The mail was not found.');
  const { locationId, sourceId, nodeId, sequence } = hit;
  const open = async (): Promise<string> => {
    const body = { locationId, sourceId, nodeId, sequence, reason: 'A dispute' };
    const opened = await ground.running.server.send(`/apollo/api/${ground.tenant.tenantId}/content-tickets`, {
      token: ground.owner.tokens.main,
      body,
    });
    return (await told<{ ticket: string }>(opened)).ticket;
  };
  for (const language of ['en', 'de']) {
    const to = `/apollo/api/${ground.tenant.tenantId}/content-tickets/${await open()}/pdf?language=${language}`;
    const pdf = await ground.running.server.send(to, { token: ground.owner.tokens.main });
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const file = path.join(ground.folder, `mail-${language}.pdf`);
    await writeFile(file, Buffer.from(await pdf.arrayBuffer()));
    expect((await run('qpdf', ['--check', file])).stdout).toContain('No syntax or stream encoding errors found');
    const text = (await run('pdftotext', ['-layout', file, '-'])).stdout;
    expect(text.replaceAll(/\s+/gu, '')).toContain(nodeId);
    expect(text).toContain('& "quotes"');
    expect(text).toContain(WORD);
  }
}, 60_000);

test('an export is made through its own calls alone', async () => {
  const body = { type: 'export', name: 'Slipped in', schedule: unscheduled, exportId: ground.tenant.tenantId };
  const answer = await ground.running.server.send(`/apollo/api/${ground.tenant.tenantId}/jobs`, { token: ground.owner.tokens.main, body });
  expect(await codeOf(answer)).toBe('400 jobs.type-unavailable');
}, 30_000);

test('an export says how much could be searched when its selection was made, not what the index has read since', async () => {
  const asked = { body: { query: query(WORD), reason: 'An export', limit: 1 } };
  const selectionId = await selected();
  const { coverage } = await told<SearchAnswer>(await send('search', asked));
  await testing.asSuperuser("update search_items set state = 'failed' where state = 'indexed'");
  expect((await told<SearchAnswer>(await send('search', asked))).coverage).not.toEqual(coverage);
  const one = await ended(await exported({ source: { kind: 'selection', selectionId } }));
  expect((await manifestOf(await unpacked(one, 'coverage')))['coverage']).toEqual(coverage);
}, 60_000);
