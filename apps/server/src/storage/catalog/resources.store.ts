import type { Database, OrganisationTables, Scope, Tx } from '@holdfast/database';
import type { Resource, ResourceKind } from '@holdfast/engine';
import type { Workload } from '@holdfast/contract/values';
import { groupsOf } from '@holdfast/foundation/groups';
import type { Ids } from '@holdfast/foundation/ids';
import { storableText } from '@holdfast/foundation/text';
import { sql } from 'kysely';

/** What a resource belongs to: archives belong to no workload of Microsoft 365, so that no job over one takes them for mailboxes. */
export type ResourceWorkload = OrganisationTables['resources']['workload'];

/** A resource as Microsoft 365 names it. */
export interface FoundResource {
  readonly kind: ResourceKind;
  readonly workload: ResourceWorkload;
  readonly graphId: string;
  readonly name: string;
  readonly address: string;
}

/** The same with our id. */
export interface KnownResource extends FoundResource {
  readonly resourceId: string;
}

/** A resource as it was found just now. */
export interface RememberedResource extends KnownResource {
  /** A newcomer that waits until somebody chooses it. */
  readonly isHeldBack: boolean;
}

/** A resource as the engine names it. */
export function resourceOf({ resourceId: id, kind, graphId, name, address }: KnownResource): Resource {
  return { id, kind, graphId, name, address };
}

/** Resources of tenants: everything that was ever protected or tried. */
export interface ResourcesStore {
  /**
   * Notes that these exist, and answers them with their ids, in the same order. With `holdsBack` newcomers wait until
   * somebody chooses them, except among the first of a workload; without it nobody waits any more. Chats never wait.
   */
  remember(
    scope: Scope,
    tenantId: string,
    found: readonly FoundResource[],
    options?: { readonly holdsBack?: boolean },
  ): Promise<readonly RememberedResource[]>;
  /**
   * Notes a resource under the id it has in a vault. One that was found under another id takes this one, with what runs
   * tell of it, as long as it was never backed up and no hold names it. False: it is in use under another id, and
   * nothing was changed.
   */
  adopt(scope: Scope, tenantId: string, resource: KnownResource): Promise<boolean>;
  get(scope: Scope, resourceId: string): Promise<KnownResource | undefined>;
  /** Notes that resources of a workload are gone from Microsoft 365: those a complete listing did not name. */
  markGone(scope: Scope, tenantId: string, workload: Workload, presentGraphIds: readonly string[]): Promise<number>;
  /** Bytes that a location holds of each resource, for the order of a run. */
  sizes(scope: Scope, locationId: string, resourceIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

const BATCH = 500;

/** Frees the name of a resource for the one that takes its place. */
async function stepAside(tx: Tx, resourceId: string): Promise<void> {
  await tx
    .updateTable('resources')
    .set({ graph_id: `replaced ${resourceId}` })
    .where('resource_id', '=', resourceId)
    .execute();
}

/** Gives what runs and jobs tell of a resource to the one that takes its place, and forgets it. */
async function handOver(tx: Tx, from: string, to: string): Promise<void> {
  await tx.updateTable('run_accounts').set({ resource_id: to }).where('resource_id', '=', from).execute();
  await tx.updateTable('run_problems').set({ resource_id: to }).where('resource_id', '=', from).execute();
  await tx.updateTable('job_resources').set({ resource_id: to }).where('resource_id', '=', from).execute();
  await tx.deleteFrom('resources').where('resource_id', '=', from).execute();
}

async function adoptWithin(tx: Tx, tenantId: string, resource: KnownResource): Promise<boolean> {
  const { resourceId, kind, workload, graphId } = resource;
  const { rows } = await sql<{ resource_id: string; fits: boolean; is_used: boolean }>`
    select resource_id, tenant_id = ${tenantId} and kind = ${kind} and graph_id = ${graphId} as fits,
      exists (select from catalog_sources used where used.resource_id = known.resource_id)
        or exists (select from holds used where used.resource_id = known.resource_id)
        or exists (select from retention_policy_mailboxes used where used.resource_id = known.resource_id)
        or exists (select from retention_policy_people used where used.resource_id = known.resource_id)
        or exists (select from retention_policy_places used where used.resource_id = known.resource_id)
        or exists (select from retention_events used where used.resource_id = known.resource_id) as is_used
    from resources known
    where resource_id = ${resourceId} or (tenant_id = ${tenantId} and kind = ${kind} and graph_id = ${graphId})
    for update`.execute(tx);
  const [found, another] = rows;
  if (another) return false;
  if (found?.resource_id === resourceId) return found.fits;
  if (found?.is_used) return false;
  const values = { name: storableText(resource.name), address: storableText(resource.address) };
  if (found) await stepAside(tx, found.resource_id);
  const row = { resource_id: resourceId, tenant_id: tenantId, workload, kind, graph_id: graphId, ...values };
  await tx
    .insertInto('resources')
    .values({ ...row, last_code: null, last_status: null })
    .execute();
  if (found) await handOver(tx, found.resource_id, resourceId);
  return true;
}

export function createResourcesStore(options: { readonly database: Database; readonly ids: Ids }): ResourcesStore {
  const { database, ids } = options;

  async function isKnown(scope: Scope, tenantId: string, workload: ResourceWorkload): Promise<boolean> {
    const query = (tx: Tx) =>
      tx.selectFrom('resources').select('resource_id').where('tenant_id', '=', tenantId).where('workload', '=', workload);
    return (await database.within(scope, (tx) => query(tx).limit(1).executeTakeFirst())) !== undefined;
  }

  async function rememberSome(
    scope: Scope,
    tenantId: string,
    { found, holdsBack }: { readonly found: readonly FoundResource[]; readonly holdsBack: boolean },
  ): Promise<RememberedResource[]> {
    return database.within(scope, async (tx) => {
      const { rows } = await sql<{ resource_id: string; kind: string; graph_id: string; held_back: boolean }>`
        insert into resources as known (resource_id, tenant_id, workload, kind, graph_id, name, address, held_back)
        select x.id, ${tenantId}, x.workload, x.kind, x.graph_id, x.name, x.address, ${holdsBack} and x.kind <> 'chat'
        from unnest(${found.map(() => ids.uuid())}::uuid[], ${found.map((one) => one.workload)}::text[], ${found.map((one) => one.kind)}::text[],
          ${found.map((one) => one.graphId)}::text[], ${found.map((one) => storableText(one.name))}::text[],
          ${found.map((one) => storableText(one.address))}::text[]) as x (id, workload, kind, graph_id, name, address)
        order by x.kind, x.graph_id
        on conflict (organisation_id, realm, tenant_id, kind, graph_id) do update
          set name = excluded.name, address = excluded.address, seen_at = now(), deleted_at = null,
            held_back = known.held_back and ${holdsBack}
        returning resource_id, kind, graph_id, held_back`.execute(tx);
      const byName = new Map(rows.map((row) => [`${row.kind}/${row.graph_id}`, row]));
      return found.flatMap((one) => {
        const row = byName.get(`${one.kind}/${one.graphId}`);
        return row === undefined ? [] : [{ ...one, resourceId: row.resource_id, isHeldBack: row.held_back }];
      });
    });
  }

  return Object.freeze<ResourcesStore>({
    adopt: (scope, tenantId, resource) => database.within(scope, (tx) => adoptWithin(tx, tenantId, resource)),
    async remember(scope, tenantId, found, options = {}) {
      const distinct = [...new Map(found.map((one) => [`${one.kind}/${one.graphId}`, one])).values()];
      const [first] = distinct;
      const holdsBack = options.holdsBack === true && first !== undefined && (await isKnown(scope, tenantId, first.workload));
      const known: RememberedResource[] = [];
      for (const some of groupsOf(distinct, BATCH)) known.push(...(await rememberSome(scope, tenantId, { found: some, holdsBack })));
      return known;
    },
    get(scope, resourceId) {
      return database.within(scope, async (tx) => {
        const row = await tx
          .selectFrom('resources')
          .select(['resource_id', 'kind', 'workload', 'graph_id', 'name', 'address'])
          .where('resource_id', '=', resourceId)
          .executeTakeFirst();
        if (!row) return undefined;
        const { kind, workload, name, address } = row;
        return { resourceId: row.resource_id, kind, workload, graphId: row.graph_id, name, address };
      });
    },
    markGone(scope, tenantId, workload, presentGraphIds) {
      return database.within(scope, async (tx) => {
        const result = await tx
          .updateTable('resources')
          .set({ deleted_at: sql`now()` })
          .where('tenant_id', '=', tenantId)
          .where('workload', '=', workload)
          .where('deleted_at', 'is', null)
          .where(sql<boolean>`not (graph_id = any(${[...presentGraphIds]}))`)
          .executeTakeFirst();
        return Number(result.numUpdatedRows);
      });
    },
    sizes(scope, locationId, resourceIds) {
      return database.within(scope, async (tx) => {
        const rows = await tx
          .selectFrom('catalog_sources')
          .select(['resource_id', 'bytes'])
          .where('location_id', '=', locationId)
          .where(sql<boolean>`resource_id = any(${[...resourceIds]}::uuid[])`)
          .execute();
        return new Map(rows.map((row) => [row.resource_id, row.bytes]));
      });
    },
  });
}
