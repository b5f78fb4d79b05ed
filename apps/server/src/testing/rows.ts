import type { Database, OrganisationTables, Scope } from '@holdfast/database';
import { anOrganisationId } from '@holdfast/database/testing/test-database';
import type { ResourceKind } from '@holdfast/engine';
import { systemClock } from '@holdfast/foundation/clock';
import { createIds } from '@holdfast/foundation/ids';
import { secureRandom } from '@holdfast/foundation/random';
import { aesKey } from '@holdfast/foundation/secrets';
import type { Insertable } from 'kysely';
import type { ResourceWorkload } from '../storage/index.ts';
import { createKeysStore } from '../keys/keys.store.ts';
import { createMasterKeys } from '../keys/master-keys.ts';
import { createSealing, type Sealing } from '../keys/sealing.ts';

/** Ids for tests that need many and don't care which. */
export const testIds = createIds(systemClock, secureRandom);

/** Sealing with a master key of its own. */
export function aSealing(database: Database): Sealing {
  const masterKeys = createMasterKeys({ id: 'test', key: aesKey(Buffer.alloc(32, 1)) }, []);
  return createSealing({ masterKeys, store: createKeysStore(database), ids: testIds });
}

/** An organisation with a tenant and a location, as the tables have them. */
export interface Ground {
  readonly scope: Scope;
  readonly tenantId: string;
  readonly locationId: string;
}

/** A tenant as its table takes it. */
export function aTenantRow(changes: Partial<Insertable<OrganisationTables['tenants']>> = {}): Insertable<OrganisationTables['tenants']> {
  return {
    tenant_id: testIds.uuid(),
    name: testIds.token(6),
    status: 'provisioned',
    active: true,
    client_id: testIds.uuid(),
    microsoft_tenant_id: testIds.uuid(),
    credential: 'secret',
    sealed_secret: null,
    sealed_certificate: null,
    thumbprint: null,
    last_error: null,
    created_at: new Date(),
    ...changes,
  };
}

/** A run as its table takes it: one of a backup that waits. */
export function aRunRow(
  ground: Pick<Ground, 'tenantId' | 'locationId'>,
  changes: Partial<Insertable<OrganisationTables['runs']>> = {},
): Insertable<OrganisationTables['runs']> {
  return {
    run_id: testIds.uuid(),
    tenant_id: ground.tenantId,
    number: 1,
    job_id: null,
    job_name: 'Mail every night',
    type: 'backup',
    workload: 'exchange',
    location_id: ground.locationId,
    body: '{}',
    status: 'pending',
    trigger: 'manual',
    started_by: null,
    total: null,
    queued_at: new Date(),
    ended_at: null,
    code: null,
    worker: null,
    ...changes,
  };
}

/** Inserts an organisation, a provisioned tenant and a filesystem location. */
export async function aGround(
  database: Database,
  changes: { readonly folder?: string; readonly realm?: Scope['realm'] } = {},
): Promise<Ground> {
  const scope: Scope = { organisationId: anOrganisationId(), realm: changes.realm ?? 'production' };
  const tenantId = testIds.uuid();
  const locationId = testIds.uuid();
  const created_at = new Date();
  await database.within(scope, async (tx) => {
    await tx
      .insertInto('organisations')
      .values({ name: 'Contoso', abbr: testIds.token(6), created_at })
      .execute();
    await tx
      .insertInto('tenants')
      .values(aTenantRow({ tenant_id: tenantId }))
      .execute();
    await tx
      .insertInto('locations')
      .values({
        location_id: locationId,
        tenant_id: tenantId,
        name: 'Vault',
        kind: 'filesystem',
        use: 'both',
        target: JSON.stringify({ kind: 'filesystem', path: changes.folder ?? '/nowhere' }),
        sealed_keys: null,
        immutability: JSON.stringify({ mode: 'none', days: 0 }),
        created_at,
      })
      .execute();
  });
  return { scope, tenantId, locationId };
}

/** Inserts a resource of a tenant and answers its id. */
export async function aResource(
  database: Database,
  ground: Ground,
  changes: { readonly graphId?: string; readonly name?: string; readonly workload?: ResourceWorkload; readonly kind?: ResourceKind } = {},
): Promise<string> {
  const resourceId = testIds.uuid();
  await database.within(ground.scope, (tx) =>
    tx
      .insertInto('resources')
      .values({
        resource_id: resourceId,
        tenant_id: ground.tenantId,
        workload: changes.workload ?? 'exchange',
        kind: changes.kind ?? 'mailbox',
        graph_id: changes.graphId ?? testIds.uuid(),
        name: changes.name ?? 'Adele Vance',
        last_code: null,
        last_status: null,
      })
      .execute(),
  );
  return resourceId;
}

/** Inserts a journal receiver that raises no alarm by itself, and answers its id. */
export async function aReceiver(
  database: Database,
  ground: Ground,
  changes: Partial<Insertable<OrganisationTables['receivers']>> = {},
): Promise<string> {
  const resource_id = await aResource(database, ground, { kind: 'journal', workload: 'journal' });
  const receiver_id = testIds.uuid();
  await database.within(ground.scope, (tx) =>
    tx
      .insertInto('receivers')
      .values({
        receiver_id,
        tenant_id: ground.tenantId,
        location_id: ground.locationId,
        resource_id,
        name: 'Journal',
        is_enabled: true,
        sealed_address: Buffer.alloc(1),
        networks: [],
        max_bytes: 1,
        silence_minutes: 0,
        business_days: [],
        business_from: '08:00',
        business_to: '18:00',
        created_at: new Date(),
        creator: 'ann@x.example',
        watched_since: new Date(),
        ...changes,
      })
      .execute(),
  );
  return receiver_id;
}
