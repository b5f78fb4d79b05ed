import { roles, type Role } from '@holdfast/contract/actions';
import { FOREVER } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testIds } from '../../testing/rows.ts';
import { startContentGround, type ContentGround } from '../content-access/testing/content-ground.ts';

/** Marks that people put on items, as searches find them: by the state at the moment of the search, for whoever may see them. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
let on: ContentGround;
const at = new Date('2024-05-20T00:00:00.000Z');

beforeAll(async () => {
  on = await startContentGround(testing);
}, 120_000);
afterAll(() => on.server.close());
beforeEach(async () => {
  for (const table of ['holds', 'saved_searches', 'retention_policies']) await testing.asSuperuser(`delete from ${table}`);
  await on.reset();
});

interface Hold {
  readonly name: string;
  readonly items?: readonly string[];
  readonly caseId?: string;
  readonly search?: { readonly id: string | null };
}

async function placeHold({ name, items = [], caseId, search }: Hold): Promise<string> {
  const hold_id = testIds.uuid();
  const { scope, tenantId } = on.ground;
  await database.within(scope, async (tx) => {
    const placed = { placed_by: testIds.uuid(), placer: 'someone', placed_at: at, case_id: caseId ?? null };
    const of = search ? { search_id: search.id, search_name: name, search_query: 'as it was' } : { resource_id: on.mailbox.resourceId };
    await tx
      .insertInto('holds')
      .values({ hold_id, tenant_id: tenantId, name, reason: 'Test', ...of, ...placed })
      .execute();
    const named = items.map((item_key) => ({ hold_id, item_key, name: item_key, is_container: false }));
    if (named.length > 0) await tx.insertInto('hold_items').values(named).execute();
  });
  return hold_id;
}

async function activatePolicy(name: string, item_key: string): Promise<void> {
  const policy_id = testIds.uuid();
  const { scope, tenantId } = on.ground;
  await database.within(scope, async (tx) => {
    const length = { anchor: 'received', amount: 6, unit: 'years', starts: 'day', fiscal_year_end: 12 } as const;
    const made = { created_by: testIds.uuid(), creator: 'someone', created_at: at, activated_at: at };
    await tx
      .insertInto('retention_policies')
      .values({ policy_id, tenant_id: tenantId, name, about: 'files', is_everything: false, ...length, ...made })
      .execute();
    const place = { policy_id, resource_id: on.mailbox.resourceId, item_key, name: item_key, is_container: false };
    await tx.insertInto('retention_policy_places').values(place).execute();
  });
}

/** A search that somebody has saved. */
async function save(role: Role, query: string): Promise<string> {
  const search_id = testIds.uuid();
  const { scope, tenantId } = on.ground;
  await database.within(scope, async (tx) => {
    const owner = { owner_id: on.personOf(role).accountId, owner: role, created_at: at, changed_at: at };
    await tx
      .insertInto('saved_searches')
      .values({ search_id, tenant_id: tenantId, name: query, query_version: 1, has_alert: false, ...owner })
      .execute();
    await tx.insertInto('saved_search_queries').values({ search_id, query_version: 1, query, written_by: role, written_at: at }).execute();
  });
  return search_id;
}

/** A tag and a note on the first message, in a review set of a case. */
async function review(caseId: string): Promise<void> {
  const [set_id, tag_id] = [testIds.uuid(), testIds.uuid()];
  await database.within(on.ground.scope, async (tx) => {
    const [row] = await tx.selectFrom('search_items').select(['source_id', 'from_point']).where('item_key', '=', 'm1').execute();
    if (!row) throw new Error('There is no message.');
    await tx
      .insertInto('review_sets')
      .values({ set_id, case_id: caseId, name: set_id, query: '', population: 1, items: 1, creator: 'someone', created_at: at })
      .execute();
    const item = {
      ...row,
      resource_id: on.mailbox.resourceId,
      item_key: 'm1',
      content_hash: null,
      at,
      size_bytes: 1,
      revision: 0,
      status: 'unreviewed' as const,
    };
    await tx
      .insertInto('review_items')
      .values({ set_id, position: 1, copy_of: 1, ...item })
      .execute();
    await tx
      .insertInto('case_tags')
      .values({ case_id: caseId, tag_id, name: 'Urgent', colour: 'red', tag_group: '', created_at: at })
      .execute();
    await tx.insertInto('review_tags').values({ set_id, position: 1, tag_id, tagger: 'someone', tagged_at: at }).execute();
    await tx
      .insertInto('review_notes')
      .values({ note_id: testIds.uuid(), set_id, position: 1, text: 'Call Anna', author_id: testIds.uuid(), author: 'someone', at })
      .execute();
  });
}

const BOTH = ['An offer', 'Another offer'];

async function titles(role: Role, query: string): Promise<unknown> {
  const [status, found] = await on.searched(role, query);
  return status === 200 ? found : status;
}

test.each(roles)('A27: only those who may see a mark can find by it, as %s', async (role) => {
  for (const one of roles) await on.grant(one);
  const caseId = await on.aCase('offer', [
    { role: 'administrator', addedBy: 'owner' },
    { role: 'auditor', addedBy: 'owner' },
  ]);
  await review(caseId);
  await placeHold({ name: 'Hold of Falcon', items: ['m1'], caseId });
  await placeHold({ name: 'General matter', items: ['m2'] });
  await activatePolicy('Letters', 'm2');
  const isMember = role === 'administrator' || role === 'auditor';
  const manages = role === 'owner' || role === 'administrator';
  const some = (isSeen: boolean, found: readonly string[]): readonly string[] => (isSeen ? found : []);
  expect(await titles(role, 'case:falcon')).toEqual(some(isMember || role === 'owner', BOTH));
  expect(await titles(role, 'tag:urgent')).toEqual(some(isMember, ['An offer']));
  expect(await titles(role, 'note:"call anna"')).toEqual(some(isMember, ['An offer']));
  expect(await titles(role, 'hold:falcon')).toEqual(some(manages || isMember, ['An offer']));
  expect(await titles(role, 'hold="General matter"')).toEqual(some(manages, ['Another offer']));
  expect(await titles(role, 'hold:true')).toEqual(manages ? BOTH : some(isMember, ['An offer']));
  expect(await titles(role, 'hold:false')).toEqual(manages ? [] : isMember ? ['Another offer'] : BOTH);
  expect(await titles(role, 'policy:letters')).toEqual(some(manages, ['Another offer']));
  expect(await titles(role, 'NOT tag:urgent')).toEqual(isMember ? ['Another offer'] : BOTH);
});

test('A27: open access shows an owner what reviewers wrote, and nobody who is no member; a closed case shows it to nobody', async () => {
  for (const one of roles) await on.grant(one);
  const caseId = await on.aCase('offer', [{ role: 'auditor', addedBy: 'owner' }]);
  await review(caseId);
  expect(await titles('owner', 'tag:urgent')).toEqual([]);
  await on.setAccess('open');
  expect(await titles('owner', 'tag:urgent')).toEqual(['An offer']);
  expect(await titles('administrator', 'tag:urgent OR note:call OR case:falcon')).toEqual([]);
  await testing.asSuperuser('update cases set closed_at = now()');
  for (const role of ['owner', 'auditor'] as const) expect(await titles(role, 'tag:urgent OR note:call')).toEqual([]);
  expect(await titles('auditor', 'case:falcon')).toEqual(BOTH);
  await testing.asSuperuser('update cases set closed_at = null');
  expect(await titles('auditor', 'tag:urgent note:call')).toEqual(['An offer']);
  await testing.asSuperuser('delete from case_members');
  expect(await titles('auditor', 'tag:urgent OR note:call OR case:falcon')).toEqual([]);
});

test('A27: nobody sees what reviewers wrote in a case to which they have added themselves', async () => {
  await on.grant('administrator');
  await review(await on.aCase('offer', [{ role: 'administrator', addedBy: 'administrator' }]));
  expect(await titles('administrator', 'tag:urgent OR note:call')).toEqual([]);
});

test('marks are those of the moment: what was taken away finds nothing in the next search', async () => {
  await on.setAccess('open');
  await review(await on.aCase('offer', [{ role: 'owner', addedBy: 'administrator' }]));
  await placeHold({ name: 'General matter', items: ['m2'] });
  await activatePolicy('Letters', 'm2');
  const asked = ['hold:general', 'policy:letters', 'tag:urgent', 'note:call'];
  const found = async (): Promise<unknown[]> => Promise.all(asked.map((query) => titles('owner', query)));
  expect(await found()).toEqual([['Another offer'], ['Another offer'], ['An offer'], ['An offer']]);
  await testing.asSuperuser('update holds set released_at = now()');
  await testing.asSuperuser('update retention_policies set ended_at = now()');
  await testing.asSuperuser('delete from review_tags');
  await testing.asSuperuser("update review_notes set text = 'Wait'");
  expect(await found()).toEqual([[], [], [], []]);
  expect(await titles('owner', 'note:wait')).toEqual(['An offer']);
});

test('A19: a hold by search is on what its search finds now, before it was looked at, and on what it has found once', async () => {
  await on.setAccess('open');
  await placeHold({ name: 'Standing', search: { id: await save('owner', 'another') } });
  expect(await titles('owner', 'hold:standing')).toEqual(['Another offer']);
  await testing.asSuperuser('update saved_search_queries set query = $1', ['foreign']);
  expect(await titles('owner', 'hold:standing')).toEqual(['A foreign offer']);
  await testing.asSuperuser(`insert into hold_hits (organisation_id, realm, hold_id, source_id, item_key)
    select hold.organisation_id, hold.realm, hold.hold_id, item.source_id, item.item_key from holds hold, search_items item where item.item_key = 'm2'`);
  expect(await titles('owner', 'hold:standing')).toEqual(['A foreign offer', 'Another offer']);
  // A search that asks for holds itself counts what they have found before, and comes to an end.
  await testing.asSuperuser('update saved_search_queries set query = $1', ['hold:standing OR hold:true']);
  expect(await titles('owner', 'hold:standing')).toEqual(['Another offer']);
  // Nobody knows what a hold without its search is on: it is on everything.
  await testing.asSuperuser('delete from saved_searches');
  expect(await titles('owner', 'hold:standing')).toEqual(['A foreign offer', ...BOTH]);
});

test('a hold on a whole mailbox is on all of it, and one on a period on what its restore points show', async () => {
  await on.setAccess('open');
  await placeHold({ name: 'Whole mailbox' });
  expect(await titles('owner', 'hold:whole')).toEqual(BOTH);
  await testing.asSuperuser('update holds set from_at = $1', ['2000-01-01']);
  expect(await titles('owner', 'hold:whole')).toEqual(BOTH);
  // Gone before the only restore point that the period needs: there is nothing left of it to hold.
  await testing.asSuperuser("update catalog_items set to_point = from_point where item_key = 'm1'");
  try {
    expect(await titles('owner', 'hold:whole')).toEqual(['Another offer']);
  } finally {
    await testing.asSuperuser("update catalog_items set to_point = $1 where item_key = 'm1'", [FOREVER]);
  }
});
