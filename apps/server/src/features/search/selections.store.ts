import type { SelectedItem, Selection } from '@holdfast/contract/selections';
import type { Page } from '@holdfast/contract/paging';
import type { SearchCoverage } from '@holdfast/contract/search';
import type { Workload } from '@holdfast/contract/values';
import type { Scope, Tx, Database } from '@holdfast/database';
import type { Resource, ResourceKind } from '@holdfast/engine';
import { sql, type RawBuilder } from 'kysely';
import { pageFrom, type PageWindow } from '../../http/paging.ts';
import type { SearchReach } from '../content-access/index.ts';
import { coverageOf } from './coverage.views.ts';
import { searchedWorkload } from './query-set.views.ts';
import { hitsOf, type SearchPlace } from './search.views.ts';

/** Who has chosen what, and when. */
export interface NewSelection {
  readonly selectionId: string;
  readonly query: string;
  readonly reason: string;
  readonly ownerId: string;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** What of a selection one restore point of one resource has. */
export interface SelectionPart {
  readonly sourceId: string;
  readonly locationId: string;
  readonly sequence: number;
  readonly workload: Workload;
  readonly resource: Resource;
  readonly items: number;
}

/** An item of a part, as the catalog named it when it was chosen. */
export interface SelectedKey {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly at: Date;
  readonly sizeBytes: number;
  /** What reviewers decided about it, where the selection was made of a review set. */
  readonly review: string | null;
  /** Its tags, by name with `; ` between them, and its notes, a line each, as they were then. */
  readonly reviewTags: string | null;
  readonly reviewNotes: string | null;
}

/** Selections for those who work on them: restores and exports. */
export interface SelectionReader {
  parts(scope: Scope, tenantId: string, selectionId: string): Promise<readonly SelectionPart[]>;
  /** The items of a part after a key, in the order of their keys. */
  keys(
    scope: Scope,
    selectionId: string,
    part: Pick<SelectionPart, 'sourceId' | 'sequence'>,
    after: string,
  ): Promise<readonly SelectedKey[]>;
}

const KEPT_MS = 24 * 3_600_000;

/** Long enough to look at a list, choose a target and fetch a large archive. */
export const selectionExpiry = (at: Date): Date => new Date(at.getTime() + KEPT_MS);

/** As many items as are read at a time. */
const KEYS_A_PAGE = 1_000;

/** What a selection is made of. */
interface KeptItems {
  readonly chosen: RawBuilder<unknown>;
  readonly coverage: SearchCoverage | null;
  readonly isReviewed?: boolean;
}

/**
 * Keeps a selection of what a relation names, which has `source_id, item_key, from_point, sequence, kind, name, at, size_bytes`,
 * and `review, review_tags, review_notes` where it comes from a review set or a case, with how much could be searched for it. Answers how much that is.
 */
export async function keepSelection(
  tx: Tx,
  tenantId: string,
  made: NewSelection,
  { chosen, coverage, isReviewed = false }: KeptItems,
): Promise<number> {
  await tx
    .insertInto('search_selections')
    .values({
      selection_id: made.selectionId,
      tenant_id: tenantId,
      query: made.query,
      reason: made.reason,
      owner_id: made.ownerId,
      created_at: made.at,
      expires_at: made.expiresAt,
      coverage: coverage === null ? null : JSON.stringify(coverage),
    })
    .execute();
  const { numAffectedRows } = await sql`
    insert into search_selection_items (selection_id, source_id, item_key, from_point, sequence, kind, name, at, size_bytes, review, review_tags, review_notes)
    select ${made.selectionId}, source_id, item_key, from_point, sequence, kind, name, at, size_bytes,
      ${isReviewed ? sql`review, review_tags, review_notes` : sql`null, null, null`} from ${chosen} chosen`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** The hits of a place as a selection keeps them, those of these numbers alone when some are named. */
export function hitsToKeep(place: SearchPlace, hitIds?: readonly string[]): RawBuilder<unknown> {
  const isChosen = hitIds === undefined ? sql`true` : sql`hit.item_no = any(${[...hitIds]}::bigint[])`;
  return sql`(
    select hit.source_id, hit.item_key, hit.from_point, shown.sequence, version.kind, version.name, hit.at, hit.size_bytes
    from ${hitsOf(place)} hit
    join catalog_items version using (organisation_id, realm, source_id, item_key, from_point)
    join lateral (select sequence from catalog_points point where point.organisation_id = hit.organisation_id
      and point.realm = hit.realm and point.source_id = hit.source_id and point.sequence >= version.from_point
      and point.sequence < version.to_point order by sequence desc limit 1) shown on true
    where ${isChosen})`;
}

/** Keeps the hits of a place, those of these numbers alone when some are named. Answers how many there were. */
export async function keepHits(tx: Tx, place: SearchPlace, made: NewSelection, hitIds: readonly string[] | undefined): Promise<number> {
  return keepSelection(tx, place.tenantId, made, { chosen: hitsToKeep(place, hitIds), coverage: await coverageOf(tx, place) });
}

/** Forgets selections whose time is over; those that a job refers to stay as long as the job. */
export async function forgetSelections(tx: Tx, at: Date): Promise<void> {
  await sql`delete from search_selections selection where expires_at < ${at} and not exists (
    select from jobs where jobs.organisation_id = selection.organisation_id and jobs.realm = selection.realm
      and jobs.body #>> '{recovery,selectionId}' = selection.selection_id::text)`.execute(tx);
}

/** A selection and what is known of its making. */
export interface KeptSelection extends Selection {
  readonly ownerId: string;
  readonly reason: string;
  /** How much could be searched when it was made; null where nothing was searched for. */
  readonly coverage: SearchCoverage | null;
}

/** A selection with its figures; undefined where the tenant has none of this id. */
export async function readSelection(tx: Tx, tenantId: string, selectionId: string): Promise<KeptSelection | undefined> {
  const row = await tx
    .selectFrom('search_selections')
    .select(['query', 'reason', 'owner_id', 'expires_at', 'coverage'])
    .where('selection_id', '=', selectionId)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { rows } = await sql<Selection['resources'][number] & { readonly bytes: number }>`
    select resource.resource_id as "resourceId", coalesce(nullif(resource.name, ''), resource.address) as name, ${searchedWorkload} as workload,
      resource.kind, count(*)::bigint as items, sum(chosen.size_bytes)::bigint as bytes
    from search_selection_items chosen
    join catalog_sources source using (organisation_id, realm, source_id)
    join resources resource using (organisation_id, realm, resource_id)
    where chosen.selection_id = ${selectionId} group by 1, 2, 3, 4 order by items desc, name`.execute(tx);
  return {
    selectionId,
    query: row.query,
    items: rows.reduce((sum, { items }) => sum + items, 0),
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    resources: rows.map(({ resourceId, name, workload, kind, items }) => ({ resourceId, name, workload, kind, items })),
    expiresAt: row.expires_at.toISOString(),
    ownerId: row.owner_id,
    reason: row.reason,
    coverage: row.coverage as SearchCoverage | null,
  };
}

/** The keys of a selection by resource: what has to be asked for before their contents leave their place. */
export async function keysByResource(tx: Tx, selectionId: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ resource_id: string; keys: string[] }>`
    select source.resource_id, array_agg(chosen.item_key) as keys from search_selection_items chosen
    join catalog_sources source using (organisation_id, realm, source_id)
    where chosen.selection_id = ${selectionId} group by 1`.execute(tx);
  return new Map(rows.map((row) => [row.resource_id, row.keys]));
}

/** The sources of a selection: whoever they belong to is told when their content leaves its place. */
export async function sourcesOf(tx: Tx, selectionId: string): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom('search_selection_items')
    .select('source_id')
    .distinct()
    .where('selection_id', '=', selectionId)
    .execute();
  return rows.map((row) => row.source_id);
}

interface ItemRow extends Omit<SelectedItem, 'at' | 'resource'> {
  readonly at: Date;
  readonly resource_id: string;
  readonly name: string;
  readonly address: string;
  readonly resource_kind: SelectedItem['resource']['kind'];
  readonly total: number;
}

/** The items of a selection that the reader may still search, newest first. */
export async function selectedItems(tx: Tx, selectionId: string, reach: SearchReach, window: PageWindow): Promise<Page<SelectedItem>> {
  const { rows } = await sql<ItemRow>`
    select item.item_no::text as "hitId", item.kind, ${searchedWorkload} as workload, item.title, item.sender, item.at, item.size_bytes as "sizeBytes",
      item.attachments, resource.resource_id, resource.name, resource.address, resource.kind as resource_kind, count(*) over ()::bigint as total
    from search_selection_items chosen
    join search_items item using (organisation_id, realm, source_id, item_key, from_point)
    join catalog_sources source using (organisation_id, realm, source_id)
    join resources resource using (organisation_id, realm, resource_id)
    where chosen.selection_id = ${selectionId} and ${reach(sql`item.at`, sql`item.content_hash`)}
    order by item.at desc, item.item_no desc limit ${window.limit} offset ${window.offset}`.execute(tx);
  const items = rows.map(({ hitId, kind, workload, title, sender, sizeBytes, attachments, ...row }) => ({
    hitId,
    kind,
    workload,
    title,
    sender,
    at: row.at.toISOString(),
    sizeBytes,
    attachments,
    resource: { resourceId: row.resource_id, name: row.name, address: row.address, kind: row.resource_kind },
  }));
  return pageFrom(items, rows[0]?.total ?? 0, window);
}

interface PartRow {
  readonly source_id: string;
  readonly location_id: string;
  readonly sequence: number;
  readonly workload: Workload;
  readonly resource_id: string;
  readonly kind: ResourceKind;
  readonly graph_id: string;
  readonly name: string;
  readonly items: number;
}

export function createSelectionReader(database: Database): SelectionReader {
  return Object.freeze<SelectionReader>({
    parts: (scope, tenantId, selectionId) =>
      database.within(scope, async (tx) => {
        const { rows } = await sql<PartRow>`
          select chosen.source_id, source.location_id, chosen.sequence, ${searchedWorkload} as workload, resource.resource_id, resource.kind,
            resource.graph_id, coalesce(nullif(resource.name, ''), resource.address) as name, count(*)::bigint as items
          from search_selection_items chosen
          join search_selections selection using (organisation_id, realm, selection_id)
          join catalog_sources source using (organisation_id, realm, source_id)
          join resources resource using (organisation_id, realm, resource_id)
          where chosen.selection_id = ${selectionId} and selection.tenant_id = ${tenantId}
          group by 1, 2, 3, 4, 5, 6, 7, 8 order by name, chosen.source_id, chosen.sequence`.execute(tx);
        return rows.map(({ resource_id: id, kind, graph_id: graphId, name, ...row }) => ({
          sourceId: row.source_id,
          locationId: row.location_id,
          sequence: row.sequence,
          workload: row.workload,
          resource: { id, kind, graphId, name },
          items: row.items,
        }));
      }),
    keys: (scope, selectionId, { sourceId, sequence }, after) =>
      database.within(scope, async (tx) => {
        const rows = await tx
          .selectFrom('search_selection_items')
          .select(['item_key', 'kind', 'name', 'at', 'size_bytes', 'review', 'review_tags', 'review_notes'])
          .where('selection_id', '=', selectionId)
          .where('source_id', '=', sourceId)
          .where('sequence', '=', sequence)
          .where('item_key', '>', after)
          .orderBy('item_key')
          .limit(KEYS_A_PAGE)
          .execute();
        return rows.map(({ item_key: key, size_bytes: sizeBytes, review_tags: reviewTags, review_notes: reviewNotes, ...same }) => ({
          ...same,
          key,
          sizeBytes,
          reviewTags,
          reviewNotes,
        }));
      }),
  });
}
