import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DocumentFile } from '@holdfast/contract/documents';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { startSmallObjectStore, type SmallObjectStore } from '@holdfast/vault/testing/small-object-store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMasterKey } from '../../keys/master-key.ts';
import { readConfig } from '../../settings/config.ts';
import { killedDuring, prepareKills } from '../../testing/killed-during.ts';
import { aTenantRow, testIds } from '../../testing/rows.ts';
import { testServer, type TestServer } from '../../testing/test-server.ts';

/** Uploads and deletions by a server that is killed with SIGKILL in the middle of them, in a folder and in a bucket. */
const testing = testDatabase(import.meta.url);
const common = {
  HOLDFAST_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
  HOLDFAST_IDENTITY_PROFILE: 'conformance',
  HOLDFAST_ALLOWED_HOSTS: '127.0.0.1',
};
const letterPath = new URL('../../../../../packages/words/testing/documents/letter.pdf', import.meta.url);
let folder: string;
let objects: SmallObjectStore;
let settings: Record<string, string>;
let letter: Buffer;

beforeAll(async () => {
  letter = await readFile(letterPath);
  objects = await startSmallObjectStore();
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-killed-uploads-'));
  settings = { ...common, HOLDFAST_DATA_DIR: path.join(folder, 'here'), HOLDFAST_LOCATION_ROOTS: folder };
  await prepareKills(testing);
}, 120_000);
afterAll(async () => {
  await objects.close();
  await rm(folder, { recursive: true, force: true });
});

async function aServer(roles: readonly ('api' | 'worker')[] = ['api']): Promise<TestServer> {
  return testServer(testing, { masterKey: await openMasterKey(readConfig(settings), testing.database), settings, roles });
}

const bucketOf = () => ({
  kind: 's3',
  endpoint: objects.endpoint,
  region: 'us-east-1',
  bucket: 'documents',
  prefix: 'v',
  forcePathStyle: true,
  accessKeyId: 'key',
  secretAccessKey: 'secret',
});

async function objectsInFolder(): Promise<number> {
  return (await readdir(path.join(folder, 'vault', 'documents')).catch(() => [])).length;
}
async function objectsInBucket(): Promise<number> {
  const answer = await fetch(`${objects.endpoint}/documents?list-type=2&prefix=${encodeURIComponent('v/documents/')}`);
  return (await answer.text()).split('<Key>').length - 1;
}

describe.each([
  ['a folder', 'folder', () => ({ kind: 'filesystem', path: path.join(folder, 'vault') }), objectsInFolder],
  ['a bucket', 'bucket', bucketOf, objectsInBucket],
] as const)('documents in %s', (_name, abbr, place, stored) => {
  let server: TestServer;
  let owner: Awaited<ReturnType<TestServer['owner']>>;

  beforeAll(async () => {
    server = await aServer();
    owner = await server.owner();
    await testing.asSuperuser('update organisations set abbr = $2 where organisation_id = $1', [owner.organisationId, abbr]);
    const tenantId = testIds.uuid();
    await testing.database.within({ organisationId: owner.organisationId, realm: 'production' }, (tx) =>
      tx
        .insertInto('tenants')
        .values(aTenantRow({ tenant_id: tenantId, name: abbr, status: 'connected' }))
        .execute(),
    );
    const made = await server.send(`/apollo/api/${tenantId}/locations`, { token: owner.tokens.main, body: { name: 'Vault', ...place() } });
    if (made.status !== 201) throw new Error(`The location was not made: ${await made.text()}`);
  }, 120_000);
  afterAll(() => server.close());

  function upload(address: string, name: string): Promise<Response> {
    const form = new FormData();
    form.append('abbr', abbr);
    form.append('documentType', 'document');
    form.append('file', new Blob([Buffer.from(letter)], { type: 'application/pdf' }), name);
    return fetch(`${address}/api/files/upload-file`, { method: 'POST', body: form, headers: { authorization: owner.tokens.legacy } });
  }
  function remove(address: string, fileName: string): Promise<Response> {
    const headers = { authorization: owner.tokens.legacy, 'content-type': 'application/json' };
    const body = JSON.stringify({ fileName, abbr, documentType: 'document' });
    return fetch(`${address}/api/files/delete-file`, { method: 'POST', body, headers });
  }
  const get = (to: string) => server.send(`/api/files/${to}`, { token: owner.tokens.legacy, audience: 'legacy' });
  const names = async () => ((await (await get(`${abbr}/document`)).json()) as Page<DocumentFile>).items.map(({ fileName }) => fileName);
  const killed = (written: string, send: (address: string) => Promise<Response>) =>
    killedDuring({ testing, folder, settings: common }, written, send);

  /** As if the server had been dead for an hour; a worker that starts then tidies up. */
  async function tidied(): Promise<void> {
    await testing.asSuperuser("update documents set uploaded_at = uploaded_at - interval '1 hour' where state <> 'stored'");
    await server.close();
    server = await aServer(['api', 'worker']);
    await expect.poll(() => testing.asSuperuser("select 1 from documents where state <> 'stored'"), { timeout: 30_000 }).toEqual([]);
  }

  test('a file is uploaded, read back byte for byte, shown and deleted with its object', async () => {
    expect((await upload(server.address, 'whole.pdf')).status).toBe(201);
    expect(await stored()).toBe(1);
    const back = Buffer.from(await (await get(`download/whole.pdf/${abbr}/document`)).arrayBuffer());
    expect(Buffer.compare(back, letter)).toBe(0);
    expect((await get(`page/whole.pdf/${abbr}/document/1`)).status).toBe(200);
    expect((await remove(server.address, 'whole.pdf')).status).toBe(204);
    expect([await names(), await stored()]).toEqual([[], 0]);
  });

  test('an upload that is killed before its object is stored leaves nothing, and the file can be uploaded again', async () => {
    await killed('insert on documents', (address) => upload(address, 'first.pdf'));
    expect([await names(), await stored()]).toEqual([[], 0]);
    expect((await upload(server.address, 'first.pdf')).status).toBe(201);
    expect((await remove(server.address, 'first.pdf')).status).toBe(204);
  }, 120_000);

  test('an upload that is killed after its object is stored is never shown, and leaves neither row nor object', async () => {
    await killed('update on documents', (address) => upload(address, 'second.pdf'));
    expect([await names(), await stored()]).toEqual([[], 1]);
    await tidied();
    expect([await names(), await stored()]).toEqual([[], 0]);
    expect((await upload(server.address, 'second.pdf')).status).toBe(201);
  }, 120_000);

  test('a deletion that is killed before it was decided has not taken place; one that is killed after it is finished', async () => {
    await killed('update on documents', (address) => remove(address, 'second.pdf'));
    expect([await names(), await stored()]).toEqual([['second.pdf'], 1]);
    await killed('delete on documents', (address) => remove(address, 'second.pdf'));
    expect(await names()).toEqual([]);
    await tidied();
    expect([await names(), await stored()]).toEqual([[], 0]);
  }, 120_000);
});
