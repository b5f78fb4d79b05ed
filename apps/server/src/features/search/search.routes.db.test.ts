import { facetTerm, placeTerm } from '@holdfast/contract/query/facet-term';
import { narrowed } from '@holdfast/contract/query/narrow';
import { searchFacetNames } from '@holdfast/contract/search';
import type {
  SearchAnswer,
  SearchChecked,
  SearchCounted,
  SearchFacets,
  SearchHit,
  SearchPassages,
  SearchWords,
} from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import type { Simulator } from '@holdfast/m365-simulator';
import { createHttpsClient } from '@holdfast/m365-simulator/testing/https-client';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import type { TestServer } from '../../testing/test-server.ts';
import { aPicture } from './testing/scanned.ts';

/** Searching over HTTP what was backed up here: real mail of the simulator, a real vault, the worker's own indexer. */
const testing = testDatabase(import.meta.url);
let simulator: Simulator;
let running: SimulatedServer;
let server: TestServer;
let owner: Awaited<ReturnType<TestServer['owner']>>;
let tenantId = '';
let locationId = '';

type SendOptions = { method?: string; body?: unknown; token?: string; headers?: Record<string, string> };
const send = (to: string, options: SendOptions = {}) => server.send(`/apollo${to}`, { token: owner.tokens.main, ...options });

async function told<Answer>(answer: Response | Promise<Response>): Promise<Answer> {
  return (await (await answer).json()) as Answer;
}

async function search(query: string, more: { token?: string; reason?: string; limit?: number; cursor?: string } = {}): Promise<Response> {
  const { token = owner.tokens.main, ...body } = more;
  return send(`/api/${tenantId}/archive/search`, { token, body: { query, reason: 'A lost message', ...body } });
}
const hits = async (query: string): Promise<SearchAnswer> => told<SearchAnswer>(search(query, { limit: 200 }));

async function backUp(): Promise<void> {
  const [access] = simulator.tenants;
  if (!access) throw new Error('The simulator has no tenant.');
  const { clientId, clientSecret, tenantId: microsoftTenantId } = access;
  const tenant = { name: 'Contoso', displayName: 'Contoso Ltd', clientId, microsoftTenantId, clientSecret };
  ({ tenantId } = await told<{ tenantId: string }>(send('/api/Tenants', { body: tenant })));
  const location = { kind: 'filesystem', name: 'Vault', path: path.join(running.folder, 'vault') };
  ({ locationId } = await told<{ locationId: string }>(send(`/api/${tenantId}/locations`, { body: location })));
  const source = { everyone: true, users: [], groups: [], sites: [], teams: [] };
  const schedule = { mode: 'daily', time: '22:00', timeZone: 'Europe/Berlin' };
  const body = { name: 'Mail', workload: 'exchange', type: 'backup', source, locationId, schedule };
  const { jobId } = await told<{ jobId: string }>(send(`/api/${tenantId}/jobs`, { body }));
  await send(`/api/${tenantId}/jobs/${jobId}/start`, { body: {} });
  await vi.waitFor(
    async () => {
      const rows = await testing.asSuperuser('select ended_at from runs');
      expect(rows[0]?.['ended_at'] ?? null).not.toBeNull();
    },
    { timeout: 120_000, interval: 250 },
  );
}

/** A mail with a letter of an office suite in it, and a photo of another. */
async function attachALetter(): Promise<void> {
  const client = await createHttpsClient(simulator);
  const letter = await readFile(
    path.join(import.meta.dirname, '..', '..', '..', '..', '..', 'packages/words/testing/documents/letter.docx'),
  );
  const { json } = await client.send('GET', '/users?$top=1');
  const [user] = json['value'] as { id: string }[];
  const name = '#microsoft.graph.fileAttachment';
  const photo = aPicture('Lieferschein der Zahnradfabrik');
  const attachments = [
    { '@odata.type': name, name: 'Quote.docx', contentBytes: letter.toString('base64') },
    { '@odata.type': name, name: 'Photo.png', contentBytes: photo.toString('base64') },
  ];
  const message = { subject: 'As discussed', body: { contentType: 'text', content: 'Please see the file.' }, attachments };
  const { status, json: posted } = await client.send('POST', `/users/${user?.id ?? ''}/mailFolders/inbox/messages`, {
    body: JSON.stringify(message),
  });
  client.close();
  expect([status, posted['error']]).toEqual([201, undefined]);
}

beforeAll(async () => {
  running = await startSimulatedServer(testing, { HOLDFAST_OCR: 'on' });
  ({ simulator, server } = running);
  owner = await server.owner();
  await attachALetter();
  await backUp();
  await vi.waitFor(
    async () => {
      const { coverage } = await hits('');
      if (coverage.items === 0 || coverage.searched < coverage.items) throw new Error('Not everything has been read yet.');
    },
    { timeout: 60_000, interval: 500 },
  );
}, 240_000);
afterAll(() => running.close());

async function aMessage(): Promise<SearchHit> {
  const found = (await hits('kind:email')).items.find((hit) => hit.title.split(' ').length > 1 && /^[\w ]+$/.test(hit.title));
  if (!found) throw new Error('Nobody has a message with a plain subject.');
  return found;
}

test('a message is found by its subject, its sender, its period and its mailbox, with the place where it is kept', async () => {
  const message = await aMessage();
  const month = message.at.slice(0, 7);
  const { items, readAs, total } = await hits(`"${message.title}" received:${month} mailbox:"${message.resource.address}" kind:email`);
  expect(items).toContainEqual(message);
  expect(readAs).toBe(`"${message.title}" AND received:${month} AND mailbox:${message.resource.address} AND kind:email`);
  expect(total).toBe(items.length);
  expect(items.every((hit) => hit.locationId === locationId && hit.at.startsWith(month))).toBe(true);
  const opened = await send(`/api/${tenantId}/content-tickets`, {
    body: { locationId, sourceId: message.sourceId, nodeId: message.nodeId, sequence: message.sequence, reason: 'Read it' },
  });
  expect(opened.status).toBe(201);
});

test('mail is found by its identifiers, where it lay, when it was sent and how it is marked, each exactly', async () => {
  interface Kept {
    readonly id: string;
    readonly folder: string;
    readonly of: Readonly<Record<string, string | boolean>>;
    readonly isWhole: boolean;
  }
  const rows = await testing.asSuperuser(`select item_key as id, parent_key as folder, detail -> 'properties' as of,
      exists (select from json_array_elements(detail -> 'contents') content where content ->> 'role' = 'mime') as "isWhole"
    from catalog_items where kind = 'message' and to_point = 9007199254740991`);
  const kept = rows as unknown as Kept[];
  expect(kept.filter(({ of }) => typeof of['sentDateTime'] !== 'string' || typeof of['conversationId'] !== 'string')).toEqual([]);
  const [organisation] = await testing.asSuperuser(`select coalesce(time_zone, 'UTC') as zone from organisations`);
  const zone = String(organisation?.['zone']);
  const dayOf = ({ of: { sentDateTime } }: Kept): string =>
    Temporal.Instant.from(String(sentDateTime)).toZonedDateTimeISO(zone).toPlainDate().toString();
  const some = kept.filter((_, index) => index % Math.ceil(kept.length / 5) === 0);
  expect(some.length).toBeGreaterThan(2);
  const same = async (query: string, isOne: (one: Kept) => boolean): Promise<void> => {
    const wanted = kept.filter(isOne);
    expect({ query, total: (await hits(query)).total }).toEqual({ query, total: wanted.length });
    const shown = new Set(wanted.map(({ id }) => id));
    for (const { nodeId } of (await hits(query)).items) expect([query, shown.has(nodeId)]).toEqual([query, true]);
  };
  for (const one of some) {
    const { id, folder, of } = one;
    const { internetMessageId, conversationId } = of;
    await same(`messageid:"${String(internetMessageId)}"`, (other) => other.of['internetMessageId'] === internetMessageId);
    await same(`conversation:"${String(conversationId)}"`, (other) => other.of['conversationId'] === conversationId);
    await same(`id:"${id}"`, (other) => other.id === id);
    await same(`folderid="${folder}" kind:email`, (other) => other.folder === folder);
    await same(`sent:${dayOf(one)} kind:email`, (other) => dayOf(other) === dayOf(one));
  }
  for (const state of [true, false]) await same(`isread:${state}`, (one) => one.of['isRead'] === state);
  for (const importance of ['low', 'normal', 'high'])
    await same(`importance:${importance} kind:email`, (one) => one.of['importance'] === importance);
  const [photo] = (await hits('attachment:Photo.png')).items;
  const hash = createHash('sha256').update(aPicture('Lieferschein der Zahnradfabrik')).digest('hex');
  expect((await hits(`attachmenthash:${hash.toUpperCase()}`)).items.map(({ nodeId }) => nodeId)).toEqual([photo?.nodeId]);
  expect((await hits('archived:*..* OR journaled:true')).total).toBe(0);
  // Whether a message is signed is known of those that could be read whole.
  expect((await hits('signed:false OR signed:true')).total).toBe(kept.filter(({ isWhole }) => isWhole).length);
}, 60_000);

test('every kind of item is searched, newest first, page by page without a gap', async () => {
  const all = await hits('');
  expect(new Set(all.items.map((hit) => hit.kind)).size).toBeGreaterThan(2);
  const times = all.items.map((hit) => hit.at);
  expect(times).toEqual([...times].sort().reverse());
  const paged: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await told<SearchAnswer>(search('', { limit: 7, ...(cursor === undefined ? {} : { cursor }) }));
    paged.push(...page.items.map((hit) => hit.hitId));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && paged.length < all.items.length);
  expect(paged.slice(0, all.items.length)).toEqual(all.items.map((hit) => hit.hitId));
});

test('a mail is found by what its attachment says, and told from one that says so itself', async () => {
  const found = await hits('attachmenttext:"Rücksprache spätestens 17 Tage danach"');
  expect(found.items.map((hit) => [hit.title, hit.state])).toEqual([['As discussed', 'indexed']]);
  expect((await hits('ventilgehause "Please see the file"')).total).toBe(1);
  expect((await hits('body:Kesselanlage')).total).toBe(0);
  expect((await hits('body:"see the file" attachmenttext:kessel*')).total).toBe(1);
});

test('the words of a hit are shown where they are, in the text or in a named attachment, and the showing is logged', async () => {
  const query = 'Kesselanlage OR "see the file"';
  const [letter] = (await hits(`attachmenttext:Kesselanlage`)).items;
  const hitIds = [letter?.hitId ?? '', '999999999'];
  const asked = { query, reason: 'A lost message', hitIds };
  const { items } = await told<SearchPassages>(send(`/api/${tenantId}/archive/search/passages`, { body: asked }));
  expect(items.map(({ hitId }) => hitId)).toEqual([letter?.hitId]);
  expect(items[0]?.passages).toMatchObject([
    { part: 'text', name: null, text: 'Please see the file.' },
    { part: 'attachment', name: 'Quote.docx', text: expect.stringMatching(/Kesselanlage/i) as string },
  ]);
  const shown = await testing.asSuperuser("select payload from audit_inbox where event = 'search.hits-shown'");
  expect(shown).toMatchObject([{ payload: { reason: 'A lost message', details: { hits: 1 } } }]);
});

test('A18: a mail is found by what a photo in it shows, once a worker has had time for it, and the words are shown', async () => {
  const found = await vi.waitFor(
    async () => {
      const answer = await hits('attachmenttext:"lieferschein der zahnradfabrik"');
      if (answer.total !== 1) throw new Error('The photo has not been read yet.');
      return answer;
    },
    { timeout: 120_000, interval: 1_000 },
  );
  expect([found.recognisesScans, found.coverage.scansFailed, found.items[0]?.title]).toEqual([true, 0, 'As discussed']);
  const asked = { query: 'zahnradfabrik', reason: 'A lost message', hitIds: [found.items[0]?.hitId ?? ''] };
  const { items } = await told<SearchPassages>(send(`/api/${tenantId}/archive/search/passages`, { body: asked }));
  expect(items[0]?.passages).toMatchObject([{ part: 'attachment', name: 'Photo.png', text: expect.stringMatching(/Zahnrad/) as string }]);
}, 180_000);

test('A31: the words that a wildcard stands for are those of the index, and showing them is logged', async () => {
  const body = { query: '*anlage', reason: 'Which words' };
  const { wildcards } = await told<SearchWords>(send(`/api/${tenantId}/archive/words`, { body }));
  const known = await testing.asSuperuser(`select word from search_vocabulary where word ~ 'anlage$' order by word`);
  expect(wildcards).toEqual([{ term: '*anlage', total: known.length, words: known.map((row) => row['word']) }]);
  expect(known.length).toBeGreaterThan(0);
  const shown = await testing.asSuperuser("select payload from audit_inbox where event = 'search.words-shown'");
  expect(shown).toMatchObject([{ payload: { reason: 'Which words', details: { query: '*anlage', words: known.length } } }]);
  expect((await send(`/api/${tenantId}/archive/words`, { body: { query: '*anlage', reason: '' } })).status).toBe(400);
});

test('the exact count by month adds up to the hits', async () => {
  const { total, months } = await told<SearchCounted>(
    send(`/api/${tenantId}/archive/search/count`, { body: { query: 'kind:email', reason: 'How many' } }),
  );
  expect(total).toBe((await hits('kind:email')).total);
  expect(months.reduce((sum, one) => sum + one.hits, 0)).toBe(total);
});

test('every value of a facet counts exactly what narrowing the query to it finds', async () => {
  for (const query of ['', 'kind:email OR kind:docs']) {
    const { total, facets } = await told<SearchFacets>(
      send(`/api/${tenantId}/archive/search/facets`, { body: { query, reason: 'Where to look' } }),
    );
    expect(total).toBe((await hits(query)).total);
    for (const name of searchFacetNames) {
      // Nobody knows whether made-up mail has a number whose check digits are right.
      const hasValues = facets[name].values.length > 0 || name === 'sensitive';
      expect([name, hasValues]).toEqual([name, name !== 'filetype']);
      for (const { value, hits: count } of facets[name].values.slice(0, 4)) {
        const text = narrowed(query, facetTerm(name, value)) ?? '';
        expect([text, (await hits(text)).total]).toEqual([text, count]);
      }
    }
  }
}, 60_000);

test('the tree of places counts whose the hits are and in which folders exactly as narrowing the query to them finds', async () => {
  const query = 'kind:email OR kind:meetings';
  const { total, places } = await told<SearchFacets>(
    send(`/api/${tenantId}/archive/search/facets`, { body: { query, reason: 'Where to look' } }),
  );
  expect(places.others).toBe(0);
  expect(places.values.reduce((sum, { hits: count }) => sum + count, 0)).toBe(total);
  for (const { value: place, hits: count, folders } of places.values.slice(0, 3)) {
    expect([place, (await hits(narrowed(query, placeTerm(place)) ?? '')).total]).toEqual([place, count]);
    expect(folders.values.length).toBeGreaterThan(0);
    for (const folder of folders.values.slice(0, 3)) {
      const text = narrowed(query, placeTerm(place, folder.value)) ?? '';
      expect([text, (await hits(text)).total]).toEqual([text, folder.hits]);
    }
  }
}, 60_000);

test('a folder is found with what is below it, and alone when its name is exact', async () => {
  const [nested] = await testing.asSuperuser(`select parent.name as outer_name, folder.name as inner_name from search_items found
    join catalog_items item using (source_id, item_key, from_point)
    join catalog_items folder on folder.source_id = item.source_id and folder.item_key = item.parent_key
    join catalog_items parent on parent.source_id = folder.source_id and parent.item_key = folder.parent_key limit 1`);
  const [outer, inner] = [String(nested?.['outer_name']), String(nested?.['inner_name'])];
  const inInner = (await hits(`folder="${inner}"`)).total;
  expect(inInner).toBeGreaterThan(0);
  expect((await hits(`folder="${inner}" folder:"${outer}"`)).total).toBeGreaterThan(0);
  expect((await hits(`folder:"${outer}" AND folder="${inner}" AND NOT folder="${outer}"`)).total).toBeGreaterThan(0);
  expect((await hits('folder:"no such folder"')).total).toBe(0);
});

test('a query with mistakes is refused with all of them, in the language of the reader, and nothing is logged', async () => {
  const before = await logged();
  const answer = await send(`/api/${tenantId}/archive/search`, {
    body: { query: 'form:anna received:31.02.2024', reason: 'A lost message' },
    headers: { 'accept-language': 'de' },
  });
  const problem = await told<{ code: string; errors: { query: string[] } }>(answer);
  expect([answer.status, problem.code]).toEqual([400, 'search.invalid']);
  expect(problem.errors.query).toEqual([
    'Das Feld „form“ gibt es nicht. Meinten Sie „from“? Um nach dem Text zu suchen, setzen Sie ihn in Anführungszeichen.',
    '„31.02.2024“ ist kein Datum. Geben Sie 2024-02-29, 2024-02, 2024, today oder „last month“ ein.',
  ]);
  expect(await logged()).toEqual(before);
});

test('A26: a search with its facets is one entry of the audit log, and counts what the facets count alone', async () => {
  const before = await logged();
  const body = { query: 'kind:email', reason: 'A lost message', withFacets: true };
  const { facets, total } = await told<SearchAnswer>(send(`/api/${tenantId}/archive/search`, { body }));
  expect((await logged()).length).toBe(before.length + 1);
  const alone = await told<SearchFacets>(send(`/api/${tenantId}/archive/search/facets`, { body: { query: 'kind:email', reason: 'Why' } }));
  expect(facets).toEqual(alone);
  expect(facets?.total).toBe(total);
});

async function logged(): Promise<unknown[]> {
  return testing.asSuperuser("select payload from audit_inbox where event = 'search.ran' order by id");
}

test('A26: a search is in the audit log as it was read, with its reason and the number of its hits', async () => {
  const { total } = await hits('kind:email AND deleted:false');
  const entries = (await logged()) as { payload: { details: object; reason: string } }[];
  expect(entries.at(-1)?.payload).toMatchObject({
    reason: 'A lost message',
    actor: owner.email,
    details: { query: 'kind:email AND deleted:false', hits: total },
  });
});

test('checking a query runs nothing', async () => {
  const before = await logged();
  const checked = await told<SearchChecked>(send(`/api/${tenantId}/archive/search/check`, { body: { query: 'from:a from:b' } }));
  expect(checked).toMatchObject({ readAs: 'from:a OR from:b', errors: [], warnings: [{ code: 'same-field-or', from: 0, to: 13 }] });
  expect(await logged()).toEqual(before);
});

test('without a reason or the right nobody searches, and another organisation finds no tenant', async () => {
  expect((await search('a', { reason: ' ' })).status).toBe(400);
  const operator = await server.member(owner.organisationId, 'operator');
  expect((await search('a', { token: operator.tokens.main })).status).toBe(403);
  const stranger = await server.owner();
  expect((await search('a', { token: stranger.tokens.main })).status).toBe(404);
});

test('what the catalog forgets is no longer found, and what Microsoft 365 no longer has is marked', async () => {
  const message = await aMessage();
  await testing.asSuperuser(
    `update catalog_items set to_point = ${message.sequence + 1} where source_id = '${message.sourceId}' and item_key = $1`,
    [message.nodeId],
  );
  expect((await hits('deleted:true')).items).toMatchObject([{ nodeId: message.nodeId, isDeleted: true }]);
  await testing.asSuperuser(`delete from catalog_items where source_id = '${message.sourceId}' and item_key = $1`, [message.nodeId]);
  expect((await hits(`"${message.title}"`)).items.map((hit) => hit.hitId)).not.toContain(message.hitId);
});
