import type { Database, Scope, Tx } from '@holdfast/database';
import type { ArchiveSource, CapturePlace, FolderNode, StoredMessage } from '@holdfast/engine';
import { sql, type RawBuilder } from 'kysely';
import { versionOf } from '../../storage/index.ts';

/** A backup of a mailbox, in whichever location of the tenant it is. */
export interface BackedUpMailbox extends Omit<ArchiveSource, 'read'> {
  readonly locationId: string;
}

/** A mailbox that has left Microsoft 365 or was never there for the archive to see. */
export interface KnownMailbox {
  readonly graphId: string;
  readonly name: string;
  readonly address: string;
  readonly isArchived: boolean;
}

/** The archive of a mailbox in a location. */
interface ArchivePlace {
  readonly tenantId: string;
  readonly graphId: string;
  readonly locationId: string;
}

/** What backups stored of mailboxes, as a capture reads it. */
export interface ArchiveSourcesStore {
  of(scope: Scope, mailbox: ArchivePlace): Promise<readonly BackedUpMailbox[]>;
  /** Why backups have nothing of a mailbox, where they said so: there is none, or it may not be opened. */
  whyNone(scope: Scope, tenantId: string, graphId: string): Promise<string | undefined>;
  /** Mailboxes with a backup that the directory has no more. */
  gone(scope: Scope, tenantId: string): Promise<readonly KnownMailbox[]>;
}

const PAGE = 500;

interface FolderRow {
  readonly item_key: string;
  readonly parent_key: string | null;
  readonly name: string;
  readonly detail: { readonly properties: { readonly wellKnown?: string } };
}

/** The newest version of every mail folder of a backup, those that were deleted included. */
export async function readFolders(tx: Tx, sourceId: string): Promise<ReadonlyMap<string, FolderNode>> {
  const { rows } = await sql<FolderRow>`
    select distinct on (item_key) item_key, parent_key, name, detail from catalog_items
    where organisation_id = holdfast.organisation() and realm = holdfast.realm() and source_id = ${sourceId} and kind = 'mailFolder'
    order by item_key, from_point desc`.execute(tx);
  const keys = new Set(rows.map(({ item_key }) => item_key));
  return new Map(
    rows.map(({ item_key: id, parent_key, name, detail }) => {
      const { wellKnown } = detail.properties;
      // Above the outermost folder is an area, which is no place that people name.
      const parentId = parent_key !== null && keys.has(parent_key) ? parent_key : null;
      return [id, { id, name, parentId, ...(wellKnown === undefined ? {} : { wellKnown }) }];
    }),
  );
}

const isAny = sql`true`;

/** Whether a message is one that the archive was found not to have. */
const isMissedBy = (archiveId: string): RawBuilder<unknown> => sql`exists (
  select from json_array_elements(detail -> 'contents') content join archive_gaps gap on gap.message_key = content #>> '{ref,sha256}'
  where content ->> 'role' = 'mime' and gap.source_id = ${archiveId} and gap.reason = 'missing')`;

async function readMessages(
  tx: Tx,
  sourceId: string,
  isWanted: RawBuilder<unknown>,
  after: CapturePlace | undefined,
): Promise<StoredMessage[]> {
  const isAfter = after ? sql`(from_point, item_key) > (${after.sequence}::bigint, ${after.key})` : isAny;
  const { rows } = await sql<Parameters<typeof versionOf>[0] & { from_point: number }>`
    select item_key, parent_key, kind, name, size_bytes, detail, from_point from catalog_items
    where organisation_id = holdfast.organisation() and realm = holdfast.realm() and source_id = ${sourceId} and kind = 'message'
      and ${isAfter} and ${isWanted}
    order by from_point, item_key limit ${PAGE}`.execute(tx);
  return rows.map((row) => ({ message: versionOf(row), sequence: row.from_point }));
}

interface BackupRow {
  readonly source_id: string;
  readonly location_id: string;
  readonly head_sequence: number;
}

/** The archive that reads a backup; `hasGaps` where it was found not to have something. */
interface ReadingArchive {
  readonly source_id: string;
  readonly has_gaps: boolean;
}

function backedUp(database: Database, scope: Scope, row: BackupRow, archive: ReadingArchive | undefined): BackedUpMailbox {
  const { source_id: id } = row;
  async function* pages(
    isWanted: RawBuilder<unknown>,
    first: CapturePlace | undefined,
  ): AsyncGenerator<readonly StoredMessage[], void, undefined> {
    for (let after = first; ;) {
      const from = after;
      const page = await database.within(scope, (tx) => readMessages(tx, id, isWanted, from));
      const last = page.at(-1);
      if (!last) return;
      yield page;
      after = { sequence: last.sequence, key: last.message.key };
    }
  }
  return {
    id,
    locationId: row.location_id,
    headSequence: row.head_sequence,
    folders: () => database.within(scope, (tx) => readFolders(tx, id)),
    messages: (first) => pages(isAny, first),
    async *missed() {
      if (archive?.has_gaps === true) yield* pages(isMissedBy(archive.source_id), undefined);
    },
  };
}

/** The backups of a mailbox, in every location. */
export async function backupsOf(tx: Tx, { tenantId, graphId }: Pick<ArchivePlace, 'tenantId' | 'graphId'>): Promise<readonly BackupRow[]> {
  const { rows } = await sql<BackupRow>`
    select source.source_id, source.location_id, source.head_sequence
    from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
    where resource.tenant_id = ${tenantId} and resource.kind = 'mailbox' and resource.graph_id = ${graphId}
    order by source.source_id`.execute(tx);
  return rows;
}

async function readingArchive(tx: Tx, { tenantId, graphId, locationId }: ArchivePlace): Promise<ReadingArchive | undefined> {
  const { rows } = await sql<ReadingArchive>`
    select source.source_id, exists (select from archive_gaps gap where gap.source_id = source.source_id and gap.reason = 'missing') as has_gaps
    from catalog_sources source join resources resource using (organisation_id, realm, resource_id)
    where resource.tenant_id = ${tenantId} and resource.kind = 'archive' and resource.graph_id = ${graphId}
      and source.location_id = ${locationId}`.execute(tx);
  return rows[0];
}

export function createArchiveSourcesStore(database: Database): ArchiveSourcesStore {
  return Object.freeze<ArchiveSourcesStore>({
    of: (scope, mailbox) =>
      database.within(scope, async (tx) => {
        const archive = await readingArchive(tx, mailbox);
        return (await backupsOf(tx, mailbox)).map((row) => backedUp(database, scope, row, archive));
      }),
    whyNone: (scope, tenantId, graphId) =>
      database.within(scope, async (tx) => {
        const row = await tx
          .selectFrom('resources')
          .select('last_code')
          .where('tenant_id', '=', tenantId)
          .where('kind', '=', 'mailbox')
          .where('graph_id', '=', graphId)
          .where('last_status', '=', 'excluded')
          .executeTakeFirst();
        return row?.last_code ?? undefined;
      }),
    gone: (scope, tenantId) =>
      database.within(scope, async (tx) => {
        const { rows } = await sql<{ graph_id: string; name: string; address: string; is_archived: boolean }>`
          select resource.graph_id, resource.name, resource.address, exists (select from resources archive
            where archive.tenant_id = resource.tenant_id and archive.kind = 'archive' and archive.graph_id = resource.graph_id) as is_archived
          from resources resource
          where resource.tenant_id = ${tenantId} and resource.kind = 'mailbox' and resource.deleted_at is not null
            and exists (select from catalog_sources source where source.resource_id = resource.resource_id)
          order by resource.graph_id`.execute(tx);
        return rows.map(({ graph_id: graphId, is_archived: isArchived, ...named }) => ({ graphId, isArchived, ...named }));
      }),
  });
}
