import { FOREVER, type Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';

const PAGE = 1_000;

/** An item of a selection, and the archived message that it stands for. */
interface Wanted {
  readonly sourceId: string;
  readonly key: string;
  readonly resourceId: string;
  readonly messageId: string;
}

interface Chosen {
  readonly source_id: string;
  readonly item_key: string;
  readonly from_point: number;
}

/** The mailboxes and archives of a selection, each with the archive of its owner. */
async function sourcesOfSelection(tx: Tx, selectionId: string) {
  const { rows } = await sql<{ source_id: string; kind: 'archive' | 'mailbox'; archive_id: string }>`
    select chosen.source_id, owner.kind, archive.resource_id as archive_id
    from (select distinct source_id from search_selection_items where selection_id = ${selectionId}) chosen
    join catalog_sources source on source.source_id = chosen.source_id
    join resources owner on owner.organisation_id = source.organisation_id and owner.realm = source.realm and owner.resource_id = source.resource_id
    join resources archive on archive.organisation_id = owner.organisation_id and archive.realm = owner.realm
      and archive.tenant_id = owner.tenant_id and archive.graph_id = owner.graph_id and archive.kind = 'archive'
    where owner.kind in ('archive', 'mailbox') order by chosen.source_id`.execute(tx);
  return rows;
}

/** The names of messages of a backup: the hashes of their bytes. */
async function hashesOf(tx: Tx, sourceId: string, page: readonly Chosen[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ item_key: string; from_point: number; sha256: string }>`
    select item_key, from_point, content -> 'ref' ->> 'sha256' as sha256 from catalog_items
    cross join lateral json_array_elements(detail -> 'contents') content
    where organisation_id = holdfast.organisation() and realm = holdfast.realm() and source_id = ${sourceId}
      and item_key = any(${page.map((one) => one.item_key)}) and content ->> 'role' = 'mime'`.execute(tx);
  const versions = new Map(page.map((one) => [one.item_key, one.from_point]));
  return new Map(rows.filter((row) => versions.get(row.item_key) === row.from_point).map((row) => [row.item_key, row.sha256]));
}

/** The chosen messages of one mailbox or archive, some at a time. */
async function* wantedPages(
  tx: Tx,
  selectionId: string,
  { source_id: sourceId, kind, archive_id: resourceId }: Awaited<ReturnType<typeof sourcesOfSelection>>[number],
): AsyncGenerator<readonly Wanted[], void, undefined> {
  for (let after = ''; ;) {
    const page: readonly Chosen[] = await tx
      .selectFrom('search_selection_items')
      .select(['source_id', 'item_key', 'from_point'])
      .where('selection_id', '=', selectionId)
      .where('source_id', '=', sourceId)
      .where('kind', '=', 'message')
      .where('item_key', '>', after)
      .orderBy('item_key')
      .limit(PAGE)
      .execute();
    const last = page.at(-1);
    if (!last) return;
    const hashes = kind === 'mailbox' ? await hashesOf(tx, sourceId, page) : new Map(page.map((one) => [one.item_key, one.item_key]));
    yield page.flatMap(({ item_key: key }) => {
      const messageId = hashes.get(key);
      return messageId === undefined ? [] : [{ sourceId, key, resourceId, messageId }];
    });
    after = last.item_key;
  }
}

/** Lists messages of an archive in every location that has them; answers which there are. */
export async function listIn(tx: Tx, deletionId: string, resourceId: string, messageIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ item_key: string }>`
    with found as (
      select source.location_id, item.item_key, item.from_point, item.size_bytes,
        exists (select from json_array_elements(item.detail #> '{properties,placements}') place where place ->> 'source' = 'journal') as is_journaled
      from catalog_sources source
      join catalog_items item on item.organisation_id = source.organisation_id and item.realm = source.realm and item.source_id = source.source_id
      where source.resource_id = ${resourceId} and item.item_key = any(${[...messageIds]}) and item.to_point = ${FOREVER}
    ), added as (
      insert into message_deletion_items (deletion_id, resource_id, location_id, item_key, from_point, size_bytes, is_journaled)
      select ${deletionId}, ${resourceId}, location_id, item_key, from_point, size_bytes, is_journaled from found on conflict do nothing)
    select distinct item_key from found`.execute(tx);
  return new Set(rows.map((row) => row.item_key));
}

/**
 * Lists the archived messages of a selection, in every location that has them. A message that was chosen in a backup stands for the
 * same bytes in the archive of its mailbox. Answers how many chosen items that accounts for.
 */
export async function freezeList(
  tx: Tx,
  { deletionId, selectionId }: { readonly deletionId: string; readonly selectionId: string },
): Promise<number> {
  let matched = 0;
  for (const source of await sourcesOfSelection(tx, selectionId)) {
    for await (const wanted of wantedPages(tx, selectionId, source)) {
      const found = await listIn(
        tx,
        deletionId,
        source.archive_id,
        wanted.map(({ messageId }) => messageId),
      );
      matched += wanted.filter(({ messageId }) => found.has(messageId)).length;
    }
  }
  return matched;
}

const here = sql`item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm()`;

/** Lists items, each with the newest of its versions, in every location that has them; folders stay for what is in them. */
async function listItems(tx: Tx, deletionId: string, found: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into message_deletion_items (deletion_id, resource_id, location_id, item_key, from_point, size_bytes, is_journaled)
    select ${deletionId}, source.resource_id, source.location_id, item.item_key, max(item.from_point), max(item.size_bytes),
      bool_or(owner.kind = 'archive' and exists (
        select from json_array_elements(item.detail #> '{properties,placements}') place where place ->> 'source' = 'journal'))
    from ${found} wanted
    join catalog_sources source on source.organisation_id = holdfast.organisation() and source.realm = holdfast.realm()
      and source.resource_id = wanted.resource_id
    join resources owner on owner.organisation_id = source.organisation_id and owner.realm = source.realm
      and owner.resource_id = source.resource_id
    join catalog_items item on ${here} and item.source_id = source.source_id and (wanted.item_key is null or item.item_key = wanted.item_key)
    where not item.is_container group by source.resource_id, source.location_id, item.item_key
    on conflict do nothing`.execute(tx);
}

/**
 * Lists what was chosen in backups itself, and what the backup of a mailbox has of the bytes of a message that was chosen in its
 * archive. Answers how many chosen items the list has now.
 */
export async function freezeBackups(
  tx: Tx,
  { deletionId, selectionId }: { readonly deletionId: string; readonly selectionId: string },
): Promise<number> {
  await listItems(
    tx,
    deletionId,
    sql`(select distinct source.resource_id, chosen.item_key from search_selection_items chosen
      join catalog_sources source using (organisation_id, realm, source_id) join resources owner using (organisation_id, realm, resource_id)
      where chosen.selection_id = ${selectionId} and owner.kind not in ('archive', 'journal'))`,
  );
  await listItems(
    tx,
    deletionId,
    sql`(select distinct mailbox.resource_id, hit.item_key from search_selection_items chosen
      join catalog_sources source using (organisation_id, realm, source_id) join resources archive using (organisation_id, realm, resource_id)
      join resources mailbox on mailbox.organisation_id = archive.organisation_id and mailbox.realm = archive.realm
        and mailbox.tenant_id = archive.tenant_id and mailbox.graph_id = archive.graph_id and mailbox.kind = 'mailbox'
      join catalog_sources backup on backup.organisation_id = mailbox.organisation_id and backup.realm = mailbox.realm
        and backup.resource_id = mailbox.resource_id
      join search_items hit on hit.organisation_id = backup.organisation_id and hit.realm = backup.realm
        and hit.source_id = backup.source_id and hit.content_hash = chosen.item_key
      where chosen.selection_id = ${selectionId} and archive.kind = 'archive')`,
  );
  const { rows } = await sql<{ matched: number }>`
    select count(*)::bigint as matched from search_selection_items chosen join catalog_sources source using (organisation_id, realm, source_id)
    where chosen.selection_id = ${selectionId} and exists (select from message_deletion_items listed
      where listed.deletion_id = ${deletionId} and listed.resource_id = source.resource_id and listed.item_key = chosen.item_key)`.execute(
    tx,
  );
  return rows[0]?.matched ?? 0;
}

/** Lists everything that archives and backups have of some resources. */
export async function freezeResources(
  tx: Tx,
  { deletionId, resourceIds }: { readonly deletionId: string; readonly resourceIds: readonly string[] },
): Promise<number> {
  await listItems(tx, deletionId, sql`(select unnest(${[...resourceIds]}::uuid[]) as resource_id, null::text as item_key)`);
  const { count } = await tx
    .selectFrom('message_deletion_items')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('deletion_id', '=', deletionId)
    .executeTakeFirstOrThrow();
  return count;
}
