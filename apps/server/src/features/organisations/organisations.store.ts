import { createBatch } from '@holdfast/foundation/batch';
import type { Clock } from '@holdfast/foundation/clock';
import { isUuid } from '@holdfast/foundation/ids';
import { alsoWithin, type Database, type Lookup, type Scope, type Tx } from '@holdfast/database';
import type { Role } from '@holdfast/contract/actions';
import { sql, type Selectable, type Updateable } from 'kysely';
import type { OrganisationTables } from '@holdfast/database';
import type { HeldMembership } from '../../access/actor.ts';

export type MembershipRow = Selectable<OrganisationTables['memberships']>;
export type OrganisationRow = Selectable<OrganisationTables['organisations']>;
type Realm = Scope['realm'];

interface HeldRow {
  readonly accountId: string;
  readonly realm: Realm;
  readonly organisationId: Scope['organisationId'];
  readonly role: Role;
  readonly endsMs: number | null;
  readonly networks: readonly string[];
  readonly secondFactor: boolean;
}

const HELD: Lookup = {
  name: 'held-memberships',
  over: 'directory',
  text: `
    select account_id as "accountId", realm, organisation_id as "organisationId", role,
      (extract(epoch from ends_at) * 1000)::float8 as "endsMs",
      allowed_networks as networks, second_factor_required as "secondFactor"
    from memberships join organisations using (organisation_id, realm)
    where account_id = any($1::uuid[]) and joined_at is not null and disabled_at is null
    order by joined_at`,
};

function membershipOf({ organisationId, role, endsMs, networks, secondFactor }: HeldRow): HeldMembership {
  return { organisationId, role, rules: { networks, secondFactor }, ...(endsMs === null ? {} : { endsAt: new Date(endsMs) }) };
}

async function heldBy(database: Database, accountIds: readonly string[]): Promise<ReadonlyMap<string, HeldRow[]>> {
  const rows = await database.lookUp<HeldRow>(HELD, [accountIds]);
  return Map.groupBy(rows, (row) => row.accountId);
}

/**
 * Reads every membership of an account that holds, over all organisations of a realm: ids, times,
 * roles and rules only. Every request asks, so those of one turn of the event loop share one look-up.
 */
export function createMembershipReader(database: Database, clock: Clock): (accountId: string, realm: Realm) => Promise<HeldMembership[]> {
  const look = createBatch((accountIds: readonly string[]) => heldBy(database, accountIds), { concurrent: 1, maxKeys: 500 });
  return async (accountId, realm) => {
    // What is no id would spoil the look-up of everybody who shares it.
    if (!isUuid(accountId)) return [];
    const nowMs = clock.nowMs();
    const holds = (row: HeldRow): boolean => row.realm === realm && (row.endsMs === null || row.endsMs > nowMs);
    return ((await look(accountId)) ?? []).filter(holds).map(membershipOf);
  };
}

/** Where else an account belongs, in any realm. */
export function otherScopesOf(database: Database, accountId: string, own: Scope): Promise<Scope[]> {
  return database.acrossOrganisations(async (tx) => {
    const rows = await tx
      .selectFrom('memberships')
      .select(['organisation_id', 'realm'])
      .where('account_id', '=', accountId)
      .where('organisation_id', '!=', own.organisationId)
      .where('joined_at', 'is not', null)
      .where('disabled_at', 'is', null)
      .execute();
    return rows.map((row) => ({ organisationId: row.organisation_id as Scope['organisationId'], realm: row.realm }));
  });
}

/** Every organisation in every realm, by id. */
export function allScopes(database: Database): Promise<Scope[]> {
  return database.acrossOrganisations(async (tx) => {
    const rows = await tx.selectFrom('organisations').select(['organisation_id', 'realm']).orderBy('organisation_id').execute();
    return rows.map((row) => ({ organisationId: row.organisation_id as Scope['organisationId'], realm: row.realm }));
  });
}

/** The abbreviation, with a number behind it when another organisation has it; nobody else can take it until the end of `tx`. */
export async function freeAbbreviation(database: Database, tx: Tx, wanted: string): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended('abbreviations of organisations', 0))`.execute(tx);
  const rows = await database.acrossOrganisations((all) =>
    all.selectFrom('organisations').select('abbr').where('abbr', 'like', `${wanted}%`).execute(),
  );
  const taken = new Set(rows.map(({ abbr }) => abbr));
  let free = wanted;
  for (let place = 2; taken.has(free); place += 1) free = `${wanted}${place}`;
  return free;
}

export async function addOrganisation(
  tx: Tx,
  organisation: { name: string; abbr: string; timeZone: string | null; at: Date },
): Promise<void> {
  await tx
    .insertInto('organisations')
    .values({ name: organisation.name, abbr: organisation.abbr, time_zone: organisation.timeZone, created_at: organisation.at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function readOrganisation(tx: Tx): Promise<OrganisationRow | undefined> {
  return tx.selectFrom('organisations').selectAll().executeTakeFirst();
}

/** The zone in which days and months of the organisation begin. */
export async function timeZoneOf(tx: Tx): Promise<string> {
  const row = await tx.selectFrom('organisations').select('time_zone').executeTakeFirst();
  return row?.time_zone ?? 'UTC';
}

export async function changeOrganisation(
  tx: Tx,
  change: Pick<
    Updateable<OrganisationTables['organisations']>,
    'name' | 'notify_content_access' | 'time_zone' | 'report_language' | 'mail_reports' | 'allowed_networks' | 'second_factor_required'
  >,
): Promise<void> {
  await tx.updateTable('organisations').set(change).execute();
}

export interface NewMembership {
  readonly accountId: string;
  readonly role: Role;
  readonly at: Date;
  readonly invitation?: { readonly by: string | null; readonly at: Date };
  /** A founder entitles and confirms themselves. */
  readonly entitlement: Pick<MembershipRow, 'entitled_by' | 'confirmed_at' | 'confirmed_by'>;
}

/** Adds a membership; false when there is one already. */
export async function addMembership(tx: Tx, membership: NewMembership): Promise<boolean> {
  const added = await tx
    .insertInto('memberships')
    .values({
      account_id: membership.accountId,
      role: membership.role,
      invited_at: membership.invitation?.at ?? null,
      invited_by: membership.invitation?.by ?? null,
      joined_at: membership.at,
      disabled_at: null,
      ends_at: null,
      entitled_since: membership.at,
      entitled_by: membership.entitlement.entitled_by,
      confirmed_at: membership.entitlement.confirmed_at,
      confirmed_by: membership.entitlement.confirmed_by,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export function listMemberships(tx: Tx): Promise<MembershipRow[]> {
  return tx.selectFrom('memberships').selectAll().orderBy('account_id').execute();
}

export function readMembership(tx: Tx, accountId: string): Promise<MembershipRow | undefined> {
  return tx.selectFrom('memberships').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

export interface MembershipChange {
  readonly role?: Role;
  readonly disabled_at?: Date | null;
  readonly ends_at?: Date | null;
  readonly entitled_since?: Date;
  readonly entitled_by?: string | null;
  readonly confirmed_at?: null;
  readonly confirmed_by?: null;
}

export async function changeMembership(tx: Tx, accountId: string, change: MembershipChange): Promise<void> {
  await tx.updateTable('memberships').set(change).where('account_id', '=', accountId).execute();
}

export async function removeMembership(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('memberships').where('account_id', '=', accountId).execute();
}

/** The owners that can sign in, locked until the end of the transaction, so that two can't be removed at once. */
export async function lockOwners(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('memberships')
    .select('account_id')
    .where('role', '=', 'owner')
    .where('joined_at', 'is not', null)
    .where('disabled_at', 'is', null)
    .orderBy('account_id')
    .forUpdate()
    .execute();
  return rows.map((row) => row.account_id);
}

/** Writes into each of these organisations within the transaction of another one. */
export async function alsoWithinEach(tx: Tx, own: Scope, others: readonly Scope[], work: () => Promise<void>): Promise<void> {
  for (const other of others) await alsoWithin(tx, own, other, work);
}
