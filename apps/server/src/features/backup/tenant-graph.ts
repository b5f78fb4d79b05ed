import type { Scope } from '@holdfast/database';
import type { GraphClient } from '@holdfast/m365';

/** Microsoft 365 of a tenant; implemented by the tenants feature. */
export interface TenantGraph {
  use<T>(scope: Scope, tenantId: string, work: (graph: GraphClient) => Promise<T>): Promise<T>;
}
