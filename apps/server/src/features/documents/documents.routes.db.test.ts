import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DocumentFile } from '@holdfast/contract/documents';
import { pdfMaxBytes } from '@holdfast/contract/limits';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTenantRow, testIds } from '../../testing/rows.ts';
import { testServer, type Audience, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { aPdf } from './testing/pdf.ts';

/** Documents over HTTP, with a real vault in a folder. */
const testing = testDatabase(import.meta.url);
let folder: string;
let server: TestServer;
let owner: Awaited<ReturnType<TestServer['owner']>>;
let reader: SignedIn;
let outsider: Awaited<ReturnType<TestServer['owner']>>;
let locationId: string;
const tenantId = testIds.uuid();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-documents-'));
  server = await testServer(testing, { settings: { HOLDFAST_LOCATION_ROOTS: folder, HOLDFAST_DOCUMENTS_QUOTA_MB: '9' } });
  owner = await server.owner();
  reader = await server.member(owner.organisationId, 'reader');
  outsider = await server.owner();
  await testing.asSuperuser('update organisations set abbr = $2 where organisation_id = $1', [owner.organisationId, 'contoso']);
  await testing.asSuperuser('update organisations set abbr = $2 where organisation_id = $1', [outsider.organisationId, 'fabrikam']);
  await testing.database.within({ organisationId: owner.organisationId, realm: 'production' }, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name: 'Contoso', status: 'connected' }))
      .execute(),
  );
  const location = { kind: 'filesystem', name: 'Vault', path: path.join(folder, 'vault') };
  const made = await server.send(`/apollo/api/${tenantId}/locations`, { token: owner.tokens.main, body: location });
  ({ locationId } = (await made.json()) as { locationId: string });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

interface Sent {
  readonly name?: string;
  readonly bytes?: Uint8Array;
  readonly abbr?: string;
  readonly type?: string;
  readonly who?: SignedIn;
  readonly audience?: Audience;
  readonly change?: (form: FormData) => void;
}

async function upload({
  name = 'Report.pdf',
  bytes = aPdf(),
  abbr = 'contoso',
  type = 'document',
  who = owner,
  audience = 'legacy',
  change,
}: Sent = {}): Promise<{ status: number; body: Record<string, unknown> }> {
  const form = new FormData();
  form.append('abbr', abbr);
  form.append('file', new Blob([Buffer.from(bytes)], { type: 'application/pdf' }), name);
  form.append('documentType', type);
  change?.(form);
  const token = who.tokens[audience];
  const answer = await fetch(`${server.address}${audience === 'legacy' ? '/api' : '/apollo-beta'}/files/upload-file`, {
    method: 'POST',
    body: form,
    headers: { authorization: audience === 'legacy' ? token : `Bearer ${token}` },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const get = (to: string, who: SignedIn = owner) => server.send(`/api/files/${to}`, { token: who.tokens.legacy, audience: 'legacy' });
const listed = async (kind: 'report' | 'document'): Promise<Page<DocumentFile>> =>
  (await (await get(`contoso/${kind}`)).json()) as Page<DocumentFile>;
const remove = (fileName: string, who: SignedIn = owner, abbr = 'contoso') =>
  server.send('/api/files/delete-file', {
    token: who.tokens.legacy,
    audience: 'legacy',
    body: { fileName, abbr, documentType: 'document' },
  });

test('a PDF is uploaded, listed, downloaded and deleted; its object is sealed and goes with it', async () => {
  const bytes = aPdf({ objects: ['(Übersicht)'] });
  const { status, body } = await upload({ name: 'Übersicht 2026.pdf', bytes });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    abbr: 'contoso',
    fileName: 'Übersicht 2026.pdf',
    documentType: 'document',
    size: bytes.byteLength,
    uploadedBy: owner.email,
  });
  expect((await listed('document')).items).toEqual([body]);
  expect((await listed('report')).items).toEqual([]);
  const stored = path.join(folder, 'vault', 'documents');
  const [object] = await readdir(stored);
  expect(object).toMatch(/^[0-9a-f-]{36}$/);
  expect((await readFile(path.join(stored, object ?? ''))).includes('%PDF')).toBe(false);
  const file = await get(`download/${encodeURIComponent('Übersicht 2026.pdf')}/contoso/document`, reader);
  expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
  expect(
    Object.fromEntries(
      ['content-type', 'x-content-type-options', 'content-security-policy', 'cross-origin-resource-policy', 'cache-control'].map((name) => [
        name,
        file.headers.get(name),
      ]),
    ),
  ).toEqual({
    'content-type': 'application/pdf',
    'x-content-type-options': 'nosniff',
    'content-security-policy': 'sandbox',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  expect(file.headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%9Cbersicht%202026.pdf");
  expect((await remove('Übersicht 2026.pdf')).status).toBe(204);
  expect((await listed('document')).total).toBe(0);
  expect(await readdir(stored)).toEqual([]);
  const events = await testing.asSuperuser("select event from audit_inbox where event like 'documents.%' order by at, id");
  const logged = await testing.asSuperuser("select event from audit_events where event like 'documents.%' order by sequence");
  expect([...logged, ...events].map((row) => row['event'])).toEqual(['documents.added', 'documents.downloaded', 'documents.deleted']);
});

test('of a path only the last part is the name of a file', async () => {
  const { status, body } = await upload({ name: '../../a.pdf' });
  expect([status, body['fileName']]).toEqual([201, 'a.pdf']);
  expect((await remove('a.pdf')).status).toBe(204);
});

test('each rule has its own answer, names the file and stores nothing', async () => {
  const refused = async (sent: Sent, status: number, code: string): Promise<void> => {
    const answer = await upload(sent);
    expect([answer.status, answer.body['code']], JSON.stringify(sent.name)).toEqual([status, code]);
  };
  await refused({ name: 'page.html', bytes: Buffer.from('<html>') }, 400, 'documents.pdf-only');
  await refused({ name: 'report.pdf.exe' }, 400, 'documents.pdf-only');
  for (const name of ['a\u202Efdp.pdf', 'con.pdf', '.pdf', ' a.pdf', 'a<b>.pdf', `${'x'.repeat(200)}.pdf`])
    await refused({ name }, 400, 'documents.name-refused');
  await refused({ bytes: Buffer.from('<html>') }, 400, 'documents.content-mismatch');
  await refused({ bytes: Buffer.alloc(0) }, 400, 'documents.file-required');
  await refused({ bytes: aPdf({ catalog: '/OpenAction << /S /JavaScript >>' }) }, 400, 'documents.active-content');
  await refused({ bytes: Buffer.concat([aPdf(), Buffer.alloc(pdfMaxBytes - aPdf().byteLength + 1)]) }, 413, 'documents.too-large');
  await refused({ change: (form) => form.delete('file') }, 400, 'documents.file-required');
  await refused({ change: (form) => form.delete('documentType') }, 400, 'request.invalid');
  await refused({ change: (form) => form.append('abbr', 'fabrikam') }, 400, 'request.invalid');
  await refused({ abbr: 'fabrikam' }, 404, 'not-found');
  await refused({ who: reader }, 403, 'access-denied');
  await refused({ audience: 'staging' }, 409, 'documents.no-location');
  expect((await listed('document')).total).toBe(0);
  const { body } = await upload({ name: 'page.html' });
  expect(body['errors']).toEqual({ file: ['Only PDF files are allowed.'] });
});

test('a file of exactly 3 MB is taken, a name only once, and no more than the quota', async () => {
  const pdf = aPdf();
  const full = Buffer.concat([pdf.subarray(0, 9), Buffer.from(`%${'x'.repeat(pdfMaxBytes - pdf.byteLength - 2)}\n`), pdf.subarray(9)]);
  expect(full.byteLength).toBe(pdfMaxBytes);
  expect((await upload({ name: 'full.pdf', bytes: full })).status).toBe(201);
  expect((await upload({ name: 'FULL.pdf' })).body['code']).toBe('documents.name-taken');
  expect((await upload({ name: 'two.pdf', bytes: full })).status).toBe(201);
  expect((await upload({ name: 'small.pdf' })).status).toBe(201);
  expect((await upload({ name: 'three.pdf', bytes: full })).body['code']).toBe('documents.quota');
  for (const name of ['full.pdf', 'two.pdf', 'small.pdf']) expect((await remove(name)).status).toBe(204);
});

test('no address leads out of the organisation or to anything but a file of the list', async () => {
  await upload({ name: 'own.pdf' });
  const vectors = [
    '..%2f',
    '%2e%2e%2fown.pdf',
    '..%252fown.pdf',
    '..%5cown.pdf',
    'own.pdf%00',
    '%c0%ae',
    '%2fetc%2fpasswd',
    'C%3A%5Cown.pdf',
    'file%3A%2F%2Fown.pdf',
    'x'.repeat(4_096),
    'own%E2%80%AE.pdf',
    'own.pdf%0d%0aX-A:1',
    'CON',
    'own.pdf.',
    'own.pdf%20',
    'own%E2%80%A4pdf',
  ];
  for (const vector of vectors) {
    const { status } = await get(`download/${vector}/contoso/document`);
    expect([400, 404], vector).toContain(status);
  }
  expect((await get('download/own.pdf/contoso/report')).status).toBe(404);
  expect([400, 404]).toContain((await get('download/own.pdf/contoso/secret')).status);
  const body = async (answer: Response): Promise<unknown> => ({ ...((await answer.json()) as object), requestId: '' });
  const foreign = await get('download/own.pdf/contoso/document', outsider);
  expect(foreign.status).toBe(404);
  expect(await body(foreign)).toEqual(await body(await get('download/own.pdf/nobody/document', outsider)));
  expect((await get('contoso/document', outsider)).status).toBe(404);
  expect((await remove('own.pdf', outsider)).status).toBe(404);
  expect((await remove('own.pdf', reader)).status).toBe(403);
  expect((await listed('document')).total).toBe(1);
});

test('a document outlives the process, an upload that was killed leaves nothing, and damage is never given out', async () => {
  const there = (await listed('document')).items[0];
  expect(there?.fileName).toBe('own.pdf');
  const [row] = await testing.asSuperuser('select document_id from documents');
  await testing.asSuperuser(
    `insert into documents select organisation_id, realm, gen_random_uuid(), kind, 'killed.pdf', 10, location_id, 'storing', null, '', now() - interval '2 hours'
     from documents limit 1`,
  );
  await server.close();
  server = await testServer(testing, { settings: { HOLDFAST_LOCATION_ROOTS: folder } });
  expect((await listed('document')).items).toEqual([there]);
  expect(Buffer.from(await (await get('download/own.pdf/contoso/document')).arrayBuffer()).equals(aPdf())).toBe(true);
  const location = await server.send(`/apollo/api/${tenantId}/locations/${locationId}`, { method: 'DELETE', token: owner.tokens.main });
  expect(((await location.json()) as { code: string }).code).toBe('locations.in-use');
  const object = path.join(folder, 'vault', 'documents', String(row?.['document_id']));
  const bytes = await readFile(object);
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  await writeFile(object, bytes);
  expect((await get('download/own.pdf/contoso/document')).status).toBe(500);
});
