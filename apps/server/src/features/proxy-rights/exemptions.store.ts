import type { ProxyExemption } from '@holdfast/contract/proxy-rights';
import type { OrganisationTables, Tx } from '@holdfast/database';
import type { Insertable, Selectable } from 'kysely';

export type ExemptionRow = Selectable<OrganisationTables['proxy_exemptions']>;

/** Exemptions of a tenant, those in force first and then those that have ended. */
export function listExemptions(tx: Tx, tenantId: string): Promise<ExemptionRow[]> {
  return tx
    .selectFrom('proxy_exemptions')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy((by) => by('ended_at', 'is not', null))
    .orderBy('party_name')
    .orderBy('exemption_id')
    .execute();
}

export function readExemption(tx: Tx, exemptionId: string): Promise<ExemptionRow | undefined> {
  return tx.selectFrom('proxy_exemptions').selectAll().where('exemption_id', '=', exemptionId).executeTakeFirst();
}

/** False when the account or group is exempt already. */
export async function addExemption(tx: Tx, row: Insertable<OrganisationTables['proxy_exemptions']>): Promise<boolean> {
  const added = await tx
    .insertInto('proxy_exemptions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('exemption_id')
    .executeTakeFirst();
  return added !== undefined;
}

/** False when it has ended already. */
export async function endExemption(tx: Tx, exemptionId: string, at: Date): Promise<boolean> {
  const ended = await tx
    .updateTable('proxy_exemptions')
    .set({ ended_at: at })
    .where('exemption_id', '=', exemptionId)
    .where('ended_at', 'is', null)
    .returning('exemption_id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** `ending`: somebody asked for the end and a second person has not decided. */
export function exemptionOf(row: ExemptionRow, isEnding: boolean): ProxyExemption {
  return {
    exemptionId: row.exemption_id,
    state: row.ended_at !== null ? 'ended' : isEnding ? 'ending' : 'active',
    party: { kind: row.party_kind, id: row.party_id, name: row.party_name, address: row.party_address },
    reason: row.reason,
    adder: row.adder,
    addedAt: row.added_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}
