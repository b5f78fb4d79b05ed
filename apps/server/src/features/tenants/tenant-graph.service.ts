import type { ConnectionReport } from '@holdfast/contract/tenants';
import type { Database, Scope } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import type { GraphClient, GraphCredential } from '@holdfast/m365';
import type { Sealing } from '../../keys/sealing.ts';
import { connectionRefusal, graphCredential } from './credential.ts';
import { failedReport, reportOf } from './connection-report.ts';
import { isDeprovisioned, readTenant, type TenantRow } from './tenants.store.ts';

/** Signs in to Microsoft 365 with what was typed or stored. */
export type GraphFor = (microsoftTenantId: string, credential: GraphCredential) => GraphClient;

export interface TenantGraphParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly graphFor: GraphFor;
}

/** Microsoft 365 of a tenant. Clients are kept open while they are used. */
export interface TenantGraphService {
  use<T>(scope: Scope, tenantId: string, work: (graph: GraphClient) => Promise<T>): Promise<T>;
  /** Signs in anew and compares permissions; a failed sign-in is a report, too. */
  report(scope: Scope, tenantId: string): Promise<ConnectionReport>;
  /** Tries a credential before anything is saved. Throws what is wrong, at its field. */
  tryOut(microsoftTenantId: string, credential: GraphCredential): Promise<ConnectionReport>;
  /** Forgets an open client: the credential has changed. */
  forget(tenantId: string): Promise<void>;
  close(): Promise<void>;
}

/** Where a tenant's sealed fields stand. */
export function tenantPlace(
  column: 'sealed_secret' | 'sealed_certificate',
  tenantId: string,
): { table: string; column: string; row: string } {
  return { table: 'tenants', column, row: tenantId };
}

export function createTenantGraphService(parts: TenantGraphParts): TenantGraphService {
  const { database, clock, sealing, graphFor } = parts;
  const open = new Map<string, { readonly client: GraphClient; readonly version: number }>();

  async function credentialOf(scope: Scope, row: TenantRow): Promise<GraphCredential> {
    const column = row.credential === 'secret' ? 'sealed_secret' : 'sealed_certificate';
    const sealed = row[column];
    if (!sealed) throw new AppError('tenants.credential-refused');
    const text = await sealing.open(scope, sealed, tenantPlace(column, row.tenant_id));
    return graphCredential(row.client_id, row.credential === 'secret' ? { secret: text } : { certificate: text }, clock.nowMs());
  }

  async function clientFor(scope: Scope, tenantId: string): Promise<GraphClient> {
    const row = await database.within(scope, (tx) => readTenant(tx, tenantId));
    if (!row) throw new AppError('not-found');
    if (isDeprovisioned(row)) {
      await forget(tenantId);
      throw new AppError('tenants.deprovisioned');
    }
    const known = open.get(tenantId);
    if (known?.version === row.version) return known.client;
    const client = graphFor(row.microsoft_tenant_id, await credentialOf(scope, row));
    open.set(tenantId, { client, version: row.version });
    await known?.client.close();
    return client;
  }

  async function forget(tenantId: string): Promise<void> {
    const known = open.get(tenantId);
    open.delete(tenantId);
    await known?.client.close();
  }

  async function diagnose(client: GraphClient): Promise<ConnectionReport> {
    const diagnosis = await client.diagnose();
    const organisation = await client.directory.organization().catch(() => undefined);
    return reportOf(diagnosis, now(clock), organisation?.displayName ?? null);
  }

  return Object.freeze<TenantGraphService>({
    async use(scope, tenantId, work) {
      return work(await clientFor(scope, tenantId));
    },
    async report(scope, tenantId) {
      try {
        return await diagnose(await clientFor(scope, tenantId));
      } catch (error) {
        if (isAppError(error, 'not-found', 'tenants.deprovisioned')) throw error;
        return failedReport(connectionRefusal(error).code, now(clock));
      }
    },
    async tryOut(microsoftTenantId, credential) {
      let client: GraphClient | undefined;
      try {
        client = graphFor(microsoftTenantId, credential);
        return await diagnose(client);
      } catch (error) {
        throw connectionRefusal(error);
      } finally {
        await client?.close();
      }
    },
    forget,
    async close() {
      for (const { client } of open.values()) await client.close();
      open.clear();
    },
  });
}
