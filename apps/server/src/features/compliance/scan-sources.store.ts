import { FOREVER, type Database, type Scope, type Tx } from '@holdfast/database';
import type { ItemVersion } from '@holdfast/engine';
import { sql } from 'kysely';
import { factsOf, type ItemFacts } from './scan-facts.ts';
import { dropTrimmed } from './trimmed-versions.store.ts';
import { managedSources } from './managed-sources.views.ts';

/** A site or drive that is being read: which segments, and how far down its keys. */
export interface OpenSource {
  readonly sourceId: string;
  readonly resourceId: string;
  readonly from: number;
  readonly through: number;
  readonly position: string;
}

/** Reads what has changed in the catalog since a source was last read; every batch is durable by itself. */
export interface ScanSourcesStore {
  /** The sources of a tenant that have something new, each to be read up to its head of now. */
  behind(scope: Scope, tenantId: string): Promise<readonly OpenSource[]>;
  ownDomains(scope: Scope, tenantId: string): Promise<ReadonlySet<string>>;
  /** Reads the next items. Answers how many there were and where the next begin; undefined when another worker was faster. */
  readBatch(scope: Scope, source: OpenSource, ownDomains: ReadonlySet<string>): Promise<{ count: number; position: string } | undefined>;
  finish(scope: Scope, source: OpenSource, at: Date): Promise<void>;
}

/** Keeps the list of what is read: newcomers are added, what is kept elsewhere or forgotten is dropped. */
async function syncSources(tx: Tx, tenantId: string): Promise<void> {
  await sql`delete from compliance_sources where tenant_id = ${tenantId}
    and source_id not in (select source_id from ${managedSources(tenantId)} managed)`.execute(tx);
  await sql`insert into compliance_sources (source_id, tenant_id, resource_id)
    select source_id, ${tenantId}, resource_id from ${managedSources(tenantId)} managed on conflict do nothing`.execute(tx);
}

const BATCH = 500;
const kinds = ['file', 'folder', 'package'];

interface CatalogRow {
  readonly item_key: string;
  readonly kind: string;
  readonly name: string;
  readonly size_bytes: number;
  readonly modified_at: Date | null;
  readonly author: string | null;
  readonly to_point: number;
  readonly detail: Pick<ItemVersion, 'contentTag' | 'contents' | 'properties'> & { readonly modifiedAt?: string };
}

interface ReadRow extends CatalogRow {
  readonly isOpen: boolean;
  readonly facts: ItemFacts;
}

/** The newest version of each item that a segment after `from` has changed or removed, in order of keys. */
async function changedItems(tx: Tx, { sourceId, from, through, position }: OpenSource): Promise<readonly CatalogRow[]> {
  const { rows } = await sql<CatalogRow>`
    select newest.item_key, newest.kind, newest.name, newest.size_bytes, newest.modified_at, newest.author, newest.to_point, newest.detail
    from (select distinct item_key from catalog_items
        where organisation_id = holdfast.organisation() and realm = holdfast.realm() and source_id = ${sourceId} and item_key > ${position}
          and kind = any(${kinds}) and ((from_point > ${from} and from_point <= ${through}) or (to_point > ${from} and to_point <= ${through}))
        order by item_key limit ${BATCH}) changed
    cross join lateral (select * from catalog_items item
        where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and item.source_id = ${sourceId}
          and item.item_key = changed.item_key order by item.from_point desc limit 1) newest
    order by newest.item_key`.execute(tx);
  return rows;
}

function read(row: CatalogRow, ownDomains: ReadonlySet<string>): ReadRow {
  const { contentTag, contents, properties, modifiedAt } = row.detail;
  const common = { key: row.item_key, kind: row.kind as ItemVersion['kind'], parentKey: null, name: row.name, sizeBytes: row.size_bytes };
  const item: ItemVersion = { ...common, contentTag, contents, properties, ...(modifiedAt === undefined ? {} : { modifiedAt }) };
  return { ...row, isOpen: row.to_point === FOREVER, facts: factsOf(item, ownDomains) };
}

async function writeFiles(tx: Tx, sourceId: string, files: readonly ReadRow[]): Promise<void> {
  const sizes = files.map(({ facts }) => facts.versions.reduce((sum, version) => sum + version.sizeBytes, 0));
  await sql`
    insert into compliance_files (source_id, item_key, name, size_bytes, modified_at, author, owner_id, owner_name, owner_address, content,
      access, versions, version_bytes, is_deleted)
    select ${sourceId}, x.item_key, x.name, x.size_bytes, x.modified_at, x.author, x.owner_id, x.owner_name, x.owner_address, decode(x.content, 'hex'), x.access, x.versions, x.version_bytes, x.is_deleted
    from unnest(${files.map((file) => file.item_key)}::text[], ${files.map((file) => file.name)}::text[], ${files.map((file) => file.size_bytes)}::bigint[],
      ${files.map((file) => file.modified_at)}::timestamptz[], ${files.map((file) => file.author)}::text[], ${files.map((file) => file.facts.ownerId)}::text[],
      ${files.map((file) => file.facts.ownerName)}::text[], ${files.map((file) => file.facts.ownerAddress)}::text[],
      ${files.map((file) => file.facts.content)}::text[], ${files.map((file) => file.facts.access)}::text[],
      ${files.map((file) => file.facts.versions.length)}::int[], ${sizes}::bigint[], ${files.map((file) => !file.isOpen)}::boolean[])
      as x (item_key, name, size_bytes, modified_at, author, owner_id, owner_name, owner_address, content, access, versions, version_bytes, is_deleted)
    on conflict (organisation_id, realm, source_id, item_key) do update set name = excluded.name, size_bytes = excluded.size_bytes,
      modified_at = excluded.modified_at, author = excluded.author, owner_id = excluded.owner_id, owner_name = excluded.owner_name,
      owner_address = excluded.owner_address, content = excluded.content,
      access = excluded.access, versions = excluded.versions, version_bytes = excluded.version_bytes, is_deleted = excluded.is_deleted`.execute(
    tx,
  );
}

async function writeVersions(tx: Tx, sourceId: string, files: readonly ReadRow[]): Promise<void> {
  const rows = files.flatMap((file) => (file.isOpen ? file.facts.versions.map((version) => ({ key: file.item_key, ...version })) : []));
  await sql`
    insert into compliance_versions (source_id, item_key, place, label, size_bytes, modified_at, is_kept)
    select ${sourceId}, x.* from unnest(${rows.map((row) => row.key)}::text[], ${rows.map((row) => row.place)}::int[], ${rows.map((row) => row.label)}::text[],
      ${rows.map((row) => row.sizeBytes)}::bigint[], ${rows.map((row) => row.modifiedAt)}::timestamptz[], ${rows.map((row) => row.isKept)}::boolean[])
      as x (item_key, place, label, size_bytes, modified_at, is_kept)`.execute(tx);
}

async function writeShares(tx: Tx, sourceId: string, items: readonly ReadRow[]): Promise<void> {
  const rows = items.flatMap((item) => (item.isOpen ? item.facts.shares.map((share) => ({ item, ...share })) : []));
  await sql`
    insert into compliance_shares (source_id, item_key, permission_id, owner_id, audience, kind, name, role, who, expires_at)
    select ${sourceId}, x.* from unnest(${rows.map((row) => row.item.item_key)}::text[], ${rows.map((row) => row.permissionId)}::text[],
      ${rows.map((row) => row.item.facts.ownerId)}::text[], ${rows.map((row) => row.audience)}::text[], ${rows.map((row) => row.item.kind)}::text[], ${rows.map((row) => row.item.name)}::text[],
      ${rows.map((row) => row.role)}::text[], ${rows.map((row) => row.who)}::text[], ${rows.map((row) => row.expiresAt)}::timestamptz[])
      as x (item_key, permission_id, owner_id, audience, kind, name, role, who, expires_at)`.execute(tx);
}

async function writeBatch(tx: Tx, sourceId: string, items: readonly ReadRow[]): Promise<void> {
  const keys = items.map((item) => item.item_key);
  const files = items.filter((item) => item.kind === 'file');
  for (const table of ['compliance_versions', 'compliance_shares'] as const)
    await tx.deleteFrom(table).where('source_id', '=', sourceId).where('item_key', 'in', keys).execute();
  await writeFiles(tx, sourceId, files);
  await writeVersions(tx, sourceId, files);
  await writeShares(tx, sourceId, items);
  await dropTrimmed(tx, sourceId, keys);
}

/** Sums up a source, without the files whose last restore point retention has deleted. */
async function sumUp(tx: Tx, { sourceId, through }: OpenSource, at: Date): Promise<void> {
  await sql`delete from compliance_files file where file.source_id = ${sourceId} and file.is_deleted and not exists (
    select from catalog_items item where item.organisation_id = file.organisation_id and item.realm = file.realm
      and item.source_id = file.source_id and item.item_key = file.item_key)`.execute(tx);
  await sql`
    update compliance_sources set scanned_through = ${through}, target = null, position = null, scanned_at = ${at}, files = sums.files,
      bytes = sums.bytes, versions = sums.versions, version_bytes = sums.version_bytes, deleted = sums.deleted,
      newest_change_at = sums.newest_change_at,
      exposed = (select count(distinct item_key) from compliance_shares where source_id = ${sourceId})
    from (select count(*) filter (where not is_deleted) as files, coalesce(sum(size_bytes) filter (where not is_deleted), 0) as bytes,
        coalesce(sum(versions) filter (where not is_deleted), 0) as versions,
        coalesce(sum(version_bytes) filter (where not is_deleted), 0) as version_bytes, count(*) filter (where is_deleted) as deleted,
        max(modified_at) filter (where not is_deleted) as newest_change_at
      from compliance_files where source_id = ${sourceId}) sums
    where source_id = ${sourceId} and target = ${through}`.execute(tx);
}

export function createScanSourcesStore(database: Database): ScanSourcesStore {
  return Object.freeze<ScanSourcesStore>({
    behind: (scope, tenantId) =>
      database.within(scope, async (tx) => {
        await syncSources(tx, tenantId);
        const { rows } = await sql<{ sourceId: string; resourceId: string; from: number; through: number; position: string }>`
          update compliance_sources known set target = coalesce(known.target, managed.head_sequence), position = coalesce(known.position, '')
          from ${managedSources(tenantId)} managed
          where known.source_id = managed.source_id and managed.head_sequence > known.scanned_through
          returning known.source_id as "sourceId", known.resource_id as "resourceId", known.scanned_through as "from", known.target as through, known.position`.execute(
          tx,
        );
        return rows;
      }),
    ownDomains: (scope, tenantId) =>
      database.within(scope, async (tx) => {
        const { rows } = await sql<{ domain: string }>`
          select distinct lower(split_part(address, '@', 2)) as domain from resources
          where tenant_id = ${tenantId} and kind in ('mailbox', 'drive') and address like '%@%'`.execute(tx);
        return new Set(rows.map((row) => row.domain));
      }),
    readBatch: (scope, source, ownDomains) =>
      database.within(scope, async (tx) => {
        const items = (await changedItems(tx, source)).map((row) => read(row, ownDomains));
        const position = items.at(-1)?.item_key ?? source.position;
        const { rows } = await sql`update compliance_sources set position = ${position}
          where source_id = ${source.sourceId} and target = ${source.through} and position = ${source.position} returning source_id`.execute(
          tx,
        );
        if (rows.length === 0) return undefined;
        if (items.length > 0) await writeBatch(tx, source.sourceId, items);
        return { count: items.length, position };
      }),
    finish: (scope, source, at) => database.within(scope, (tx) => sumUp(tx, source, at)),
  });
}
