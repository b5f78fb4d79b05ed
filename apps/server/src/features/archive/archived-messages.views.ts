import type { ArchivedMessage, OpenedMessage } from '@holdfast/contract/archived-messages';
import type { Page } from '@holdfast/contract/paging';
import { FOREVER, type Tx } from '@holdfast/database';
import { sql, type RawBuilder } from 'kysely';
import { likePattern, pageFrom, windowOf } from '../../http/paging.ts';
import type { SearchReach } from '../content-access/index.ts';

/** The archive of a mailbox, where it is stored. */
export interface ArchivePlace {
  readonly locationId: string;
  readonly sourceId: string;
}

/** Which messages of an archive: those that are named, those of a folder, those with words in their subject. */
export interface MessagesWanted {
  readonly messageIds?: readonly string[] | undefined;
  readonly folder?: string | undefined;
  readonly subject?: string | undefined;
}

export interface MessagesQuery extends Omit<MessagesWanted, 'messageIds'> {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** A place of a message as a capture has written it. */
interface StoredPlacement {
  readonly folder?: string;
  readonly providerId?: string;
  readonly capturedAt?: string;
  readonly isRead?: boolean;
  readonly isDraft?: boolean;
  readonly envelope?: Envelope;
  readonly verdicts?: Signatures;
}

type Placement = OpenedMessage['placements'][number];
type Envelope = NonNullable<Placement['envelope']>;
type Signatures = NonNullable<Placement['signatures']>;

interface MessageRow {
  readonly item_key: string;
  readonly name: string;
  readonly size_bytes: number;
  readonly created_at: Date | null;
  readonly modified_at: Date | null;
  readonly sequence: number;
  readonly properties: {
    readonly from?: unknown;
    readonly hasAttachments?: boolean;
    readonly placements?: readonly StoredPlacement[];
  };
}

/** Who sent a message, as the service says it of a recipient. */
function senderOf(from: unknown): string {
  const { emailAddress } = (from ?? {}) as { readonly emailAddress?: { readonly name?: string; readonly address?: string } };
  const { name = '', address = '' } = emailAddress ?? {};
  return name === '' || name === address ? address : address === '' ? name : `${name} <${address}>`;
}

function messageOf({ locationId, sourceId }: ArchivePlace, row: MessageRow): ArchivedMessage {
  const { from, hasAttachments = false, placements = [] } = row.properties;
  return {
    messageId: row.item_key,
    locationId,
    sourceId,
    sequence: row.sequence,
    subject: row.name,
    from: senderOf(from),
    receivedAt: row.modified_at?.toISOString() ?? null,
    sentAt: row.created_at?.toISOString() ?? null,
    sizeBytes: row.size_bytes,
    hasAttachments,
    folders: [...new Set(placements.map(({ folder = '' }) => folder))].sort(),
  };
}

const receivedAt = sql`coalesce(item.modified_at, item.created_at)`;

/** The messages of an archive that its newest point shows, as far as the reader reaches. */
function shown({ sourceId }: ArchivePlace, reach: SearchReach, { messageIds, folder, subject }: MessagesWanted): RawBuilder<unknown> {
  const parts = [
    sql`item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and item.source_id = ${sourceId}`,
    sql`item.kind = 'message' and item.to_point = ${FOREVER} and item.from_point <= point.sequence`,
    reach(receivedAt, sql`item.item_key`),
  ];
  if (messageIds !== undefined) parts.push(sql`item.item_key = any(${[...messageIds]}::text[])`);
  if (subject !== undefined) parts.push(sql`item.name ilike ${likePattern(subject)}`);
  if (folder !== undefined) {
    parts.push(
      sql`exists (select from json_array_elements(item.detail -> 'properties' -> 'placements') place where place ->> 'folder' = ${folder})`,
    );
  }
  return sql`catalog_items item cross join (select max(sequence) as sequence from catalog_points where source_id = ${sourceId}) point
    where ${sql.join(parts, sql` and `)}`;
}

/** A page of an archive, newest first. */
export async function messagesPage(tx: Tx, place: ArchivePlace, reach: SearchReach, query: MessagesQuery): Promise<Page<ArchivedMessage>> {
  const window = windowOf(query);
  const from = shown(place, reach, query);
  const { rows } = await sql<MessageRow>`
    select item.item_key, item.name, item.size_bytes, item.created_at, item.modified_at, point.sequence,
      item.detail -> 'properties' as properties
    from ${from} order by ${receivedAt} desc nulls last, item.item_key limit ${window.limit} offset ${window.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`select count(*)::bigint as total from ${from}`.execute(tx);
  const items = rows.map((row) => messageOf(place, row));
  return pageFrom(items, counted.rows[0]?.total ?? 0, window);
}

/** Messages of an archive as a selection keeps them. */
export function selectedMessages(place: ArchivePlace, reach: SearchReach, wanted: MessagesWanted): RawBuilder<unknown> {
  return sql`(select item.source_id, item.item_key, item.from_point, point.sequence, item.kind, item.name,
      coalesce(${receivedAt}, 'epoch'::timestamptz) as at, item.size_bytes
    from ${shown(place, reach, wanted)})`;
}

/** The holds that keep an archived message: on everything, on the mailbox, on the archive or on what a search finds. Their reasons only for those who may place holds. */
export async function holdsOnMessage(
  tx: Tx,
  { resourceId, key }: { readonly resourceId: string; readonly key: string },
  isTold: boolean,
): Promise<OpenedMessage['holds']> {
  const { rows } = await sql<{ name: string; reason: string; from_at: Date | null; to_at: Date | null }>`
    select holds.name, holds.reason, holds.from_at, holds.to_at from holds
    join resources archive on archive.organisation_id = holds.organisation_id and archive.realm = holds.realm
      and archive.tenant_id = holds.tenant_id and archive.resource_id = ${resourceId}
    where holds.released_at is null and case when holds.search_query is not null then exists (select from hold_hits hit
        join catalog_sources source using (organisation_id, realm, source_id)
        where hit.hold_id = holds.hold_id and source.resource_id = archive.resource_id and hit.item_key = ${key})
      else (holds.resource_id is null or holds.resource_id in (select named.resource_id from resources named
      where named.organisation_id = archive.organisation_id and named.realm = archive.realm and named.tenant_id = archive.tenant_id
        and named.graph_id = archive.graph_id and named.kind in ('mailbox', 'archive'))) end
    order by holds.placed_at`.execute(tx);
  return rows.map(({ name, reason, from_at, to_at }) => ({
    name,
    reason: isTold ? reason : null,
    from: from_at?.toISOString() ?? null,
    to: to_at?.toISOString() ?? null,
  }));
}

/** The whole envelopes of a message, by the journal reports that brought it: blind copies included, so for auditors alone. */
export async function wholeEnvelopes(tx: Tx, placements: unknown): Promise<ReadonlyMap<string, Envelope>> {
  const stored = Array.isArray(placements) ? (placements as readonly StoredPlacement[]) : [];
  const reports = stored.flatMap(({ envelope, providerId }) => (envelope === undefined || providerId === undefined ? [] : [providerId]));
  if (reports.length === 0) return new Map();
  const { rows } = await sql<{ item_key: string; envelope: Envelope }>`
    select item.item_key, item.detail -> 'properties' -> 'envelope' as envelope
    from resources journal join catalog_sources source using (organisation_id, realm, resource_id)
    join catalog_items item using (organisation_id, realm, source_id)
    where journal.kind = 'journal' and item.item_key = any(${reports}::text[]) and item.to_point = ${FOREVER}`.execute(tx);
  return new Map(rows.map(({ item_key, envelope }) => [item_key, envelope]));
}

const envelopeOf = ({ sender, recipients }: Envelope): Envelope => ({ sender, recipients });
const signaturesOf = ({ dkim, arc }: Signatures): Signatures => ({ dkim, arc });

function placementOf(stored: StoredPlacement, whole: ReadonlyMap<string, Envelope>): Placement {
  const { folder = '', providerId = '', capturedAt = '', isRead = false, isDraft = false, verdicts } = stored;
  const envelope = whole.get(providerId) ?? stored.envelope;
  return {
    folder,
    providerId,
    capturedAt,
    isRead,
    isDraft,
    ...(envelope === undefined ? {} : { envelope: envelopeOf(envelope) }),
    ...(verdicts === undefined ? {} : { signatures: signaturesOf(verdicts) }),
  };
}

/** The places of a message, the first capture first. */
export function placementsOfMessage(placements: unknown, whole: ReadonlyMap<string, Envelope> = new Map()): OpenedMessage['placements'] {
  const stored = Array.isArray(placements) ? (placements as readonly StoredPlacement[]) : [];
  return stored.map((placement) => placementOf(placement, whole)).sort((a, b) => a.capturedAt.localeCompare(b.capturedAt));
}
