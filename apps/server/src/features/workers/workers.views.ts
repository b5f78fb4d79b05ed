import type { Tx } from '@holdfast/database';

/** The tenant that is active in this organisation and realm, if one is. */
export async function activeTenant(tx: Tx): Promise<string | null> {
  const row = await tx.selectFrom('tenants').select('tenant_id').where('active', '=', true).executeTakeFirst();
  return row?.tenant_id ?? null;
}

type Type = 'exchange' | 'onedrive' | 'sharepoint' | 'teams' | 'archive';
const ALL: readonly Type[] = ['exchange', 'onedrive', 'sharepoint', 'teams', 'archive'];

/** What a customer uses: the workloads that are switched on for its active tenant, all of them before anything was configured. */
export async function customerTypes(tx: Tx): Promise<Type[]> {
  const tenantId = await activeTenant(tx);
  if (tenantId === null) return [];
  const row = await tx.selectFrom('backup_configurations').select('settings').where('tenant_id', '=', tenantId).executeTakeFirst();
  if (!row) return [...ALL];
  const settings = row.settings as Partial<Record<Type, { readonly enabled?: boolean }>>;
  return ALL.filter((type) => settings[type]?.enabled !== false);
}
