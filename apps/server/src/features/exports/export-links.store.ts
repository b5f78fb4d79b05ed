import type { Database, Scope, Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import type { ContentAccess, SearchReach } from '../content-access/index.ts';
import { linksAsSent, type LinkAsSent } from '../search/index.ts';
import type { ExportRow } from './export-rows.ts';

/** A link of an item of an export, as the list of links has it. */
export interface ExportedLink {
  readonly itemNo: number;
  readonly file: string | null;
  readonly link: string;
  readonly sentAt: string;
  readonly rule: string | null;
  readonly tie: string | null;
  readonly missing: string | null;
  readonly name: string | null;
  readonly owner: string | null;
  readonly version: string | null;
  readonly changedAt: string | null;
  readonly sha256: string | null;
  /** Where the very bytes of that version are in the export; null where they are not. */
  readonly exported: string | null;
  /** The drive or site and the file by their ids, which stay through renaming and moving; null in what was made before they were kept. */
  readonly ownerId: string | null;
  readonly itemId: string | null;
}

/** The links of what exports hold. */
export interface ExportLinksStore {
  /** Resolves all of them and replaces what an earlier attempt left. */
  resolve(scope: Scope, row: ExportRow): Promise<void>;
  /** Those of some items after one of them, in their order. */
  page(scope: Scope, exportId: string, after: number): Promise<readonly ExportedLink[]>;
  /** How many there are by the rule that resolved them; null where none did. */
  counts(scope: Scope, exportId: string): Promise<readonly { readonly rule: string | null; readonly links: number }[]>;
}

/** What whoever asked for the export may find, and what is in the export itself. */
async function reachOf(tx: Tx, access: ContentAccess, row: ExportRow): Promise<SearchReach> {
  const reach = await access.searchableBy(tx, { tenantId: row.tenant_id, accountId: row.owner_id });
  const isIncluded = sql`exists (select from search_selection_items chosen where chosen.organisation_id = item.organisation_id
    and chosen.realm = item.realm and chosen.selection_id = ${row.selection_id} and chosen.source_id = item.source_id
    and chosen.item_key = item.item_key)`;
  return (at, original) => sql`(${reach(at, original)} or ${isIncluded})`;
}

/** An item has few links, so that a page of them is bounded by its items. */
const ITEMS_A_PAGE = 200;

interface LinkingRow {
  readonly item_no: number;
  readonly source_id: string;
  readonly item_key: string;
  readonly sequence: number;
}

/**
 * The items that link to something, each by its first file. Each item is looked up by its key, as the limit makes sure: joined, the
 * tables that nobody has counted since they were filled are read once for every item.
 */
const linking = (exportId: string): RawBuilder<LinkingRow> => sql<LinkingRow>`
  select min(exported.item_no)::bigint as item_no, exported.source_id, exported.item_key, exported.sequence from export_items exported
  cross join lateral (select from search_items known where known.organisation_id = exported.organisation_id
    and known.realm = exported.realm and known.source_id = exported.source_id and known.item_key = exported.item_key
    and exists (select from search_links written where written.organisation_id = known.organisation_id and written.realm = known.realm
      and written.item_no = known.item_no) limit 1) linked
  where exported.export_id = ${exportId} and exported.code is null
  group by exported.source_id, exported.item_key, exported.sequence order by 1`;

const nothing = { name: null, owner: null, owner_graph_id: null, item_key: null };
const unresolved = { rule: null, tie: null, missing: null, version: null, modified_at: null, sha256: null, ...nothing };

const resolved = ({
  rule,
  tie,
  missing,
  label,
  modifiedAt,
  sha256,
  name,
  owner,
  ownerGraphId,
  itemKey,
}: NonNullable<LinkAsSent['file']>) => ({
  rule,
  tie,
  missing,
  version: label,
  modified_at: modifiedAt,
  sha256,
  name,
  owner,
  owner_graph_id: ownerGraphId,
  item_key: itemKey,
});

const utc = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

export function createExportLinksStore(database: Database, access: ContentAccess): ExportLinksStore {
  async function resolveOne(tx: Tx, row: ExportRow, item: LinkingRow, reach: SearchReach): Promise<void> {
    const { source_id: sourceId, item_key: itemKey, sequence, item_no } = item;
    const links = await linksAsSent(tx, { tenantId: row.tenant_id, sourceId, itemKey, sequence }, reach);
    const rows = links.map(({ place, link, sentAt, file }) => ({
      export_id: row.export_id,
      item_no,
      place,
      link,
      sent_at: sentAt,
      ...(file ? resolved(file) : unresolved),
    }));
    if (rows.length > 0) await tx.insertInto('export_links').values(rows).execute();
  }

  return Object.freeze<ExportLinksStore>({
    resolve: (scope, row) =>
      database.within(scope, async (tx) => {
        await tx.deleteFrom('export_links').where('export_id', '=', row.export_id).execute();
        const reach = await reachOf(tx, access, row);
        const { rows } = await linking(row.export_id).execute(tx);
        for (const item of rows) await resolveOne(tx, row, item, reach);
      }),
    page: (scope, exportId, after) =>
      database.within(scope, async (tx) => {
        const { rows } =
          await sql<ExportedLink>`select led.item_no::bigint as "itemNo", file.path as file, led.link, ${utc(sql`led.sent_at`)} as "sentAt",
            led.rule, led.tie, led.missing, led.name, led.owner, led.version, ${utc(sql`led.modified_at`)} as "changedAt", led.sha256,
            led.owner_graph_id as "ownerId", led.item_key as "itemId",
            (select same_file.path from export_items same join export_files same_file using (organisation_id, realm, export_id, file_no)
              where same.export_id = led.export_id and same.sha256 = led.sha256 and same.code is null
              order by same.item_no limit 1) as exported
          from export_links led
          join export_items item using (organisation_id, realm, export_id, item_no)
          left join export_files file using (organisation_id, realm, export_id, file_no)
          where led.export_id = ${exportId} and led.item_no in (select next.item_no from export_links next
            where next.export_id = ${exportId} and next.item_no > ${after} group by next.item_no order by next.item_no limit ${ITEMS_A_PAGE})
          order by led.item_no, led.place`.execute(tx);
        return rows;
      }),
    counts: (scope, exportId) =>
      database.within(scope, async (tx) => {
        const { rows } = await sql<{ rule: string | null; links: number }>`
          select rule, count(*)::bigint as links from export_links where export_id = ${exportId} group by rule`.execute(tx);
        return rows;
      }),
  });
}
