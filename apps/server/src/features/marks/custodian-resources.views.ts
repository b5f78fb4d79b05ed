import type { Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { keptPeople } from './kept-people.views.ts';

export interface CasePlace {
  readonly tenantId: string;
  readonly caseId: string;
}

/** The resources of the custodians as they are now. Whoever was added by an address is found by it once an id is known. */
export function custodianResources({ tenantId, caseId }: CasePlace): RawBuilder<unknown> {
  return sql`(select distinct custodian.custodian_id, kept.resource_id, kept.address
    from case_custodians custodian join ${keptPeople(tenantId)} kept
      on kept.key = custodian.person_key or 'a:' || kept.address = custodian.person_key
    where custodian.case_id = ${caseId})`;
}

/** What queries of the case may look at. */
export async function resourceIdsOf(tx: Tx, place: CasePlace): Promise<string[]> {
  const { rows } = await sql<{ resource_id: string }>`
    select distinct resource_id from ${custodianResources(place)} known order by resource_id`.execute(tx);
  return rows.map((row) => row.resource_id);
}
