import { roles, type Role } from '@holdfast/contract/actions';
import { proxyActions, type ProxyAction } from '@holdfast/contract/proxy-rights';
import type { SearchAnswer, SearchCounted, SearchFacets } from '@holdfast/contract/search';
import type { OrganisationTables } from '@holdfast/database';
import type { testDatabase } from '@holdfast/database/testing/test-database';
import { systemClock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import type { Insertable } from 'kysely';
import { expect } from 'vitest';
import type { AccountId, Actor, SessionId } from '../../../access/actor.ts';
import { aGround, testIds } from '../../../testing/rows.ts';
import { testServer, type SignedIn } from '../../../testing/test-server.ts';
import { createAuditorGround } from '../../auditor-access/index.ts';
import { createCaseGround } from '../../cases/index.ts';
import { anIndexedMailbox } from '../../search/testing/indexed.ts';
import { createContentAccess } from '../index.ts';

const MAY = '2024-05-17T10:00:00.000Z';
const day = 86_400_000;
export const inDays = (days: number): Date => new Date(Date.now() + days * day);
export type Changes = Partial<Insertable<OrganisationTables['proxy_rights']>>;

/** What each of the three actions is refused with to somebody without any right. */
export const NEEDED = ['content.read-right-needed', 'content.export-right-needed', 'content.restore-right-needed'];
export const thrice = (what: string): string[] => [what, what, what];
/** What a search answers to them. */
export const refused = [403, 'content.read-right-needed', 'content.read-right-needed'];

/** Two mailboxes that are indexed, somebody of each role, and what opening and searching comes to for them. */
export async function startContentGround(testing: ReturnType<typeof testDatabase>) {
  const { database } = testing;
  const access = createContentAccess({
    clock: systemClock,
    cases: createCaseGround({ clock: systemClock }),
    auditors: createAuditorGround({ clock: systemClock }),
  });
  const server = await testServer(testing);
  const ground = await aGround(database);
  const mailbox = await anIndexedMailbox(database, ground, 'Adele Vance');
  const other = await anIndexedMailbox(database, ground, 'Ben Walters');
  await mailbox.receive({ m1: 'An offer', m2: 'Another offer' });
  await other.receive({ o1: 'A foreign offer' });
  await testing.asSuperuser(`update catalog_items set modified_at = $1`, [MAY]);
  const people = new Map<Role, SignedIn>();
  for (const role of roles) people.set(role, await server.member(ground.scope.organisationId, role, `${role}@contoso.example`));

  async function setAccess(mode: 'open' | 'strict'): Promise<void> {
    await testing.asSuperuser('update organisations set content_access = $1', [mode]);
  }
  function personOf(role: Role): SignedIn {
    const person = people.get(role);
    if (!person) throw new Error(`Nobody is ${role}.`);
    return person;
  }

  /** Everything but who they are by the directory and what they may is the same for each role. */
  function actorOf(role: Role, changes: Partial<Actor> = {}): Actor {
    const { accountId, email } = personOf(role);
    return {
      accountId: accountId as AccountId,
      sessionId: testIds.uuid() as SessionId,
      email,
      isEmailConfirmed: true,
      audience: 'main',
      realm: 'production',
      memberships: [{ organisationId: ground.scope.organisationId, role }],
      ...changes,
    };
  }

  async function grant(role: Role, changes: Changes = {}): Promise<void> {
    const person = `id of ${role}`;
    const tenant_id = ground.tenantId;
    await database.within(ground.scope, async (tx) => {
      for (const party of [{ tenant_id, party_id: person, kind: 'account' as const, synchronised_at: new Date() }])
        await tx
          .insertInto('proxy_parties')
          .values(party)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      await tx
        .insertInto('proxy_people')
        .values({ tenant_id, party_id: person, person_id: person, addresses: [`${role}@contoso.example`, `${role}.alias@contoso.example`] })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const [target] = await tx.selectFrom('resources').select('graph_id').where('resource_id', '=', mailbox.resourceId).execute();
      const row: Insertable<OrganisationTables['proxy_rights']> = {
        proxy_right_id: testIds.uuid(),
        tenant_id,
        holder_kind: 'account',
        holder_id: person,
        holder_name: role,
        holder_address: '',
        target_kind: 'account',
        target_id: target?.graph_id ?? null,
        target_name: 'Adele Vance',
        target_address: '',
        may: [...proxyActions],
        access_from: inDays(-1),
        access_to: inDays(1),
        purpose: 'Test',
        granted_by: testIds.uuid(),
        granter: 'someone@contoso.example',
        granted_at: inDays(-1),
        remover: null,
        ...changes,
      };
      await tx.insertInto('proxy_rights').values(row).execute();
    });
  }

  /** What opening comes to: the ground, or the code of the refusal. */
  async function opened(actor: Actor, action: ProxyAction, items: 'all' | readonly string[] = ['m1'], of = mailbox): Promise<string> {
    try {
      const asking = { actor, scope: ground.scope, tenantId: ground.tenantId };
      const why = await database.within(ground.scope, (tx) => access.require(tx, asking, { action, resourceId: of.resourceId, items }));
      return why.by;
    } catch (error) {
      return isAppError(error) ? error.code : String(error);
    }
  }
  async function all(actor: Actor, items?: 'all' | readonly string[]): Promise<string[]> {
    return Promise.all(proxyActions.map((action) => opened(actor, action, items)));
  }

  async function searched(role: Role, query = 'offer'): Promise<readonly [number, unknown, unknown]> {
    const send = async <T>(to: string): Promise<{ status: number; body: T & { code?: string } }> => {
      const answer = await server.send(`/apollo/api/${ground.tenantId}/archive/${to}`, {
        token: personOf(role).tokens.main,
        body: { query, reason: 'Test' },
      });
      return { status: answer.status, body: (await answer.json()) as T & { code?: string } };
    };
    const found = await send<SearchAnswer>('search');
    const counted = await send<SearchCounted>('search/count');
    const facets = await send<SearchFacets>('search/facets');
    expect([counted.status, facets.status]).toEqual([found.status, found.status]);
    if (found.status !== 200) return [found.status, found.body.code, counted.body.code];
    expect([counted.body.total, facets.body.total]).toEqual([found.body.total, found.body.total]);
    return [200, found.body.items.map(({ title }) => title).toSorted((a, b) => a.localeCompare(b)), found.body.coverage.items];
  }

  /** An open case of the tenant about whoever has the mailbox, with one query and these members. */
  async function aCase(
    query: string,
    members: readonly { readonly role: Role; readonly addedBy?: Role }[],
    of: { readonly from?: Date; readonly to?: Date; readonly about?: string } = {},
  ): Promise<string> {
    const caseId = testIds.uuid();
    const made = { created_by: personOf('owner').accountId, creator: 'owner', created_at: new Date() };
    await database.within(ground.scope, async (tx) => {
      const period = { from_at: of.from ?? null, to_at: of.to ?? null };
      await tx
        .insertInto('cases')
        .values({ case_id: caseId, tenant_id: ground.tenantId, matter: 'Falcon', reference: '', ...period, ...made, closed_at: null })
        .execute();
      for (const { role, addedBy } of members) {
        const added = { account_id: personOf(role).accountId, added_by: personOf(addedBy ?? 'owner').accountId, added_at: new Date() };
        await tx
          .insertInto('case_members')
          .values({ case_id: caseId, ...added })
          .execute();
      }
      const custodian = { custodian_id: testIds.uuid(), name: 'Adele Vance', address: '', added_at: new Date() };
      const [resource] = await tx.selectFrom('resources').select('graph_id').where('resource_id', '=', mailbox.resourceId).execute();
      await tx
        .insertInto('case_custodians')
        .values({ case_id: caseId, person_key: of.about ?? `u:${resource?.graph_id ?? ''}`, ...custodian })
        .execute();
      await tx
        .insertInto('case_queries')
        .values({ case_id: caseId, query_id: testIds.uuid(), name: 'Q', query, creator: 'owner', created_at: new Date() })
        .execute();
    });
    return caseId;
  }

  /** As it was before any right, case, exemption or mark, under strict access. */
  async function reset(): Promise<void> {
    for (const table of ['proxy_rights', 'cases', 'proxy_exemptions', 'private_messages'])
      await testing.asSuperuser(`delete from ${table}`);
    await testing.asSuperuser("update resources set address = '', deleted_at = null");
    await setAccess('strict');
  }

  return { server, ground, mailbox, other, aCase, setAccess, personOf, actorOf, grant, opened, all, searched, reset };
}
export type ContentGround = Awaited<ReturnType<typeof startContentGround>>;
