import { facetTerm, placeTerm } from '@holdfast/contract/query/facet-term';
import { narrowed } from '@holdfast/contract/query/narrow';
import { searchFacetNames } from '@holdfast/contract/search';
import type { SearchAnswer, SearchFacets, SearchHit, SearchPassages } from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, everyone, peopleOf, type SimulatedPerson, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { SignedIn } from '../../testing/test-server.ts';

/** Messages that a backup and an archive have, and messages that only the archive still has. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let tenant: SimulatedTenant;
let owner: Awaited<ReturnType<SimulatedServer['server']['owner']>>;
let reader: SignedIn;
let person: SimulatedPerson;

const mime = (subject: string, text: string): Buffer =>
  Buffer.from(`From: Ada <ada@proseware.example>\r\nTo: you@tiny.example\r\nSubject: ${subject}\r\n\r\n${text}\r\n`);
const KEPT = mime('Zwetschgendatschi', 'The recipe as promised, for DE89 3704 0044 0532 0130 00.');
const LOST = mime('Quittengelee', 'The other recipe, with cloves.');

async function search(query: string, token = owner.tokens.main): Promise<SearchAnswer> {
  const body = { query, reason: 'A lost recipe', limit: 200 };
  const answer = await running.server.send(`/apollo/api/${tenant.tenantId}/archive/search`, { token, body });
  expect(answer.status).toBe(200);
  return (await answer.json()) as SearchAnswer;
}

async function only(query: string): Promise<SearchHit> {
  const { items, total } = await search(query);
  expect([query, items.length, total]).toEqual([query, 1, 1]);
  return items[0] as SearchHit;
}

/** As retention leaves it: no restore point of the backup has the message any more. */
async function forget(raw: Buffer): Promise<void> {
  await testing.asSuperuser(
    `delete from catalog_items item using catalog_sources source, resources resource
     where source.source_id = item.source_id and resource.resource_id = source.resource_id and resource.kind = 'mailbox'
       and item.detail::text like '%' || $1 || '%'`,
    [sha256Hex(raw)],
  );
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  const { server, simulator, folder } = running;
  owner = await server.owner();
  tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(folder, 'vault') });
  const [one] = peopleOf(simulator);
  if (!one) throw new Error('Nobody has a mailbox.');
  person = one;
  reader = await server.member(owner.organisationId, 'reader');
  for (const raw of [KEPT, LOST]) act(simulator, 'mail.deliver', { user: person.id, folder: 'inbox', mime: raw.toString('base64') });
  const source = { ...everyone, everyone: false, users: [person] };
  await tenant.finish(await tenant.job({ type: 'backup', name: 'Mail', source }));
  await tenant.finish(await tenant.job({ type: 'archive', name: 'Archive', source }));
  await vi.waitFor(
    async () => {
      const { coverage } = await search('');
      if (coverage.items === 0 || coverage.searched < coverage.items) throw new Error('Not everything has been read yet.');
    },
    { timeout: 60_000, interval: 500 },
  );
  const indexed = await testing.asSuperuser(`select count(*)::int as count from search_items join catalog_sources using (source_id)
    join resources using (resource_id) where resources.kind = 'archive'`);
  if (indexed[0]?.['count'] === 0) throw new Error('Nothing of the archive has been read.');
}, 240_000);
afterAll(() => running.close());

test('a message of a backup and of the archive is one hit, that of the backup, whatever finds it', async () => {
  for (const query of [
    'zwetschgendatschi',
    `hash:${sha256Hex(KEPT)}`,
    'subject:zwetschgendatschi deleted:false workload:exchange',
    'sensitive:iban promised',
  ]) {
    expect((await only(query)).resource).toMatchObject({ kind: 'mailbox', address: person.address });
  }
  const { total, items } = await search('kind:email');
  expect(items.filter(({ resource }) => resource.kind === 'archive')).toEqual([]);
  expect(total).toBe(new Set(items.map(({ sourceId, nodeId }) => `${sourceId} ${nodeId}`)).size);
});

test('a message that only the archive still has is found there, read there, and counted like any other', async () => {
  const before = (await search('kind:email')).total;
  const folder = String(
    (
      await testing.asSuperuser(`select item.name from catalog_items item where kind = 'mailFolder' and exists (
    select from catalog_items child where child.parent_key = item.item_key and child.source_id = item.source_id and child.name = 'Quittengelee')`)
    )[0]?.['name'],
  );
  const [archived] = await testing.asSuperuser(
    `select detail -> 'properties' -> 'placements' -> 0 ->> 'providerId' as id from catalog_items where item_key = $1`,
    [sha256Hex(LOST)],
  );
  const providerId = String(archived?.['id']);
  await forget(LOST);
  const hit = await only('quittengelee');
  expect(hit).toMatchObject({
    nodeId: sha256Hex(LOST),
    kind: 'email',
    workload: 'exchange',
    isDeleted: false,
    resource: { kind: 'archive', name: person.name, address: person.address },
  });
  expect((await search('kind:email')).total).toBe(before);
  for (const query of [
    'deleted:false',
    'workload:exchange',
    `folder="${folder}"`,
    `folder:"${folder}"`,
    `path="${folder}"`,
    'archived:"this year" journaled:false signed:false',
    `id:"${providerId}"`,
    `mailbox:${person.address}`,
  ]) {
    expect((await only(`quittengelee ${query}`)).hitId).toBe(hit.hitId);
  }
  expect((await search('quittengelee deleted:true')).total).toBe(0);
  const asked = { query: 'cloves', reason: 'A lost recipe', hitIds: [hit.hitId] };
  const shown = await tenant.call<SearchPassages>(`${tenant.tenantId}/archive/search/passages`, asked);
  expect(shown.items).toMatchObject([{ hitId: hit.hitId, passages: [{ part: 'text', text: 'The other recipe, with cloves.' }] }]);
  const { locationId, sourceId, nodeId, sequence } = hit;
  const opening = { locationId, sourceId, nodeId, sequence, reason: 'A lost recipe' };
  const { ticket } = await tenant.call<{ ticket: string }>(`${tenant.tenantId}/content-tickets`, opening);
  const raw = await running.server.send(`/apollo/api/${tenant.tenantId}/archive/messages/${nodeId}/raw?ticket=${ticket}`, {
    token: owner.tokens.main,
  });
  expect(sha256Hex(Buffer.from(await raw.arrayBuffer()))).toBe(sha256Hex(LOST));
});

test('every facet counts archived messages as narrowing finds them', async () => {
  const query = 'kind:email';
  const asked = { query, reason: 'A lost recipe' };
  const { total, facets } = await tenant.call<SearchFacets>(`${tenant.tenantId}/archive/search/facets`, asked);
  expect(total).toBe((await search(query)).total);
  for (const name of searchFacetNames) {
    for (const { value, hits } of facets[name].values.slice(0, 3)) {
      const text = narrowed(query, facetTerm(name, value)) ?? '';
      expect([text, (await search(text)).total]).toEqual([text, hits]);
    }
  }
});

test('a folder of an import is named with the folders above it, and narrows to what is in it', async () => {
  await testing.asSuperuser(
    `update catalog_items set detail = jsonb_set(detail::jsonb, '{properties,placements,0,folder}', '"Imported/old"')::json where item_key = $1`,
    [sha256Hex(LOST)],
  );
  const asked = { query: 'quittengelee', reason: 'A lost recipe' };
  const { places } = await tenant.call<SearchFacets>(`${tenant.tenantId}/archive/search/facets`, asked);
  const [place] = places.values;
  expect(place?.folders.values).toEqual([{ value: 'old', label: 'Imported/old', hits: 1 }]);
  expect((await search(narrowed('quittengelee', placeTerm(place?.value ?? '', 'old')) ?? '')).total).toBe(1);
});

test('A27: where access is strict, archived messages are found by their owner alone, and never of somebody exempt', async () => {
  await testing.asSuperuser(`update organisations set content_access = 'strict'`);
  const refused = await running.server.send(`/apollo/api/${tenant.tenantId}/archive/search`, {
    token: owner.tokens.main,
    body: { query: 'quittengelee', reason: 'A lost recipe' },
  });
  expect(refused.status).toBe(403);
  await testing.asSuperuser('update accounts set email = $1, email_confirmed = true where id = $2', [person.address, reader.accountId]);
  expect((await search('quittengelee', reader.tokens.main)).items).toMatchObject([{ resource: { kind: 'archive' } }]);
  await testing.asSuperuser(`update organisations set content_access = 'open'`);
  expect((await search('quittengelee')).total).toBe(1);
  await testing.asSuperuser(
    `insert into proxy_exemptions (organisation_id, realm, exemption_id, tenant_id, party_id, party_kind, party_name, party_address, reason, adder, added_at)
     select organisation_id, realm, gen_random_uuid(), tenant_id, $1, 'account', 'Exempt', $2, 'Works council', 'x', now() from tenants`,
    [person.id, person.address],
  );
  expect((await search('quittengelee')).total).toBe(0);
});
