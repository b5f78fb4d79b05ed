import { parseQuery } from '@holdfast/contract/query/parse';
import type { Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { sql } from 'kysely';
import { sightBy, unlimitedReach, type CaseContent, type CaseGround, type Person } from '../content-access/index.ts';
import { hitsOf, searchPlaceOf } from '../search/index.ts';
import { queriesOf } from './case-parts.store.ts';
import type { CaseRow } from './cases.store.ts';
import { resourceIdsOf } from '../marks/index.ts';

/** Open cases whose content somebody may see: somebody else has to have made them a member. */
async function casesOf(tx: Tx, { tenantId, accountId }: Person): Promise<CaseRow[]> {
  return tx
    .selectFrom('cases')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('closed_at', 'is', null)
    .where(
      sql<boolean>`exists (select from case_members own where own.case_id = cases.case_id and own.account_id = ${accountId}
        and own.added_by <> ${accountId})`,
    )
    .orderBy('created_at')
    .orderBy('case_id')
    .execute();
}

/** Which of these items some query of the case finds. */
async function foundIn(
  tx: Tx,
  clock: Clock,
  { row, person }: { row: CaseRow; person: Person },
  { resourceId, items }: CaseContent,
): Promise<Set<string>> {
  const found = new Set<string>();
  const sight = await sightBy(tx, person, now(clock));
  const within = { resourceIds: [resourceId], from: row.from_at, to: row.to_at };
  for (const { query: text } of await queriesOf(tx, row.case_id)) {
    // A stored query was valid once; one that a later rule of the language refuses finds nothing.
    const { query } = parseQuery(text);
    if (!query) continue;
    const place = { ...(await searchPlaceOf(tx, clock, { tenantId: row.tenant_id, query, reach: unlimitedReach, sight })), within };
    const { rows } = await sql<{ item_key: string }>`
      select distinct item_key from ${hitsOf(place)} hit where hit.item_key = any(${items}::text[])`.execute(tx);
    for (const hit of rows) found.add(hit.item_key);
  }
  return found;
}

/** A case as the reason for which its members open content: what its queries find of its custodians, as long as it is open. */
export function createCaseGround({ clock }: { readonly clock: Clock }): CaseGround {
  return Object.freeze<CaseGround>({
    async caseOf(tx, person, wanted) {
      for (const row of await casesOf(tx, person)) {
        const resourceIds = await resourceIdsOf(tx, { tenantId: row.tenant_id, caseId: row.case_id });
        if (!resourceIds.includes(wanted.resourceId)) continue;
        const found = await foundIn(tx, clock, { row, person }, wanted);
        if (wanted.items.every((item) => found.has(item))) return { caseId: row.case_id, from_at: row.from_at, to_at: row.to_at };
      }
      return undefined;
    },
    async opens(tx, { accountId }, caseId) {
      const row = await tx
        .selectFrom('case_members')
        .select('account_id')
        .where('case_id', '=', caseId)
        .where('account_id', '=', accountId)
        .where('added_by', '<>', accountId)
        .executeTakeFirst();
      return row !== undefined;
    },
  });
}
