import type { CaseBody, CaseMember, CaseSummary } from '@holdfast/contract/case-values';
import type { Page } from '@holdfast/contract/paging';
import type { OrganisationTables, Tx } from '@holdfast/database';
import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import { likePattern, pageFrom, sortOf, type PageWindow } from '../../http/paging.ts';

export type CaseRow = Selectable<OrganisationTables['cases']>;
export type CaseQueryRow = Selectable<OrganisationTables['case_queries']>;

/** Whose cases are listed: an owner's list has all of the tenant, everybody else's those they are a member of. */
export interface CasesWanted {
  readonly tenantId: string;
  readonly accountId: string;
  readonly isOwner: boolean;
  readonly status?: CaseSummary['status'] | undefined;
  readonly search?: string | undefined;
  readonly sort?: string | undefined;
  readonly window: PageWindow;
}

export function summaryOf(row: CaseRow): Omit<CaseSummary, 'members' | 'custodians' | 'queries' | 'holds'> {
  return {
    caseId: row.case_id,
    matter: row.matter,
    reference: row.reference,
    status: row.closed_at === null ? 'open' : 'closed',
    from: row.from_at?.toISOString() ?? null,
    to: row.to_at?.toISOString() ?? null,
    creator: row.creator,
    createdAt: row.created_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
  };
}

function wantedCases(tx: Tx, { tenantId, accountId, isOwner, status, search }: CasesWanted) {
  let query = tx.selectFrom('cases').where('tenant_id', '=', tenantId);
  if (!isOwner)
    query = query.where(
      sql<boolean>`exists (select from case_members own where own.case_id = cases.case_id and own.account_id = ${accountId})`,
    );
  if (status !== undefined) query = query.where('closed_at', status === 'open' ? 'is' : 'is not', null);
  if (search !== undefined)
    query = query.where((by) => by.or([by('matter', 'ilike', likePattern(search)), by('reference', 'ilike', likePattern(search))]));
  return query;
}

const columns = { matter: sql`lower(matter)`, createdAt: sql`created_at` } as const;
const countOf = (table: string) => sql<number>`(select count(*)::bigint from ${sql.table(table)} part where part.case_id = cases.case_id)`;

/** A page of the cases that somebody may see. */
export async function casesPage(tx: Tx, wanted: CasesWanted): Promise<Page<CaseSummary>> {
  const { column, isDescending } = sortOf<keyof typeof columns>(wanted.sort, { column: 'createdAt', isDescending: true });
  const rows = await wantedCases(tx, wanted)
    .selectAll()
    .select([
      countOf('case_members').as('members'),
      countOf('case_custodians').as('custodians'),
      countOf('case_queries').as('queries'),
      sql<number>`(select count(*)::bigint from holds hold where hold.case_id = cases.case_id and hold.released_at is null)`.as('holds'),
    ])
    .orderBy(columns[column], isDescending ? 'desc' : 'asc')
    .orderBy('case_id')
    .limit(wanted.window.limit)
    .offset(wanted.window.offset)
    .execute();
  const { total } = await wantedCases(tx, wanted)
    .select((count) => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const items = rows.map(({ members, custodians, queries, holds, ...row }) => ({ ...summaryOf(row), members, custodians, queries, holds }));
  return pageFrom(items, total, wanted.window);
}

/** Reads a case; with `forChange` nobody else changes it until the transaction ends. */
export function readCase(tx: Tx, caseId: string, options: { readonly forChange: boolean }): Promise<CaseRow | undefined> {
  const query = tx.selectFrom('cases').selectAll().where('case_id', '=', caseId);
  return (options.forChange ? query.forUpdate() : query).executeTakeFirst();
}

export async function isMember(tx: Tx, caseId: string, accountId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('case_members')
    .select('account_id')
    .where('case_id', '=', caseId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function addCase(tx: Tx, row: Insertable<OrganisationTables['cases']>): Promise<void> {
  await tx.insertInto('cases').values(row).execute();
}

export async function changeCase(tx: Tx, caseId: string, { matter, reference, from, to }: CaseBody): Promise<void> {
  await tx.updateTable('cases').set({ matter, reference, from_at: from, to_at: to }).where('case_id', '=', caseId).execute();
}

export async function setClosed(tx: Tx, caseId: string, closedAt: Date | null): Promise<void> {
  await tx.updateTable('cases').set({ closed_at: closedAt }).where('case_id', '=', caseId).execute();
}

interface MemberRow {
  readonly account_id: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly role: CaseMember['role'];
}

/** Active members of the organisation that a condition on the alias `member` chooses. */
async function activeMembers(tx: Tx, condition: RawBuilder<unknown>): Promise<CaseMember[]> {
  const { rows } = await sql<MemberRow>`
    select member.account_id, account.email, account.first_name, account.last_name, member.role
    from memberships member join accounts account on account.id = member.account_id
    where member.joined_at is not null and member.disabled_at is null and ${condition}
    order by account.email`.execute(tx);
  return rows.map((row) => ({
    userId: row.account_id,
    email: row.email,
    name: `${row.first_name} ${row.last_name}`.trim(),
    role: row.role,
  }));
}

/** The members of a case who still belong to the organisation. */
export function membersOf(tx: Tx, caseId: string): Promise<CaseMember[]> {
  return activeMembers(tx, sql`exists (select from case_members own where own.case_id = ${caseId} and own.account_id = member.account_id)`);
}

/** Somebody of the organisation, if they belong to it now. */
export async function userOf(tx: Tx, accountId: string): Promise<CaseMember | undefined> {
  return (await activeMembers(tx, sql`member.account_id = ${accountId}`))[0];
}

/** False when they were a member already. */
export async function addMember(
  tx: Tx,
  caseId: string,
  { accountId, addedBy }: { readonly accountId: string; readonly addedBy: string },
  at: Date,
): Promise<boolean> {
  const row = await tx
    .insertInto('case_members')
    .values({ case_id: caseId, account_id: accountId, added_by: addedBy, added_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('account_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function removeMember(tx: Tx, caseId: string, accountId: string): Promise<void> {
  await tx.deleteFrom('case_members').where('case_id', '=', caseId).where('account_id', '=', accountId).execute();
}
