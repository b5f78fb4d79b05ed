import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DocumentFile } from '@holdfast/contract/documents';
import type { DrawnPage } from '@holdfast/contract/values';
import { pdfMaxBytes } from '@holdfast/contract/limits';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aTenantRow, testIds } from '../../testing/rows.ts';
import { testServer, type Audience, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { startClamd } from './testing/clamd.ts';
import { aPdf, anObjectStream } from './testing/pdf.ts';

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

test('a page is shown as a picture with its words to those who may read, is logged with its number, and a stranger learns nothing', async () => {
  const letter = await readFile(new URL('../../../../../packages/words/testing/documents/letter.pdf', import.meta.url));
  expect((await upload({ name: 'letter.pdf', bytes: letter })).status).toBe(201);
  const answer = await get('page/letter.pdf/contoso/document/2', reader);
  const { picture, ...page } = (await answer.json()) as DrawnPage;
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(page).toMatchObject({ pages: 2, width: 1_600 });
  expect(page.words).toContain('Die Lieferung der Kesselanlage erfolgt im Spätsommer');
  expect(Buffer.from(picture, 'base64').subarray(8, 12).toString()).toBe('WEBP');
  const refused = async (to: string, who: SignedIn) => {
    const no = await get(`page/${to}`, who);
    return [no.status, ((await no.json()) as { code: string }).code];
  };
  expect(await refused('letter.pdf/contoso/document/3', reader)).toEqual([404, 'not-found']);
  expect(await refused('letter.pdf/contoso/report/1', reader)).toEqual([404, 'not-found']);
  expect(await refused('letter.pdf/contoso/document/1', outsider)).toEqual([404, 'not-found']);
  expect(await refused('letter.pdf/contoso/document/0', reader)).toEqual([400, 'request.malformed-id']);
  const viewed = await testing.asSuperuser(
    `select payload::jsonb from audit_inbox where event = 'documents.viewed'
     union all select payload::jsonb from audit_events where event = 'documents.viewed'`,
  );
  expect(viewed.map(({ payload }) => payload)).toEqual([
    expect.objectContaining({ actor: reader.email, details: expect.objectContaining({ page: 2 }) as unknown }),
  ]);
  expect((await remove('letter.pdf')).status).toBe(204);
});

test('a file without a page that can be drawn says so, and can still be downloaded', async () => {
  const bytes = Buffer.from(aPdf().toString('latin1').replace('/Kids [3 0 R]', '/Kids [9 0 R]'), 'latin1');
  expect((await upload({ name: 'odd.pdf', bytes })).status).toBe(201);
  const answer = await get('page/odd.pdf/contoso/document/1');
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([422, 'documents.not-shown']);
  expect((await get('download/odd.pdf/contoso/document')).status).toBe(200);
  expect((await remove('odd.pdf')).status).toBe(204);
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
  await refused({ bytes: aPdf({ objects: [anObjectStream('<< /S /Launch >>')] }) }, 400, 'documents.active-content');
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

describe('an address that names no file of the list', () => {
  beforeAll(async () => {
    await upload({ name: 'own.pdf' });
  });

  test.each([
    ['a folder up', '../own.pdf'],
    ['an encoded slash', '..%2fown.pdf'],
    ['encoded dots', '%2e%2e%2fown.pdf'],
    ['a slash encoded twice', '..%252fown.pdf'],
    ['a backslash', '..\\own.pdf'],
    ['an encoded backslash', '..%5cown.pdf'],
    ['a NUL', 'own.pdf%00'],
    ['an overlong dot', '%c0%ae'],
    ['an absolute path', '%2fetc%2fpasswd'],
    ['a drive', 'C%3A%5Cown.pdf'],
    ['an address of a file', 'file%3A%2F%2Fown.pdf'],
    ['4,096 characters', 'x'.repeat(4_096)],
    ['a right-to-left override', 'own%E2%80%AE.pdf'],
    ['CR and LF', 'own.pdf%0d%0aX-A:1'],
    ['the name of a device', 'CON'],
    ['a dot at the end', 'own.pdf.'],
    ['a space at the end', 'own.pdf%20'],
    ['a Unicode dot', 'own%E2%80%A4pdf'],
  ])('is refused: %s', async (_name, vector) => {
    // Not by fetch, which tidies an address before it sends it.
    const path = `/api/files/download/${vector}/contoso/document`;
    const [answer] = (await once(request(server.address, { path, headers: { authorization: owner.tokens.legacy } }).end(), 'response')) as [
      IncomingMessage,
    ];
    expect([400, 404]).toContain(answer.statusCode);
    expect(answer.headers['x-a']).toBeUndefined();
    expect(Buffer.concat(await answer.toArray()).toString('latin1')).not.toContain('%PDF');
  });

  test('is refused to a stranger as one that does not exist', async () => {
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
});

describe('an upload that is none', () => {
  const pdf = aPdf();
  test.each([
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>'), 'content-mismatch'],
    ['a script', Buffer.from('#!/bin/sh\nrm -rf /\n'), 'content-mismatch'],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'content-mismatch'],
    ['a program', Buffer.concat([Buffer.from('MZ\u0090\u0000', 'latin1'), Buffer.alloc(2_000)]), 'content-mismatch'],
    ['a picture and a PDF in one', Buffer.concat([Buffer.from('GIF89a\u0001\u0000', 'latin1'), pdf]), 'content-mismatch'],
    ['a million objects', aPdf({ objects: [anObjectStream('<<>> '.repeat(1_000_000))] }), 'content-mismatch'],
    ['an object stream that is a bomb', aPdf({ objects: [anObjectStream(' '.repeat(80 * 1024 * 1024))] }), 'content-mismatch'],
    ['cut off', pdf.subarray(0, pdf.byteLength - 40), 'content-mismatch'],
    ['empty', Buffer.alloc(0), 'file-required'],
    ['one byte larger than 3 MB', Buffer.concat([pdf, Buffer.alloc(pdfMaxBytes - pdf.byteLength + 1)]), 'too-large'],
  ])('is refused and stores nothing: %s', async (_name, bytes, code) => {
    const before = (await listed('document')).total;
    expect((await upload({ name: 'vector.pdf', bytes })).body['code']).toBe(`documents.${code}`);
    expect((await listed('document')).total).toBe(before);
  });

  test.each([
    ['two extensions', (form: FormData) => form.set('file', new Blob([Buffer.from(pdf)]), 'vector.pdf.exe'), 'documents.pdf-only'],
    ['a doubled field', (form: FormData) => form.append('documentType', 'report'), 'request.invalid'],
    [
      'two files',
      (form: FormData) => form.append('file', new Blob([Buffer.from(pdf)]), 'second.pdf'),
      'request.invalid',
      'request.too-large',
    ],
    [
      'a thousand parts',
      (form: FormData) => Array.from({ length: 1_000 }).forEach((_, at) => form.append(`part${at}`, 'x')),
      'request.invalid',
      'request.too-large',
    ],
  ])('is refused and stores nothing: %s', async (_name, change, ...codes) => {
    const before = (await listed('document')).total;
    const { status, body } = await upload({ name: 'vector.pdf', change });
    expect([400, 413]).toContain(status);
    expect(codes).toContain(body['code']);
    expect((await listed('document')).total).toBe(before);
  });

  /** A request that is written by hand: what a client of HTTP would never send. */
  async function sendRaw(head: string): Promise<Socket> {
    const { hostname, port } = new URL(server.address);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const headers = `Host: ${hostname}\r\nAuthorization: ${owner.tokens.legacy}\r\nContent-Type: multipart/form-data; boundary=b\r\n`;
    socket.write(`POST /api/files/upload-file HTTP/1.1\r\n${headers}${head}`);
    return socket;
  }
  const begun = '--b\r\nContent-Disposition: form-data; name="file"; filename="slow.pdf"\r\n\r\n%PDF-1.7\r\n';

  test('has no length: what comes in pieces is cut at 3 MB as well', async () => {
    const socket = await sendRaw('Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n');
    const answered = once(socket, 'data');
    const piece = (bytes: string): string => `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
    socket.on('error', () => undefined);
    socket.write(piece(begun));
    for (let sent = 0; sent <= pdfMaxBytes; sent += 65_536) socket.write(piece('x'.repeat(65_536)));
    socket.write(`${piece('\r\n--b--\r\n')}0\r\n\r\n`);
    const [answer] = (await answered) as [Buffer];
    expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
    expect((await listed('document')).items.map(({ fileName }) => fileName)).not.toContain('slow.pdf');
  });

  test('comes slowly and never ends: others are not kept waiting, and nothing is left of it', async () => {
    const socket = await sendRaw('Content-Length: 100000\r\n\r\n');
    socket.write(begun);
    expect((await upload({ name: 'beside.pdf' })).status).toBe(201);
    expect((await remove('beside.pdf')).status).toBe(204);
    socket.destroy();
    const rows = await testing.asSuperuser("select file_name from documents where file_name = 'slow.pdf'");
    expect(rows).toEqual([]);
  });
});

test('where active content is allowed and a scanner is set up, scripts are taken, malware is not, and nothing is without the scanner', async () => {
  const clamd = await startClamd();
  const other = server;
  server = await testServer(testing, {
    settings: { HOLDFAST_LOCATION_ROOTS: folder, HOLDFAST_DOCUMENTS_ACTIVE_CONTENT: 'true', HOLDFAST_CLAMD: clamd.address },
  });
  try {
    const before = await listed('document');
    const script = aPdf({ catalog: '/OpenAction << /S /JavaScript >>' });
    expect((await upload({ name: 'script.pdf', bytes: script })).status).toBe(201);
    expect((await upload({ name: 'hidden.pdf', bytes: aPdf({ objects: [anObjectStream('<< /S /Launch >>')] }) })).status).toBe(201);
    expect(clamd.scanned[0]).toBe(script.byteLength);
    for (const name of ['script.pdf', 'hidden.pdf']) expect((await remove(name)).status).toBe(204);
    const found = await upload({ name: 'malware.pdf', bytes: aPdf({ objects: ['(EICAR)'] }) });
    expect([found.status, found.body['code'], found.body['errors']]).toEqual([
      400,
      'documents.infected',
      { file: ['The virus scanner found malware in this file. The file was not stored.'] },
    ]);
    await clamd.close();
    const unchecked = await upload({ name: 'clean.pdf' });
    expect([unchecked.status, unchecked.body['code']]).toEqual([503, 'documents.not-scanned']);
    expect(await listed('document')).toEqual(before);
  } finally {
    await server.close();
    server = other;
  }
});

test('the abbreviation leads to the documents after the organisation was renamed', async () => {
  const before = await listed('document');
  await testing.asSuperuser('update organisations set name = $2 where organisation_id = $1', [owner.organisationId, 'Renamed']);
  expect(await listed('document')).toEqual(before);
  expect((await get('download/own.pdf/contoso/document')).status).toBe(200);
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
