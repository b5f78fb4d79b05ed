import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pdfMaxBytes } from '@holdfast/contract/limits';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTenantRow, testIds } from '../../testing/rows.ts';
import { testServer, type TestServer } from '../../testing/test-server.ts';

/** PDF files that other programs have made, taken as people would upload them. */
const testing = testDatabase(import.meta.url);
const corpus = path.resolve(import.meta.dirname, '../../../../../../shared/corpora');
/** More uploads of one person at a time are refused. */
const MOST = 30;
let folder: string;
let server: TestServer;
let owner: Awaited<ReturnType<TestServer['owner']>>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-files-of-others-'));
  server = await testServer(testing, { settings: { HOLDFAST_LOCATION_ROOTS: folder } });
  owner = await server.owner();
  await testing.asSuperuser('update organisations set abbr = $2 where organisation_id = $1', [owner.organisationId, 'contoso']);
  const tenantId = testIds.uuid();
  await testing.database.within({ organisationId: owner.organisationId, realm: 'production' }, (tx) =>
    tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId, name: 'Contoso', status: 'connected' }))
      .execute(),
  );
  const body = { kind: 'filesystem', name: 'Vault', path: path.join(folder, 'vault') };
  await server.send(`/apollo/api/${tenantId}/locations`, { token: owner.tokens.main, body });
}, 120_000);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (to: string) => server.send(`/api/files/${to}`, { token: owner.tokens.legacy, audience: 'legacy' });

async function upload(bytes: Buffer): Promise<{ status: number; code: string }> {
  const form = new FormData();
  form.append('abbr', 'contoso');
  form.append('documentType', 'document');
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), 'other.pdf');
  const headers = { authorization: owner.tokens.legacy };
  const answer = await fetch(`${server.address}/api/files/upload-file`, { method: 'POST', body: form, headers });
  return { status: answer.status, code: ((await answer.json()) as { code?: string }).code ?? '' };
}

/** What became of a file: why it was not taken, or whether it came back and was shown. */
async function fateOf(bytes: Buffer): Promise<string> {
  const { status, code } = await upload(bytes);
  if (status !== 201) return code;
  const back = Buffer.from(await (await get('download/other.pdf/contoso/document')).arrayBuffer());
  const page = await get('page/other.pdf/contoso/document/1');
  await page.body?.cancel();
  const body = { fileName: 'other.pdf', abbr: 'contoso', documentType: 'document' };
  await server.send('/api/files/delete-file', { token: owner.tokens.legacy, audience: 'legacy', body });
  if (Buffer.compare(back, bytes) !== 0) return 'changed';
  return page.status === 200 ? 'shown' : `kept ${page.status}`;
}

test('PDF files of others come back byte for byte and are shown, or are refused with a reason', async ({ skip }) => {
  const all = existsSync(corpus) ? readdirSync(corpus, { recursive: true, encoding: 'utf8' }) : [];
  const names = all.filter((name) => name.endsWith('.pdf')).toSorted();
  if (names.length === 0) skip('the corpora are not on this machine');
  const fates: string[] = [];
  for (const name of names.slice(0, MOST)) {
    const bytes = await readFile(path.join(corpus, name));
    const fate = await fateOf(bytes);
    expect(
      ['shown', 'kept 422', 'documents.content-mismatch', 'documents.active-content', 'documents.encrypted', 'documents.too-large'],
      name,
    ).toContain(fate);
    expect(fate === 'documents.too-large', name).toBe(bytes.byteLength > pdfMaxBytes);
    fates.push(fate);
  }
  const shown = fates.filter((fate) => fate === 'shown').length;
  const kept = fates.filter((fate) => fate.startsWith('kept')).length;
  expect(shown).toBeGreaterThan(10);
  expect(kept).toBeLessThan(shown / 4);
}, 300_000);
