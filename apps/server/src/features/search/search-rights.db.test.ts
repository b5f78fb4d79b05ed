import type { Role } from '@holdfast/contract/actions';
import { parseQuery } from '@holdfast/contract/query/parse';
import { testDatabase } from '@holdfast/database/testing/test-database';
import type { ItemWords } from '@holdfast/engine';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { systemClock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { AccountId, Actor, SessionId } from '../../access/actor.ts';
import { createCatalog } from '../../storage/index.ts';
import { aGround, aResource, testIds, type Ground } from '../../testing/rows.ts';
import { createCaseGround } from '../cases/index.ts';
import { createContentAccess } from '../content-access/index.ts';
import { facetsOf } from './search-facets.views.ts';
import { createSearchIndexStore } from './search-index.store.ts';
import { placeOf } from './search-place.ts';
import { coverageOf, hitsPage, monthsOf } from './search.views.ts';

/** Random rights over a few people's mail, half of it archived: what is found with them beside what anybody could work out. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
const access = createContentAccess({ clock: systemClock, cases: createCaseGround({ clock: systemClock }) });
const store = createSearchIndexStore(database);
let ground: Ground;

interface Mail {
  readonly person: number;
  readonly title: string;
  readonly at: Date;
  readonly isArchived: boolean;
  readonly isBackedUp: boolean;
}
const PEOPLE = 5;
const addressOf = (person: number): string => `p${person}@contoso.example`;
const monthOf = (month: number): Date => new Date(Date.UTC(2024, month, 10));
const mails: readonly Mail[] = Array.from({ length: PEOPLE * 9 }, (_, index) => ({
  person: index % PEOPLE,
  title: `mail${index} ${index % 2 ? 'offer' : 'invoice'}`,
  at: monthOf((index * 7) % 12),
  isArchived: index % 3 !== 0,
  isBackedUp: index % 3 !== 1,
}));

async function keep(kind: 'mailbox' | 'archive', person: number): Promise<void> {
  const workload = kind === 'archive' ? 'archive' : 'exchange';
  const resourceId = await aResource(database, ground, { kind, workload, graphId: `person ${person}`, name: `Person ${person}` });
  await testing.asSuperuser('update resources set address = $1 where resource_id = $2', [addressOf(person), resourceId]);
  const kept = mails.filter((mail) => mail.person === person && (kind === 'archive' ? mail.isArchived : mail.isBackedUp));
  const catalog = createCatalog({ database, scope: ground.scope, locationId: ground.locationId, ids: testIds });
  const put = kept.map(({ title, at }) => anItem(title, { modifiedAt: at.toISOString() }));
  await catalog.apply(aSegment(resourceId, 1, { put }));
  const unread = await store.unread(ground.scope, 1_000);
  const nobody = { from: [], to: [], cc: [], bcc: [], attachments: [], attachmentTexts: [] };
  await store.write(
    ground.scope,
    unread.map((of) => {
      const mail = kept.find(({ title }) => title === of.itemKey);
      if (!mail) throw new Error(`There is no mail ${of.itemKey}.`);
      const words: ItemWords = { title: mail.title, ...nobody, text: mail.title, at: mail.at.toISOString(), state: 'indexed' };
      const bytes = { contentHash: `hash of ${mail.title}`, sizeBytes: 1, sensitive: [] };
      return { of, kind: 'message', name: mail.title, ...bytes, words, changedAt: mail.at.toISOString() };
    }),
  );
}

beforeAll(async () => {
  ground = await aGround(database);
  for (let person = 0; person < PEOPLE; person += 1) {
    await keep('mailbox', person);
    await keep('archive', person);
  }
  const tenant_id = ground.tenantId;
  await database.within(ground.scope, async (tx) => {
    for (let person = 0; person < PEOPLE; person += 1) {
      const party_id = `person ${person}`;
      await tx.insertInto('proxy_parties').values({ tenant_id, party_id, kind: 'account', synchronised_at: new Date() }).execute();
      await tx
        .insertInto('proxy_people')
        .values({ tenant_id, party_id, person_id: party_id, addresses: [addressOf(person)] })
        .execute();
    }
  });
}, 120_000);

interface Right {
  /** Null for everybody. */
  readonly target: number | null;
  readonly may: readonly ('read' | 'export' | 'restore')[];
  readonly from: number | null;
  readonly to: number | null;
  readonly isOver: boolean;
}

interface Rights {
  readonly me: number;
  readonly isConfirmed: boolean;
  readonly role: Role;
  readonly isOpen: boolean;
  readonly exempt: readonly number[];
  readonly rights: readonly Right[];
}

/** Whether a mail is somebody's to find, by the rules as people read them. */
function isMine({ me, isConfirmed, role, isOpen, exempt, rights }: Rights, { person, at }: Mail): boolean {
  if (isConfirmed && person === me) return true;
  if (exempt.includes(person)) return false;
  if (isOpen && (role === 'owner' || role === 'administrator')) return true;
  return (
    isConfirmed &&
    rights.some(
      (right) =>
        !right.isOver &&
        right.may.includes('read') &&
        (right.target === null || right.target === person) &&
        (right.from === null || at >= monthOf(right.from)) &&
        (right.to === null || at <= monthOf(right.to)),
    )
  );
}

const inHours = (hours: number): Date => new Date(Date.now() + hours * 3_600_000);

async function establish({ me, isOpen, exempt, rights }: Rights): Promise<void> {
  const tenant_id = ground.tenantId;
  await testing.asSuperuser('delete from proxy_rights');
  await testing.asSuperuser('delete from proxy_exemptions');
  await testing.asSuperuser('update organisations set content_access = $1', [isOpen ? 'open' : 'strict']);
  const added = { adder: 'somebody', added_at: inHours(-2), reason: 'Works council' };
  const holder = { holder_kind: 'account' as const, holder_id: `person ${me}`, holder_name: '', holder_address: '' };
  const granted = { purpose: 'Test', granted_by: testIds.uuid(), granter: 'somebody', granted_at: inHours(-2), remover: null };
  await database.within(ground.scope, async (tx) => {
    for (const person of exempt) {
      const party = { party_kind: 'account' as const, party_id: `person ${person}`, party_name: '', party_address: addressOf(person) };
      await tx
        .insertInto('proxy_exemptions')
        .values({ exemption_id: testIds.uuid(), tenant_id, ...party, ...added })
        .execute();
    }
    for (const { target, may, from, to, isOver } of rights) {
      await tx
        .insertInto('proxy_rights')
        .values({
          proxy_right_id: testIds.uuid(),
          tenant_id,
          ...holder,
          ...granted,
          target_kind: target === null ? 'everyone' : 'account',
          target_id: target === null ? null : `person ${target}`,
          target_name: '',
          target_address: '',
          may: [...may],
          mail_from: from === null ? null : monthOf(from),
          mail_to: to === null ? null : monthOf(to),
          access_from: inHours(-2),
          access_to: inHours(isOver ? -1 : 1),
        })
        .execute();
    }
  });
}

function actorOf({ me, isConfirmed, role }: Rights): Actor {
  return {
    accountId: testIds.uuid() as AccountId,
    sessionId: testIds.uuid() as SessionId,
    email: addressOf(me),
    isEmailConfirmed: isConfirmed,
    audience: 'main',
    realm: 'production',
    memberships: [{ organisationId: ground.scope.organisationId, role }],
  };
}

/** What a search with these rights shows and counts; undefined where it is refused. */
async function searched(rights: Rights, text: string) {
  const { query } = parseQuery(text);
  if (!query) throw new Error(`Not a query: ${text}`);
  const asking = { actor: actorOf(rights), scope: ground.scope, tenantId: ground.tenantId };
  return database.within(ground.scope, async (tx) => {
    const reach = await access.searchable(tx, asking).catch((error: unknown) => {
      if (isAppError(error, 'content.read-right-needed')) return undefined;
      throw error;
    });
    if (!reach) return undefined;
    const place = await placeOf(tx, systemClock, { tenantId: ground.tenantId, query, reach });
    const { items, total } = await hitsPage(tx, place, { limit: 200, offset: 0 });
    const months = await monthsOf(tx, place);
    return {
      titles: items.map(({ title }) => title).sort(),
      total,
      months: months.reduce((sum, { hits }) => sum + hits, 0),
      facets: (await facetsOf(tx, place)).total,
      covered: (await coverageOf(tx, { tenantId: ground.tenantId, reach })).items,
    };
  });
}

/** A refusal shows nothing, and may only come where there is nothing. */
const refused = { titles: [], total: 0, months: 0, facets: 0, covered: 0 };

const person = fc.integer({ min: 0, max: PEOPLE - 1 });
const month = fc.option(fc.integer({ min: 0, max: 11 }));
const right: fc.Arbitrary<Right> = fc
  .record({
    target: fc.option(person, { freq: 4 }),
    may: fc.subarray(['read', 'export', 'restore'] as const, { minLength: 1 }),
    from: month,
    to: month,
    isOver: fc.boolean(),
  })
  .map((one) => (one.from !== null && one.to !== null && one.from > one.to ? { ...one, from: one.to, to: one.from } : one));
const someRights: fc.Arbitrary<Rights> = fc.record({
  me: person,
  isConfirmed: fc.boolean(),
  role: fc.constantFrom('owner', 'administrator', 'operator', 'auditor', 'reader'),
  isOpen: fc.boolean(),
  exempt: fc.uniqueArray(person, { maxLength: 2 }),
  rights: fc.array(right, { maxLength: 3 }),
});

test('A17, A27: with random rights, hits and every count are those of all hits that the rights reach', async () => {
  await fc.assert(
    fc.asyncProperty(someRights, fc.constantFrom('', 'offer', 'invoice OR mail1', 'NOT offer', 'deleted:false'), async (rights, text) => {
      await establish(rights);
      const everybody = { ...rights, isOpen: true, role: 'owner', exempt: [] } as const;
      await testing.asSuperuser('delete from proxy_exemptions');
      await testing.asSuperuser(`update organisations set content_access = 'open'`);
      const all = await searched(everybody, text);
      await establish(rights);
      const mine = await searched(rights, text);
      const reached = mails.filter((mail) => isMine(rights, mail));
      const titles = (all?.titles ?? []).filter((title) => reached.some((mail) => mail.title === title));
      const copies = reached.reduce((sum, { isArchived, isBackedUp }) => sum + Number(isArchived) + Number(isBackedUp), 0);
      expect(mine ?? refused).toEqual({ titles, total: titles.length, months: titles.length, facets: titles.length, covered: copies });
    }),
    { numRuns: 120 },
  );
}, 120_000);
