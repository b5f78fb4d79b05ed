import { FOREVER, type Tx } from '@holdfast/database';
import { placementsOf, type CatalogSegment, type ItemVersion } from '@holdfast/engine';
import { storableText } from '@holdfast/foundation/text';
import { sql } from 'kysely';

interface Figures {
  messages: number;
  attachments: number;
  bytes: number;
}

interface Counted {
  readonly dimension: 'hour' | 'month' | 'folder';
  readonly name: string;
  readonly figures: Figures;
}

/** What a segment brings to the counters of an archive. */
export interface ArchiveChanges {
  readonly total: Figures;
  readonly received: readonly Date[];
  readonly counted: readonly Counted[];
}

type Folders = readonly string[];

function foldersOf(item: Pick<ItemVersion, 'properties'>): Folders {
  return placementsOf(item).map((placement) => storableText((placement as { readonly folder?: string }).folder ?? ''));
}

function createTally() {
  const tallies = new Map<string, Counted>();
  return {
    add(dimension: Counted['dimension'], name: string, { messages, attachments, bytes }: Figures): void {
      const key = `${dimension} ${name}`;
      const counted = tallies.get(key) ?? { dimension, name, figures: { messages: 0, attachments: 0, bytes: 0 } };
      tallies.set(key, counted);
      counted.figures.messages += messages;
      counted.figures.attachments += attachments;
      counted.figures.bytes += bytes;
    },
    all: (): readonly Counted[] => [...tallies.values()],
  };
}

const figuresOf = ({ sizeBytes, properties }: ItemVersion): Figures => ({
  messages: 1,
  attachments: properties['hasAttachments'] === true ? 1 : 0,
  bytes: sizeBytes,
});

/** Counts what is new in a segment: a message once, and once more in each folder where it was not known before. */
export function archiveChanges(segment: CatalogSegment, before: ReadonlyMap<string, Folders>): ArchiveChanges {
  const total: Figures = { messages: 0, attachments: 0, bytes: 0 };
  const received: Date[] = [];
  const tally = createTally();
  for (const item of segment.put) {
    if (item.kind !== 'message') continue;
    const figures = figuresOf(item);
    const known = before.get(item.key);
    for (const folder of foldersOf(item).slice(known?.length ?? 0)) tally.add('folder', folder, figures);
    if (known) continue;
    for (const name of Object.keys(total) as (keyof Figures)[]) total[name] += figures[name];
    tally.add('hour', segment.committedAt.slice(0, 13), figures);
    const at = new Date(item.modifiedAt ?? '');
    if (Number.isNaN(at.getTime())) continue;
    received.push(at);
    tally.add('month', at.toISOString().slice(0, 7), figures);
  }
  return { total, received, counted: tally.all() };
}

/** The folders of messages that the archive has already. Places are only ever added behind those that are known. */
async function knownFolders(tx: Tx, sourceId: string, keys: readonly string[]): Promise<ReadonlyMap<string, Folders>> {
  const { rows } = await sql<{ item_key: string; detail: Pick<ItemVersion, 'properties'> }>`
    select item_key, detail from catalog_items
    where organisation_id = holdfast.organisation() and realm = holdfast.realm() and source_id = ${sourceId}
      and item_key = any(${[...keys]}) and to_point = ${FOREVER}`.execute(tx);
  return new Map(rows.map(({ item_key, detail }) => [item_key, foldersOf(detail)]));
}

async function isArchive(tx: Tx, resourceId: string): Promise<boolean> {
  const row = await tx.selectFrom('resources').select('kind').where('resource_id', '=', resourceId).executeTakeFirst();
  return row?.kind === 'archive';
}

/** What a segment will change in the counters of an archive; undefined for any other resource. Asked before it is written. */
export async function changesOfArchive(tx: Tx, sourceId: string, segment: CatalogSegment): Promise<ArchiveChanges | undefined> {
  if (!(await isArchive(tx, segment.resourceId))) return undefined;
  return archiveChanges(
    segment,
    await knownFolders(
      tx,
      sourceId,
      segment.put.map(({ key }) => key),
    ),
  );
}

/** Adds the changes to the counters, in the transaction that writes the segment. */
export async function countArchived(tx: Tx, sourceId: string, segment: CatalogSegment, changes: ArchiveChanges): Promise<void> {
  const { total, received, counted } = changes;
  const times = received.map((at) => at.toISOString());
  await sql`
    insert into archive_mailboxes as known (source_id, messages, attachments, bytes, stored_bytes, oldest_at, newest_at, captured_at)
    select ${sourceId}, ${total.messages}::bigint, ${total.attachments}::bigint, ${total.bytes}::bigint, ${segment.storedBytes}::bigint,
      min(at), max(at), ${segment.committedAt}::timestamptz from unnest(${times}::timestamptz[]) as at
    on conflict (organisation_id, realm, source_id) do update set messages = known.messages + excluded.messages,
      attachments = known.attachments + excluded.attachments, bytes = known.bytes + excluded.bytes,
      stored_bytes = known.stored_bytes + excluded.stored_bytes, oldest_at = least(known.oldest_at, excluded.oldest_at),
      newest_at = greatest(known.newest_at, excluded.newest_at), captured_at = excluded.captured_at`.execute(tx);
  await sql`
    insert into archive_counts as known (source_id, dimension, name, messages, attachments, bytes)
    select ${sourceId}, x.* from unnest(${counted.map((one) => one.dimension)}::text[], ${counted.map((one) => one.name)}::text[],
      ${counted.map((one) => one.figures.messages)}::bigint[], ${counted.map((one) => one.figures.attachments)}::bigint[],
      ${counted.map((one) => one.figures.bytes)}::bigint[]) as x (dimension, name, messages, attachments, bytes)
    on conflict (organisation_id, realm, source_id, dimension, name) do update set messages = known.messages + excluded.messages,
      attachments = known.attachments + excluded.attachments, bytes = known.bytes + excluded.bytes`.execute(tx);
}
