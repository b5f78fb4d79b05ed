import type { SavedSearch } from '@holdfast/contract/saved-searches';
import type { SearchAnswer } from '@holdfast/contract/search';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGround, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { anIndexedMailbox } from './testing/indexed.ts';

/** A26: no log, no answer. Nothing of a result leaves while the audit log cannot be written. */
const testing = testDatabase(import.meta.url);
const SUBJECT = 'Kesselanlage';
let server: TestServer;
let ground: Ground;
let owner: SignedIn;
let savedId: string;
let hitId: string;

async function send(to: string, body: unknown): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await server.send(`/apollo/api/${ground.tenantId}/archive/${to}`, { token: owner.tokens.main, body });
  return { status: answer.status, text: await answer.text() };
}
const asked = { query: SUBJECT, reason: 'A lost message' };

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  owner = await server.member(ground.scope.organisationId, 'owner');
  await (await anIndexedMailbox(testing.database, ground, 'Adele Vance')).receive({ m1: `${SUBJECT} one`, m2: `${SUBJECT} two` });
  savedId = (JSON.parse((await send('searches', { name: 'Boilers', query: SUBJECT, hasAlert: false })).text) as SavedSearch).searchId;
  hitId = (JSON.parse((await send('search', asked)).text) as SearchAnswer).items[0]?.hitId ?? '';
  await testing.asSuperuser(`create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'no space left on device' using errcode = '53100'; end $$`);
}, 120_000);
afterAll(() => server.close());

const routes = (): readonly (readonly [string, unknown])[] => [
  ['search', asked],
  ['search', { ...asked, withFacets: true }],
  ['search/count', asked],
  ['search/facets', asked],
  ['search/selections', asked],
  [`searches/${savedId}/run`, { reason: asked.reason }],
];

test('A26: while the disk of the log is full, no search, count, facet, passage, word, selection or saved search is answered', async () => {
  const before = await testing.asSuperuser('select count(*)::int as n from audit_inbox');
  await testing.asSuperuser('create trigger no_room before insert on audit_inbox for each row execute function no_room()');
  const shown = [['search/passages', { ...asked, hitIds: [hitId] }] as const, ['words', { ...asked, query: '*anlage' }] as const];
  for (const [route, body] of [...routes(), ...shown]) {
    const { status, text } = await send(route, body);
    expect([route, status >= 500, text.includes(SUBJECT), /"total"/.test(text)]).toEqual([route, true, false, false]);
  }
  expect(await testing.asSuperuser('select count(*)::int as n from audit_inbox')).toEqual(before);
  expect(await testing.asSuperuser('select 1 from search_selections')).toEqual([]);
  await testing.asSuperuser('drop trigger no_room on audit_inbox');
  for (const [route, body] of routes()) expect([route, (await send(route, body)).status < 300]).toEqual([route, true]);
});

test('A26: each of them is one line of the log, with the query as it was read, the reason and the number of hits', async () => {
  for (const [route, body] of routes()) {
    await testing.asSuperuser(
      'alter table audit_inbox disable trigger user; delete from audit_inbox; alter table audit_inbox enable trigger user',
    );
    await send(route, body);
    const rows = await testing.asSuperuser('select event, payload from audit_inbox');
    expect([route, rows.length]).toEqual([route, 1]);
    expect([route, rows[0]?.['payload']]).toMatchObject([route, { reason: asked.reason, details: { query: SUBJECT, hits: 2 } }]);
  }
});
