import { parseQuery } from '@holdfast/contract/query/parse';
import type { Query } from '@holdfast/contract/query/tree';
import { proxyActions } from '@holdfast/contract/proxy-rights';
import type { Tx } from '@holdfast/database';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId, Actor, SessionId } from '../../access/actor.ts';
import { windowOf } from '../../http/paging.ts';
import { aGround, testIds, type Ground } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';
import { createAuditorGround } from '../auditor-access/index.ts';
import { createCaseGround } from '../cases/index.ts';
import { createContentAccess, unlimitedReach, type SearchReach } from '../content-access/index.ts';
import { coverageOf } from './coverage.views.ts';
import { countHits, hitsPage } from './hits-page.views.ts';
import { facetsOf } from './search-facets.views.ts';
import { placeOf } from './search-place.ts';
import { foundVersions, monthsOf, type SearchPlace } from './search.views.ts';
import { anIndexedMailbox } from './testing/indexed.ts';

/** What somebody finds is what everybody finds, less what they have no right to: hits, pages, counts, facets and coverage. */
const testing = testDatabase(import.meta.url);
const access = createContentAccess({
  clock: systemClock,
  cases: createCaseGround({ clock: systemClock }),
  auditors: createAuditorGround({ clock: systemClock }),
});
const RIGHTS = 25;
const MAILBOXES = 6;
const months = ['2024-01-10', '2024-03-10', '2024-05-10', '2024-07-10'];
const words = ['offer', 'invoice', 'letter', 'plan'];
const ADDRESS = 'anna@contoso.example';
let server: TestServer;
let ground: Ground;
let anna: SignedIn;
const mailboxes: { readonly resourceId: string; readonly graphId: string }[] = [];

beforeAll(async () => {
  server = await testServer(testing);
  ground = await aGround(testing.database);
  anna = await server.member(ground.scope.organisationId, 'administrator', ADDRESS);
  for (let n = 0; n < MAILBOXES; n += 1) {
    const mailbox = await anIndexedMailbox(testing.database, ground, `Mailbox ${n}`);
    for (const [turn, month] of months.entries()) {
      // Every second one is changed each time: it has a version of each month, with other words.
      const subject = (key: number): string => [words[(key + turn) % 4], words[(key * n + turn * 3) % 4], `own${n}`].join(' ');
      const subjects = [0, 2, turn * 2 + 1].map((key) => [`m${key}`, subject(key)] as const);
      await mailbox.receive(Object.fromEntries(subjects), `${month}T10:00:00.000Z`);
    }
    const rows = await testing.asSuperuser('select graph_id from resources where resource_id = $1', [mailbox.resourceId]);
    mailboxes.push({ resourceId: mailbox.resourceId, graphId: String(rows[0]?.['graph_id']) });
  }
}, 120_000);
afterAll(() => server.close());

/** Rights of one person over all mailboxes, as they are granted and as the test understands them. */
interface Rights {
  readonly isOpen: boolean;
  readonly own: number;
  readonly exempt: readonly number[];
  readonly granted: readonly { readonly over: number; readonly from: number; readonly to: number; readonly lapsed: boolean }[];
}

const anyMailbox = fc.integer({ min: 0, max: MAILBOXES - 1 });
const rights: fc.Arbitrary<Rights> = fc.record({
  isOpen: fc.boolean(),
  own: fc.integer({ min: -1, max: MAILBOXES - 1 }),
  exempt: fc.uniqueArray(anyMailbox, { maxLength: 2 }),
  granted: fc.array(
    fc.record({
      over: fc.integer({ min: -1, max: MAILBOXES - 1 }),
      from: fc.integer({ min: -1, max: 3 }),
      to: fc.integer({ min: -1, max: 3 }),
      lapsed: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
});

async function grantAll({ isOpen, own, exempt, granted }: Rights): Promise<void> {
  for (const table of ['proxy_rights', 'proxy_exemptions', 'proxy_people', 'proxy_parties'])
    await testing.asSuperuser(`delete from ${table}`);
  await testing.asSuperuser('update organisations set content_access = $1', [isOpen ? 'open' : 'strict']);
  await testing.asSuperuser(`update resources set address = ''`);
  await testing.asSuperuser('update resources set address = $1 where resource_id = $2', [
    ADDRESS,
    mailboxes[own]?.resourceId ?? testIds.uuid(),
  ]);
  const tenant_id = ground.tenantId;
  const day = (month: number): Date | null => (month < 0 ? null : new Date(`${months[month] ?? ''}T10:00:00.000Z`));
  const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);
  await testing.database.within(ground.scope, async (tx) => {
    const parties = ['anna', ...exempt.map((one) => mailboxes[one]?.graphId ?? '')];
    for (const party_id of parties)
      await tx.insertInto('proxy_parties').values({ tenant_id, party_id, kind: 'account', synchronised_at: new Date() }).execute();
    await tx
      .insertInto('proxy_people')
      .values({ tenant_id, party_id: 'anna', person_id: 'anna', addresses: [ADDRESS] })
      .execute();
    for (const one of exempt) {
      const names = { party_name: '', party_address: '', reason: 'Works council', adder: 'someone', added_at: new Date() };
      const party_id = mailboxes[one]?.graphId ?? '';
      await tx
        .insertInto('proxy_exemptions')
        .values({ exemption_id: testIds.uuid(), tenant_id, party_kind: 'account', party_id, ...names })
        .execute();
    }
    for (const { over, from, to, lapsed } of granted) {
      const times = { access_from: inDays(-2), access_to: inDays(lapsed ? -1 : 1), granted_at: inDays(-2) };
      const named = {
        holder_name: '',
        holder_address: '',
        target_name: '',
        target_address: '',
        purpose: 'Test',
        granter: 'x',
        remover: null,
      };
      await tx
        .insertInto('proxy_rights')
        .values({
          proxy_right_id: testIds.uuid(),
          tenant_id,
          holder_kind: 'account',
          holder_id: 'anna',
          target_kind: over < 0 ? 'everyone' : 'account',
          target_id: mailboxes[over]?.graphId ?? null,
          may: [...proxyActions],
          mail_from: day(from),
          mail_to: day(Math.max(from, to)),
          granted_by: testIds.uuid(),
          ...times,
          ...named,
        })
        .execute();
    }
  });
}

/** Whether these rights open a version of a mailbox and time. */
function mayOpen({ isOpen, own, exempt, granted }: Rights, mailbox: number, at: Date): boolean {
  if (mailbox === own) return true;
  if (exempt.includes(mailbox)) return false;
  const month = months.indexOf(at.toISOString().slice(0, 10));
  const covers = granted.some(
    ({ over, from, to, lapsed }) =>
      !lapsed && (over < 0 || over === mailbox) && (from < 0 || month >= from) && (Math.max(from, to) < 0 || month <= Math.max(from, to)),
  );
  return isOpen || covers;
}

interface Version {
  readonly item_no: number;
  readonly item_id: number;
  readonly from_point: number;
  readonly resource_id: string;
  readonly at: Date;
}

async function versionsOf(tx: Tx, place: SearchPlace): Promise<readonly Version[]> {
  return (await sql<Version>`select item_no, item_id, from_point, resource_id, at from ${foundVersions(place)} version`.execute(tx)).rows;
}

/** The newest version of each item, in the order of a result. */
function resultOf(versions: readonly Version[]): readonly string[] {
  const newest = [...Map.groupBy(versions, (version) => version.item_id).values()].map((of) =>
    of.reduce((best, one) => (one.from_point > best.from_point ? one : best)),
  );
  return newest.toSorted((a, b) => b.at.getTime() - a.at.getTime() || b.item_no - a.item_no).map((one) => String(one.item_no));
}

/** Looks for the newest in steps of a few versions, so that a result takes all of them. */
const STEPS = [4, 11, 30];

/** The items of a whole result, page by page. */
async function pagesOf(tx: Tx, place: SearchPlace): Promise<{ readonly items: readonly string[]; readonly totals: readonly number[] }> {
  const items: string[] = [];
  const totals: number[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await hitsPage(tx, place, windowOf({ cursor, limit: 9 }), STEPS);
    items.push(...page.items.map(({ hitId }) => hitId));
    totals.push(page.total);
    if (page.nextCursor === null) return { items, totals };
    cursor = page.nextCursor;
  }
}

function actor(): Actor {
  return {
    accountId: anna.accountId as AccountId,
    sessionId: testIds.uuid() as SessionId,
    email: ADDRESS,
    isEmailConfirmed: true,
    audience: 'main',
    realm: 'production',
    memberships: [{ organisationId: ground.scope.organisationId, role: 'administrator' }],
  };
}

const text = fc.oneof(
  fc.constantFrom(
    ...words,
    ...words.map((word) => `NOT ${word}`),
    'own1 OR own2',
    '*voi*',
    'received:2024-03',
    'offer NOT invoice',
    'kind:email',
  ),
  fc.constantFrom(...words).chain((one) => fc.constantFrom(...words).map((two) => `${one} ${two}`)),
);

async function reachOf(tx: Tx): Promise<SearchReach | undefined> {
  return access.searchable(tx, { actor: actor(), scope: ground.scope, tenantId: ground.tenantId }).catch(() => undefined);
}

test(`who may see: hits, pages, counts, facets and coverage of ${RIGHTS} random rights are those of everybody, less what they do not open`, async () => {
  await fc.assert(
    fc.asyncProperty(rights, fc.array(text, { minLength: 5, maxLength: 5 }), async (given, texts) => {
      await grantAll(given);
      const { tenantId } = ground;
      const opens = ({ resource_id: id, at }: Version): boolean =>
        mayOpen(
          given,
          mailboxes.findIndex(({ resourceId }) => resourceId === id),
          at,
        );
      await testing.database.within(ground.scope, async (tx) => {
        const reach = await reachOf(tx);
        const everything: Query = { kind: 'everything' };
        const kept = await versionsOf(tx, await placeOf(tx, systemClock, { tenantId, query: everything, reach: unlimitedReach }));
        expect(kept).toHaveLength(MAILBOXES * months.length * 3);
        // Without any right nothing is answered at all.
        expect(reach !== undefined || kept.filter(opens).length === 0).toBe(true);
        if (!reach) return;
        expect((await coverageOf(tx, { tenantId, reach })).items).toBe(kept.filter(opens).length);
        for (const written of texts) {
          const { query } = parseQuery(written);
          if (!query) throw new Error(`Not a query: ${written}`);
          const all = await placeOf(tx, systemClock, { tenantId, query, reach: unlimitedReach });
          const mine = { ...all, reach };
          const wanted = (await versionsOf(tx, all)).filter(opens);
          const items = new Set(wanted.map((version) => version.item_id)).size;
          const said = { written, given };
          expect({ ...said, found: (await versionsOf(tx, mine)).length }).toEqual({ ...said, found: wanted.length });
          const paged = await pagesOf(tx, mine);
          expect({ ...said, pages: paged.items }).toEqual({ ...said, pages: resultOf(wanted) });
          expect({ ...said, totals: new Set(paged.totals) }).toEqual({ ...said, totals: new Set([items]) });
          const counted = [await countHits(tx, mine), (await monthsOf(tx, mine)).reduce((sum, { hits }) => sum + hits, 0)];
          expect({ ...said, counted }).toEqual({ ...said, counted: [items, items] });
          const { total, places } = await facetsOf(tx, mine);
          const people = places.values.reduce((sum, { hits }) => sum + hits, 0);
          expect({ ...said, total, people }).toEqual({ ...said, total: items, people: items });
        }
      });
    }),
    { numRuns: RIGHTS },
  );
}, 600_000);
