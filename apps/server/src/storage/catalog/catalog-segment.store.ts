import { FOREVER, type Tx } from '@holdfast/database';
import type { CatalogErrorCode, CatalogSegment, ItemVersion } from '@holdfast/engine';
import { AppError } from '@holdfast/foundation/errors';
import { groupsOf } from '@holdfast/foundation/groups';
import type { Ids } from '@holdfast/foundation/ids';
import { sql, type RawBuilder } from 'kysely';
import { changesOfArchive, countArchived } from './archive-counts.store.ts';
import { rowOf } from './catalog-row.ts';
import { eraseFromCatalog, type OnErased } from './erased-items.store.ts';

/** As many values as one statement takes. */
export const BATCH = 1_000;

/** The head of a source. */
export interface SourceRow {
  readonly source_id: string;
  readonly head_sequence: number;
  readonly head_hash: string;
  readonly head_cursor: string;
}

interface Counted {
  /** All versions, and those that are not containers. */
  readonly versions: number;
  readonly items: number;
  readonly bytes: number;
}

/** What a segment did to its source, by number. */
interface Changes {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly items: number;
  readonly bytes: number;
}

function refuse(code: CatalogErrorCode, segment: CatalogSegment): never {
  throw new AppError(code, { details: { resourceId: segment.resourceId, sequence: segment.sequence } });
}

/** Notes for each folder how many children the versions of `from` bring it (1) or take from it (-1) at this segment. */
function countChildren(from: string, sign: 1 | -1, { sourceId, sequence }: { sourceId: string; sequence: number }): RawBuilder<unknown> {
  return sql`
    insert into catalog_folder_counts as counted (source_id, parent_key, sequence, kind, change)
    select ${sourceId}, coalesce(parent_key, ''), ${sequence}, kind, ${sign}::int * count(*) from ${sql.ref(from)} group by 2, 4
    on conflict (organisation_id, realm, source_id, parent_key, sequence, kind) do update set change = counted.change + excluded.change`;
}

/** Ends the open versions of these keys at this segment; answers what was open. */
async function closeVersions(tx: Tx, sourceId: string, sequence: number, keys: readonly string[]): Promise<Counted> {
  const { rows } = await sql<Counted>`
    with closed as (
      update catalog_items set to_point = ${sequence}
      where organisation_id = holdfast.organisation() and realm = holdfast.realm() and source_id = ${sourceId}
        and item_key = any(${keys}) and to_point = ${FOREVER}
      returning is_container, size_bytes, parent_key, kind),
    noted as (${countChildren('closed', -1, { sourceId, sequence })})
    select count(*)::bigint as versions, count(*) filter (where not is_container)::bigint as items,
      coalesce(sum(size_bytes) filter (where not is_container), 0)::bigint as bytes from closed`.execute(tx);
  return rows[0] ?? { versions: 0, items: 0, bytes: 0 };
}

async function openVersions(tx: Tx, sourceId: string, sequence: number, items: readonly ItemVersion[]): Promise<Counted> {
  const rows = items.map(rowOf);
  await sql`
    with opened as (
    insert into catalog_items (source_id, item_key, from_point, parent_key, kind, is_container, name, sort_name, size_bytes, created_at, modified_at, author, not_protected, has_attachments, detail)
    select ${sourceId}, x.item_key, ${sequence}, x.parent_key, x.kind, x.is_container, x.name, x.sort_name, x.size_bytes, x.created_at, x.modified_at, x.author, x.not_protected, x.has_attachments, x.detail::json
    from unnest(
      ${rows.map((row) => row.key)}::text[], ${rows.map((row) => row.parentKey)}::text[], ${rows.map((row) => row.kind)}::text[],
      ${rows.map((row) => row.isContainer)}::boolean[], ${rows.map((row) => row.name)}::text[], ${rows.map((row) => row.sortName)}::text[], ${rows.map((row) => row.sizeBytes)}::bigint[],
      ${rows.map((row) => row.createdAt)}::timestamptz[], ${rows.map((row) => row.modifiedAt)}::timestamptz[], ${rows.map((row) => row.author)}::text[],
      ${rows.map((row) => row.notProtected)}::text[], ${rows.map((row) => row.hasAttachments)}::boolean[], ${rows.map((row) => row.detail)}::text[]
    ) as x (item_key, parent_key, kind, is_container, name, sort_name, size_bytes, created_at, modified_at, author, not_protected, has_attachments, detail)
    returning parent_key, kind)
    ${countChildren('opened', 1, { sourceId, sequence })}`.execute(tx);
  const counted = rows.filter((row) => !row.isContainer);
  return { versions: rows.length, items: counted.length, bytes: counted.reduce((sum, row) => sum + row.sizeBytes, 0) };
}

/** A new version of what was there leaves the number of children as it is. */
async function dropUnchangedCounts(tx: Tx, sourceId: string, segment: CatalogSegment): Promise<void> {
  const parents = [...new Set(segment.put.map((version) => version.parentKey ?? ''))];
  await sql`
    delete from catalog_folder_counts
    where source_id = ${sourceId} and parent_key = any(${parents}) and sequence = ${segment.sequence} and change = 0`.execute(tx);
}

/** Ends the versions that a segment replaces or removes, and opens the new ones. */
async function writeVersions(tx: Tx, sourceId: string, segment: CatalogSegment): Promise<Changes> {
  const changes = { added: 0, changed: 0, removed: 0, items: 0, bytes: 0 };
  const count = (counted: Counted, sign: 1 | -1): void => {
    changes.items += sign * counted.items;
    changes.bytes += sign * counted.bytes;
  };
  for (const keys of groupsOf(segment.removed, BATCH)) {
    const closed = await closeVersions(tx, sourceId, segment.sequence, keys);
    changes.removed += closed.versions;
    count(closed, -1);
  }
  for (const versions of groupsOf(segment.put, BATCH)) {
    const keys = versions.map((version) => version.key);
    const closed = await closeVersions(tx, sourceId, segment.sequence, keys);
    const opened = await openVersions(tx, sourceId, segment.sequence, versions);
    changes.changed += closed.versions;
    changes.added += opened.versions - closed.versions;
    count(closed, -1);
    count(opened, 1);
  }
  if (changes.changed > 0) await dropUnchangedCounts(tx, sourceId, segment);
  return changes;
}

async function noteChanges(tx: Tx, sourceId: string, segment: CatalogSegment, changes: Changes): Promise<void> {
  await tx
    .updateTable('catalog_sources')
    .set((column) => ({
      items: column('items', '+', changes.items),
      bytes: column('bytes', '+', changes.bytes),
      pending_added: column('pending_added', '+', changes.added),
      pending_changed: column('pending_changed', '+', changes.changed),
      pending_removed: column('pending_removed', '+', changes.removed),
      pending_new_bytes: column('pending_new_bytes', '+', segment.newBytes),
      pending_stored_bytes: column('pending_stored_bytes', '+', segment.storedBytes),
    }))
    .where('source_id', '=', sourceId)
    .execute();
}

/** Lists a restore point with all that changed since the one before. */
async function addPoint(tx: Tx, sourceId: string, segment: CatalogSegment): Promise<void> {
  await sql`
    insert into catalog_points (source_id, sequence, run_id, committed_at, added, changed, removed, new_bytes, stored_bytes)
    select source_id, ${segment.sequence}, ${segment.runId}, ${segment.committedAt}, pending_added, pending_changed, pending_removed,
      pending_new_bytes, pending_stored_bytes
    from catalog_sources where source_id = ${sourceId}`.execute(tx);
  await sql`
    update catalog_sources set points = points + 1, pending_added = 0, pending_changed = 0, pending_removed = 0,
      pending_new_bytes = 0, pending_stored_bytes = 0,
      oldest_point_at = coalesce(oldest_point_at, ${segment.committedAt}), newest_point_at = ${segment.committedAt}
    where source_id = ${sourceId}`.execute(tx);
}

/** The row of a resource in a location. Locked, no segment comes to it before the transaction has ended. */
export function sourceOf(
  tx: Tx,
  locationId: string,
  resourceId: string,
  { isLocked }: { readonly isLocked: boolean } = { isLocked: false },
): Promise<SourceRow | undefined> {
  const query = tx
    .selectFrom('catalog_sources')
    .select(['source_id', 'head_sequence', 'head_hash', 'head_cursor'])
    .where('location_id', '=', locationId)
    .where('resource_id', '=', resourceId);
  return (isLocked ? query.forUpdate() : query).executeTakeFirst();
}

/** Messages that a segment has brought into an archive, or has seen in another place. */
export interface Captured {
  readonly resourceId: string;
  readonly sourceId: string;
  readonly sequence: number;
  /** Their names, the hashes of their bytes, in order. */
  readonly messages: readonly string[];
}

/** Told in the transaction that writes the segment. */
export type OnCaptured = (tx: Tx, captured: Captured) => Promise<void>;

/** Where segments are taken to, and who is told. */
export interface SegmentPlace {
  readonly locationId: string;
  readonly ids: Ids;
  readonly onCaptured?: OnCaptured | undefined;
  readonly onErased?: OnErased | undefined;
}

function capturedBy(sourceId: string, { resourceId, sequence, put }: CatalogSegment): Captured {
  const messages = put.filter(({ kind }) => kind === 'message').map(({ key }) => key);
  return { resourceId, sourceId, sequence, messages: messages.sort() };
}

/** Moves the head on to this segment; undefined when it is there already. */
async function claimHead(tx: Tx, place: SegmentPlace, segment: CatalogSegment): Promise<string | undefined> {
  const found = await sourceOf(tx, place.locationId, segment.resourceId);
  if (!found) {
    if (segment.sequence !== 1) refuse('catalog.gap', segment);
    const sourceId = place.ids.uuid();
    const head = { head_sequence: 1, head_hash: segment.hash, head_cursor: segment.cursor };
    const made = await tx
      .insertInto('catalog_sources')
      .values({ source_id: sourceId, location_id: place.locationId, resource_id: segment.resourceId, ...head })
      .onConflict((conflict) => conflict.doNothing())
      .returning('source_id')
      .executeTakeFirst();
    return made ? made.source_id : claimHead(tx, place, segment);
  }
  const moved = await tx
    .updateTable('catalog_sources')
    .set({ head_sequence: segment.sequence, head_hash: segment.hash, head_cursor: segment.cursor })
    .where('source_id', '=', found.source_id)
    .where('head_sequence', '=', segment.sequence - 1)
    .returning('source_id')
    .executeTakeFirst();
  if (moved) return moved.source_id;
  const now = (await sourceOf(tx, place.locationId, segment.resourceId)) ?? found;
  if (now.head_sequence !== segment.sequence) refuse('catalog.gap', segment);
  if (now.head_hash !== segment.hash) refuse('catalog.fork', segment);
  return undefined;
}

/** Takes one segment in the transaction. Repeating the head changes nothing; a gap or fork is refused. */
export async function writeSegment(tx: Tx, place: SegmentPlace, segment: CatalogSegment): Promise<void> {
  const sourceId = await claimHead(tx, place, segment);
  if (sourceId === undefined) return;
  const archived = await changesOfArchive(tx, sourceId, segment);
  const erased = await eraseFromCatalog(tx, { ...place, sourceId }, segment);
  const changes = await writeVersions(tx, sourceId, segment);
  const { removed, items, bytes } = changes;
  await noteChanges(tx, sourceId, segment, {
    ...changes,
    removed: removed + erased.versions,
    items: items - erased.versions,
    bytes: bytes - erased.bytes,
  });
  if (archived) {
    await countArchived(tx, sourceId, segment, archived);
    await place.onCaptured?.(tx, capturedBy(sourceId, segment));
  }
  if (segment.point) await addPoint(tx, sourceId, segment);
}
