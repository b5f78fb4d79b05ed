import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';

/** Remembers owners of files who have no protected mailbox or OneDrive. */
export interface AbsentOwnersStore {
  /** Owners to look up: not looked up within a day, the longest ago first. */
  unasked(scope: Scope, tenantId: string, at: Date): Promise<readonly string[]>;
  /** Records whether the directory has somebody. */
  note(scope: Scope, tenantId: string, owner: { readonly ownerId: string; readonly isGone: boolean }, at: Date): Promise<void>;
}

const ASKED_EVERY_MS = 24 * 3_600_000;
/** As many as a scan asks for; the next scan asks for the rest. */
const OWNERS = 5_000;

export function createAbsentOwnersStore(database: Database): AbsentOwnersStore {
  return Object.freeze<AbsentOwnersStore>({
    unasked: (scope, tenantId, at) =>
      database.within(scope, async (tx) => {
        const { rows } = await sql<{ owner_id: string }>`
          with owner as (
            select distinct file.owner_id, lower(file.owner_address) as address
            from compliance_files file join compliance_sources source using (organisation_id, realm, source_id)
            where source.tenant_id = ${tenantId} and not file.is_deleted and file.owner_id is not null)
          select owner.owner_id from owner left join compliance_owners asked on asked.tenant_id = ${tenantId} and asked.owner_id = owner.owner_id
          where (asked.asked_at is null or asked.asked_at < ${new Date(at.getTime() - ASKED_EVERY_MS)})
          group by owner.owner_id, asked.asked_at
          having not bool_or(exists (select from resources known where known.tenant_id = ${tenantId} and known.kind in ('mailbox', 'drive')
            and (known.graph_id = owner.owner_id or (owner.address <> '' and lower(known.address) = owner.address))))
          order by asked.asked_at nulls first, owner.owner_id limit ${OWNERS}`.execute(tx);
        return rows.map((row) => row.owner_id);
      }),
    note: (scope, tenantId, { ownerId, isGone }, at) =>
      database.within(scope, async (tx) => {
        await sql`insert into compliance_owners (tenant_id, owner_id, asked_at, gone_since) values (${tenantId}, ${ownerId}, ${at}, ${isGone ? at : null})
          on conflict (organisation_id, realm, tenant_id, owner_id) do update set asked_at = excluded.asked_at,
            gone_since = case when excluded.gone_since is null then null else coalesce(compliance_owners.gone_since, excluded.gone_since) end`.execute(
          tx,
        );
      }),
  });
}
