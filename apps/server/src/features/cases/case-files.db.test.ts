import type { CaseDetails, CaseEvent } from '@holdfast/contract/case-values';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds as ids, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';

/** Files and folders in cases: who may add them, what the log says of them, and what becomes of them. */
const testing = testDatabase(import.meta.url);
let server: TestServer;
let ground: Ground;
let administrator: SignedIn;
let auditor: SignedIn;
let resourceId = '';

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  administrator = await server.member(ground.scope.organisationId, 'administrator');
  auditor = await server.member(ground.scope.organisationId, 'auditor');
  resourceId = await aResource(testing.database, ground, { graphId: 'site', name: 'Marketing', kind: 'site', workload: 'sharepoint' });
  const { scope, locationId } = ground;
  const catalog = createCatalog({ database: testing.database, scope, locationId, ids });
  const put = [
    anItem('F', { kind: 'folder', name: 'Contracts' }),
    anItem('a', { kind: 'file', name: 'Offer.docx', parentKey: 'F' }),
    anItem('b', { kind: 'file', name: 'Plan.xlsx' }),
  ];
  await catalog.apply({ ...aSegment(resourceId, 1), put });
}, 120_000);
afterAll(() => server.close());

async function ask<T>(who: SignedIn, to: string, body?: object, method?: string): Promise<{ status: number; body: T & { code?: string } }> {
  const options = { token: who.tokens.main, ...(body === undefined ? {} : { body }), ...(method === undefined ? {} : { method }) };
  const answer = await server.send(`/apollo/api/${ground.tenantId}/archive/cases${to}`, options);
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as T & { code?: string } };
}

const open = async (matter: string): Promise<string> =>
  (await ask<CaseDetails>(administrator, '', { matter, reference: '', from: null, to: null })).body.caseId;

test('files and folders are added to a case once, with a note, and lead to where they are kept', async () => {
  const caseId = await open('Falcon');
  const first = await ask<CaseDetails>(administrator, `/${caseId}/files`, { resourceId, items: ['F', 'b'], note: 'Seen by Ann' });
  expect(first.status).toBe(201);
  const again = await ask<CaseDetails>(administrator, `/${caseId}/files`, { resourceId, items: ['b'], note: 'Again' });
  const common = { siteName: 'Marketing', note: 'Seen by Ann', adder: administrator.email };
  const place = { locationId: ground.locationId, sourceId: expect.any(String) as string };
  expect(again.body.files).toMatchObject([
    { ...common, nodeId: 'F', name: 'Contracts', isContainer: true, place },
    { ...common, nodeId: 'b', name: 'Plan.xlsx', isContainer: false, place },
  ]);
  const [folder] = again.body.files;
  expect((await ask(administrator, `/${caseId}/files/${folder?.fileId}`, undefined, 'DELETE')).status).toBe(204);
  expect((await ask<CaseDetails>(administrator, `/${caseId}`)).body.files.map(({ name }) => name)).toEqual(['Plan.xlsx']);
  const { items } = (await ask<Page<CaseEvent>>(administrator, `/${caseId}/log`)).body;
  expect(items.map(({ event, details }) => [event, details['files'] ?? details['file'] ?? null])).toEqual([
    ['cases.file-removed', 'Contracts'],
    ['cases.files-added', ['Contracts', 'Plan.xlsx']],
    ['cases.opened', null],
  ]);
});

test('a file that no restore point has any more keeps its name in the case, and leads nowhere', async () => {
  const caseId = await open('Gone');
  await ask(administrator, `/${caseId}/files`, { resourceId, items: ['a'] });
  await testing.asSuperuser(`delete from catalog_items where item_key = 'a'`);
  expect((await ask<CaseDetails>(administrator, `/${caseId}`)).body.files).toMatchObject([{ name: 'Offer.docx', place: null }]);
});

test('nobody adds what is not there, what is elsewhere, or to a case of others; a closed case takes nothing', async () => {
  const caseId = await open('Eagle');
  const elsewhere = await aResource(testing.database, await aGround(testing.database));
  const add = (who: SignedIn, body: object) => ask<CaseDetails>(who, `/${caseId}/files`, body);
  expect((await add(administrator, { resourceId, items: ['b', 'nowhere'] })).body.code).toBe('cases.file-unknown');
  expect((await add(administrator, { resourceId: elsewhere, items: ['b'] })).body.code).toBe('cases.file-unknown');
  expect((await add(administrator, { resourceId, items: [] })).status).toBe(400);
  expect((await add(auditor, { resourceId, items: ['b'] })).status).toBe(404);
  expect((await add(await server.member(ground.scope.organisationId, 'operator'), { resourceId, items: ['b'] })).status).toBe(403);
  const { fileId = '' } = (await add(administrator, { resourceId, items: ['b'] })).body.files[0] ?? {};
  await ask(administrator, `/${caseId}/close`, { reason: 'Settled' });
  expect((await add(administrator, { resourceId, items: ['F'] })).body.code).toBe('cases.closed');
  expect((await ask(administrator, `/${caseId}/files/${fileId}`, undefined, 'DELETE')).body.code).toBe('cases.closed');
  expect((await ask<CaseDetails>(administrator, `/${caseId}`)).body.files).toHaveLength(1);
});

test('a case takes so many files and no more, and a call that is refused adds none', async () => {
  const caseId = await open('Full');
  await testing.asSuperuser(
    `insert into case_files (organisation_id, realm, case_id, file_id, resource_id, item_key, name, is_container, note, adder, added_at)
     select $1, 'production', $2, gen_random_uuid(), $3, 'x' || number, 'x', false, '', 'ann', now() from generate_series(1, 1999) number`,
    [ground.scope.organisationId, caseId, resourceId],
  );
  expect((await ask(administrator, `/${caseId}/files`, { resourceId, items: ['F', 'b'] })).body.code).toBe('cases.files-full');
  expect((await ask<CaseDetails>(administrator, `/${caseId}`)).body.files).toHaveLength(1_999);
});
