import { typesWhere, type RetentionRule } from '@holdfast/contract/jobs';
import type { Grant, Kept, KeptVersion, Share } from '@holdfast/contract/compliance-values';
import { FOREVER, type Tx } from '@holdfast/database';
import { fileVersions, type ItemVersion } from '@holdfast/engine';
import { sql } from 'kysely';
import { isOfItems, namedIn } from '../holds/index.ts';
import { grantsOn } from './grants.views.ts';

/** A site or drive as one location keeps it. */
export interface KnownSource {
  readonly sourceId: string;
  readonly locationId: string;
  readonly resourceId: string;
  readonly workload: string;
}

/** The source, if it is a site or drive of this tenant. */
export async function sourceOf(tx: Tx, tenantId: string, sourceId: string): Promise<KnownSource | undefined> {
  const { rows } = await sql<KnownSource>`
    select source.source_id as "sourceId", source.location_id as "locationId", source.resource_id as "resourceId", resource.workload
    from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
    where source.source_id = ${sourceId} and resource.tenant_id = ${tenantId} and resource.kind in ('drive', 'site')`.execute(tx);
  return rows[0];
}

/** What a location keeps of any resource. */
export interface KeptSource extends KnownSource {
  readonly kind: string;
}

export async function sourceIn(
  tx: Tx,
  { resourceId, locationId }: { resourceId: string; locationId: string },
): Promise<KeptSource | undefined> {
  const { rows } = await sql<KeptSource>`
    select source.source_id as "sourceId", source.location_id as "locationId", source.resource_id as "resourceId", resource.workload,
      resource.kind
    from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
    where source.resource_id = ${resourceId} and source.location_id = ${locationId}`.execute(tx);
  return rows[0];
}

/** States of one file that are read for its list of versions: more than a year of daily changes. */
const MAX_STATES = 500;

interface StateRow {
  readonly to_point: number;
  readonly size_bytes: number;
  readonly name: string;
  readonly sequence: number;
  readonly committed_at: Date;
  readonly detail: Pick<ItemVersion, 'contentTag' | 'contents' | 'properties'> & { readonly modifiedAt?: string };
}

/** A version, and what tells it from others: the same content can come back under another label. */
interface FoundVersion extends KeptVersion {
  readonly id: string;
}

function versionsOfState({ detail, ...row }: StateRow, key: string): FoundVersion[] {
  const { modifiedAt } = detail;
  const item: ItemVersion = {
    key,
    kind: 'file',
    parentKey: null,
    name: row.name,
    sizeBytes: row.size_bytes,
    contentTag: detail.contentTag,
    contents: detail.contents,
    properties: detail.properties,
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
  };
  return fileVersions(item).map((version) => ({
    id: `${version.label} ${version.content.ref.sha256}`,
    label: version.label,
    modifiedAt: version.modifiedAt === undefined ? null : new Date(version.modifiedAt).toISOString(),
    sizeBytes: version.content.ref.sizeBytes,
    sequence: row.sequence,
    pointAt: row.committed_at.toISOString(),
    isCurrent: row.to_point === FOREVER && version.content.role === 'file',
    isWhole: version.content.role === 'file',
  }));
}

/** Each content of a file once, with the newest restore point that has it. Renames and moves add none. */
export async function keptVersions(tx: Tx, sourceId: string, key: string): Promise<KeptVersion[]> {
  const { rows } = await sql<StateRow>`
    select item.to_point, item.size_bytes, item.name, item.detail, shown.sequence, shown.committed_at from catalog_items item
    cross join lateral (select point.sequence, point.committed_at from catalog_points point where point.organisation_id = item.organisation_id
      and point.realm = item.realm and point.source_id = item.source_id and point.sequence >= item.from_point
      and point.sequence < item.to_point order by point.sequence desc limit 1) shown
    where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and item.source_id = ${sourceId}
      and item.item_key = ${key} and item.kind = 'file' order by item.from_point desc limit ${MAX_STATES}`.execute(tx);
  const found = new Map<string, KeptVersion>();
  for (const { id, ...version } of rows.flatMap((row) => versionsOfState(row, key))) {
    const known = found.get(id);
    // The state that has it as the file itself can show it, too.
    if (!known || (version.isWhole && !known.isWhole)) found.set(id, version);
  }
  const byTime = (one: KeptVersion): string => one.modifiedAt ?? one.pointAt;
  return [...found.values()].toSorted(
    (left, right) => Number(right.isCurrent) - Number(left.isCurrent) || byTime(right).localeCompare(byTime(left)),
  );
}

/**
 * Holds on an item: on everything of its resource, on the item itself, or on a folder that it is or was in. One on a mailbox is on the
 * archive of the mailbox, too.
 */
async function holdsOnItem(tx: Tx, tenantId: string, { sourceId, resourceId }: KnownSource, key: string): Promise<Kept['holds']> {
  const { rows } = await sql<Kept['holds'][number]>`
    with recursive up (item_key) as (
      select ${key}::text collate "C"
      union
      select item.parent_key from up join catalog_items item on item.organisation_id = holdfast.organisation()
        and item.realm = holdfast.realm() and item.source_id = ${sourceId} and item.item_key = up.item_key
      where item.parent_key is not null)
    select hold.name, hold.reason from holds hold where hold.tenant_id = ${tenantId} and hold.released_at is null
      and (hold.resource_id is null or hold.resource_id = ${resourceId} or hold.resource_id in (select mailbox.resource_id
        from resources archive join resources mailbox on mailbox.organisation_id = archive.organisation_id and mailbox.realm = archive.realm
          and mailbox.tenant_id = archive.tenant_id and mailbox.graph_id = archive.graph_id and mailbox.kind = 'mailbox'
        where archive.resource_id = ${resourceId} and archive.kind = 'archive'))
      and (not ${isOfItems}
        or exists (select from ${namedIn(sourceId)} named join up using (item_key) where named.hold_id = hold.hold_id))
    order by hold.placed_at`.execute(tx);
  return rows;
}

const deletingTypes = typesWhere(({ deletes }) => deletes === true);

const DAY_MS = 24 * 3_600_000;

/** When a rule of days deletes the last restore point that has an item. The newest point is always kept, and with it what is there. */
function untilOf(retention: RetentionRule, known?: { readonly newest: Date | null; readonly is_live: boolean }): string | null {
  if (retention.mode !== 'days' || known === undefined || known.is_live || known.newest === null) return null;
  return new Date(known.newest.getTime() + retention.days * DAY_MS).toISOString();
}

/** Why an item is kept, and who can open it: holds on its site or drive, and the jobs that delete restore points of it. */
export async function whyKept(
  tx: Tx,
  tenantId: string,
  source: KnownSource,
  key: string,
): Promise<Omit<Kept, 'policies'> & { shares: Share[]; grants: Grant[] }> {
  const holds = await holdsOnItem(tx, tenantId, source, key);
  const rules = await sql<Omit<Kept['rules'][number], 'until'>>`
    select name as "jobName", body->'retention' as retention from jobs where tenant_id = ${tenantId} and location_id = ${source.locationId}
      and type = any(${[...deletingTypes]}) and workload = ${source.workload} order by lower(name)`.execute(tx);
  const points = await sql<{ points: number; oldest: Date | null; newest: Date | null; is_live: boolean }>`
    select count(*)::bigint as points, min(point.committed_at) as oldest, max(point.committed_at) as newest,
      exists (select from catalog_items item where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()
        and item.source_id = ${source.sourceId} and item.item_key = ${key} and item.to_point = ${FOREVER}) as is_live from catalog_points point
    where point.source_id = ${source.sourceId} and exists (select from catalog_items item where item.organisation_id = point.organisation_id
      and item.realm = point.realm and item.source_id = point.source_id and item.item_key = ${key}
      and item.from_point <= point.sequence and item.to_point > point.sequence)`.execute(tx);
  const [known] = points.rows;
  return {
    holds,
    rules: rules.rows.map((rule) => ({ ...rule, until: untilOf(rule.retention, known) })),
    points: known?.points ?? 0,
    oldestAt: known?.oldest?.toISOString() ?? null,
    newestAt: known?.newest?.toISOString() ?? null,
    shares: await sharesAbove(tx, source.sourceId, key),
    grants: await grantsOn(tx, source.sourceId, key),
  };
}

/** Links and guests of an item and of the folders above it. */
async function sharesAbove(tx: Tx, sourceId: string, key: string): Promise<Share[]> {
  const { rows } = await sql<{ audience: Share['audience']; role: string; who: string; expires_at: Date | null }>`
    with recursive up (item_key, depth) as (
      select ${key}::text collate "C", 1
      union
      select item.parent_key, up.depth + 1 from up join catalog_items item on item.organisation_id = holdfast.organisation()
        and item.realm = holdfast.realm() and item.source_id = ${sourceId} and item.item_key = up.item_key and item.to_point = ${FOREVER}
      where item.parent_key is not null and up.depth < 100)
    select distinct share.audience, share.role, share.who, share.expires_at from up join compliance_shares share using (item_key)
    where share.source_id = ${sourceId} order by share.audience, share.role, share.who`.execute(tx);
  return rows.map(({ expires_at, ...share }) => ({ ...share, expiresAt: expires_at?.toISOString() ?? null }));
}
