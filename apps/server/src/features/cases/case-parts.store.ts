import type { CasePerson } from '@holdfast/contract/case-values';
import type { OrganisationTables, Tx } from '@holdfast/database';
import type { Insertable } from 'kysely';
import type { CaseQueryRow } from './cases.store.ts';

/** Adds people who are not custodians of the case yet; answers the names of those who were added. */
export async function addCustodians(
  tx: Tx,
  caseId: string,
  people: readonly (Pick<CasePerson, 'key' | 'name' | 'address'> & { readonly custodianId: string })[],
  at: Date,
): Promise<string[]> {
  const rows = await tx
    .insertInto('case_custodians')
    .values(
      people.map(({ key, name, address, custodianId }) => ({
        case_id: caseId,
        custodian_id: custodianId,
        person_key: key,
        name,
        address,
        added_at: at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Answers the name of the custodian who was removed. */
export async function removeCustodian(tx: Tx, caseId: string, custodianId: string): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('case_custodians')
    .where('case_id', '=', caseId)
    .where('custodian_id', '=', custodianId)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

export function queriesOf(tx: Tx, caseId: string): Promise<CaseQueryRow[]> {
  return tx.selectFrom('case_queries').selectAll().where('case_id', '=', caseId).orderBy('created_at').orderBy('query_id').execute();
}

export function readCaseQuery(tx: Tx, caseId: string, queryId: string): Promise<CaseQueryRow | undefined> {
  return tx.selectFrom('case_queries').selectAll().where('case_id', '=', caseId).where('query_id', '=', queryId).executeTakeFirst();
}

/** Whether another query of the case has this name. */
export async function hasQueryNamed(tx: Tx, caseId: string, name: string, besides: string | null): Promise<boolean> {
  const rows = await tx.selectFrom('case_queries').select(['query_id', 'name']).where('case_id', '=', caseId).execute();
  return rows.some((row) => row.query_id !== besides && row.name.toLowerCase() === name.toLowerCase());
}

export async function addQuery(tx: Tx, row: Insertable<OrganisationTables['case_queries']>): Promise<void> {
  await tx.insertInto('case_queries').values(row).execute();
}

export async function changeQuery(
  tx: Tx,
  queryId: string,
  change: Partial<Pick<CaseQueryRow, 'name' | 'query' | 'hits' | 'bytes' | 'counted_at'>>,
): Promise<void> {
  await tx.updateTable('case_queries').set(change).where('query_id', '=', queryId).execute();
}

/** Figures are of what is searched: they are forgotten when the custodians or the period change. */
export async function forgetFigures(tx: Tx, caseId: string): Promise<void> {
  await tx.updateTable('case_queries').set({ hits: null, bytes: null, counted_at: null }).where('case_id', '=', caseId).execute();
}

export async function removeQuery(tx: Tx, queryId: string): Promise<void> {
  await tx.deleteFrom('case_queries').where('query_id', '=', queryId).execute();
}
