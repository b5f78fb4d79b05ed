import type { Tx } from '@holdfast/database';
import { addressKeyOf, asSent, type AsSent } from '@holdfast/engine';
import { sql } from 'kysely';
import { versionOf } from '../../storage/index.ts';
import type { SearchReach } from '../content-access/index.ts';
import { addressLexeme } from './lexemes.ts';

/** A file that a link led to, in the version of when it was sent, and where that is kept. */
export interface FileAsSent extends AsSent {
  readonly locationId: string;
  readonly sourceId: string;
  readonly itemKey: string;
  /** Whose drive or which site it is in. */
  readonly owner: string;
  /** The id of that drive or site in Microsoft 365: it stays through every renaming. */
  readonly ownerGraphId: string;
}

/** A link of an item; `file` is null where it leads to nothing that is kept and that the reader may find. */
export interface LinkAsSent {
  readonly place: number;
  readonly link: string;
  readonly sentAt: string;
  readonly file: FileAsSent | null;
}

/** An item whose links are asked for: the version that a restore point shows. */
export interface LinkingItem {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly itemKey: string;
  readonly sequence: number;
}

interface Candidate {
  readonly source_id: string;
  readonly item_key: string;
  readonly location_id: string;
  readonly owner: string;
  readonly graph_id: string;
}

interface KeptVersion {
  readonly point: number;
  readonly item_key: string;
  readonly parent_key: string | null;
  readonly kind: string;
  readonly name: string;
  readonly size_bytes: number;
  readonly detail: object;
}

/** Every file that ever had the address, wherever it went and whether Microsoft 365 still has it. */
async function candidates(tx: Tx, tenantId: string, key: string, reach: SearchReach): Promise<readonly Candidate[]> {
  const { rows } = await sql<Candidate>`select distinct item.source_id, item.item_key, source.location_id,
      coalesce(nullif(resource.name, ''), resource.address) as owner, resource.graph_id
    from search_items item
    join catalog_sources source using (organisation_id, realm, source_id)
    join resources resource using (organisation_id, realm, resource_id)
    where resource.tenant_id = ${tenantId} and item.item_no in (select holdfast.items_with_words(${`'${addressLexeme(key)}'`}::tsquery, null))
      and ${reach(sql`item.at`, sql`item.content_hash`)}
    order by item.source_id, item.item_key`.execute(tx);
  return rows;
}

async function fileAsSent(tx: Tx, candidate: Candidate, sentAt: string) {
  const { source_id: sourceId, item_key: itemKey, location_id: locationId, owner, graph_id: ownerGraphId } = candidate;
  const { rows } = await sql<KeptVersion>`select shown.sequence as point, version.item_key, version.parent_key, version.kind, version.name,
      version.size_bytes, version.detail
    from catalog_items version
    join lateral (select point.sequence from catalog_points point where point.organisation_id = version.organisation_id
      and point.realm = version.realm and point.source_id = version.source_id and point.sequence >= version.from_point
      and point.sequence < version.to_point order by point.sequence limit 1) shown on true
    where version.organisation_id = holdfast.organisation() and version.realm = holdfast.realm()
      and version.source_id = ${sourceId} and version.item_key = ${itemKey}`.execute(tx);
  const found = asSent(
    rows.map(({ point, ...row }) => ({ point, item: versionOf(row) })),
    sentAt,
  );
  return found && { ...found, locationId, sourceId, itemKey, owner, ownerGraphId };
}

const rank = { 'last-change-before': 0, 'earlier-kept': 1, 'first-kept-after': 2 } as const;

/** Of several files that had the address, the one by the better rule, then the one that was changed last before it was sent. */
function better(a: FileAsSent, b: FileAsSent): number {
  const isAfter = a.rule === 'first-kept-after';
  return rank[a.rule] - rank[b.rule] || (isAfter ? 1 : -1) * (Date.parse(a.modifiedAt) - Date.parse(b.modifiedAt));
}

/** The links of an item, each with the version of the file that it led to when the item was sent. */
export async function linksAsSent(
  tx: Tx,
  { tenantId, sourceId, itemKey, sequence }: LinkingItem,
  reach: SearchReach,
): Promise<readonly LinkAsSent[]> {
  const { rows } = await sql<{ place: number; link: string; sent_at: Date }>`select written.place, written.link,
      coalesce(linking.sent_at, linking.at) as sent_at
    from search_items linking
    join search_links written using (organisation_id, realm, item_no)
    join catalog_items version using (organisation_id, realm, source_id, item_key, from_point)
    where linking.organisation_id = holdfast.organisation() and linking.realm = holdfast.realm() and linking.source_id = ${sourceId}
      and linking.item_key = ${itemKey} and version.from_point <= ${sequence} and version.to_point > ${sequence}
    order by written.place`.execute(tx);
  const links: LinkAsSent[] = [];
  for (const { place, link, sent_at } of rows) {
    const key = addressKeyOf(link);
    const sentAt = sent_at.toISOString();
    const files: FileAsSent[] = [];
    for (const one of key === undefined ? [] : await candidates(tx, tenantId, key, reach)) {
      const file = await fileAsSent(tx, one, sentAt);
      if (file) files.push(file);
    }
    links.push({ place, link, sentAt, file: files.toSorted(better)[0] ?? null });
  }
  return links;
}
