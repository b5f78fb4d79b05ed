import type { Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { sql, type RawBuilder } from 'kysely';
import type { AuditorGround } from '../content-access/index.ts';

/** Accesses of a person, by the alias `granted`, that are in force. Whether they are an auditor still is asked by whoever asks for this. */
export function inForce(tenantId: string, accountId: string, at: Date): RawBuilder<unknown> {
  return sql`granted.tenant_id = ${tenantId} and granted.account_id = ${accountId} and granted.ended_at is null
    and granted.access_from <= ${at} and granted.access_to > ${at}`;
}

/** What was frozen for auditors as the reason for which they open content: these versions of these items, and no others. */
export function createAuditorGround({ clock }: { readonly clock: Clock }): AuditorGround {
  return Object.freeze<AuditorGround>({
    async accessOf(tx: Tx, { tenantId, accountId }, { resourceId, items, sequence }) {
      const { rows } = await sql<{ access_id: string }>`
        select granted.access_id from auditor_accesses granted
        where ${inForce(tenantId, accountId, now(clock))} and not exists (
          select from unnest(${[...items]}::text[]) wanted (item_key) where not exists (
            select from auditor_access_items frozen join catalog_sources source using (organisation_id, realm, source_id)
            join catalog_items version using (organisation_id, realm, source_id, item_key, from_point)
            where frozen.access_id = granted.access_id and frozen.item_key = wanted.item_key and source.resource_id = ${resourceId}
              and version.from_point <= ${sequence} and version.to_point > ${sequence}))
        order by granted.access_to desc, granted.access_id limit 1`.execute(tx);
      return rows[0]?.access_id;
    },
  });
}
