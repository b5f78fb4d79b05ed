import { AppError } from '@holdfast/foundation/errors';
import { isUuid } from '@holdfast/foundation/ids';
import type { Scope } from '@holdfast/database';
import { allScopes } from '../features/organisations/index.ts';
import { listTenants, type TenantRow } from '../features/tenants/index.ts';
import type { Ground } from '../product/ground.ts';

/** A tenant of this installation, and where it belongs. */
export interface TenantPlace {
  readonly scope: Scope;
  readonly row: TenantRow;
}

export async function everyTenant({ database }: Pick<Ground, 'database'>): Promise<TenantPlace[]> {
  const found: TenantPlace[] = [];
  for (const scope of await allScopes(database)) {
    for (const row of await database.within(scope, (tx) => listTenants(tx))) found.push({ scope, row });
  }
  return found;
}

/** Refuses what is no id before anything is opened. */
export function requireTenantId(tenantId: string): string {
  if (!isUuid(tenantId)) throw new AppError('admin.bad-option', { message: '--tenant is not the id of a tenant.' });
  return tenantId;
}

export function requireTenant(known: readonly TenantPlace[], tenantId: string): TenantPlace {
  const place = known.find(({ row }) => row.tenant_id === tenantId);
  if (!place) throw new AppError('admin.bad-option', { message: '--tenant is the id of no tenant here.' });
  return place;
}
