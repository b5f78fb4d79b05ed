import type { Tx } from '@holdfast/database';
import { archiveExclusion, type Selections } from '@holdfast/engine';
import { sql } from 'kysely';
import { erasedAmong } from '../../storage/index.ts';
import { selectionOf, sourceWithoutExempt } from './archive-mailboxes.ts';
import { readFolders } from './archive-sources.store.ts';
import { archiveJobs, type ArchiveJob } from './awaited-points.store.ts';

interface Mailbox {
  readonly tenant_id: string;
  readonly graph_id: string;
  readonly archive_id: string | null;
}

/** A version of a message with its original. */
interface StoredVersion {
  readonly source_id: string;
  readonly item_key: string;
  readonly parent_key: string | null;
  readonly hash: string;
  readonly is_archived: boolean;
}

/**
 * Whether a job may cover a mailbox, as far as the database can tell. Only Microsoft 365 knows the members of groups: whom a group
 * may choose is covered, and whom one may exclude is covered too, since what is kept for too long is not lost.
 */
function mayCover({ body }: ArchiveJob, graphId: string): boolean {
  const { everyone, users, groups, excluded } = sourceWithoutExempt(body);
  if (excluded.some(({ id }) => id === graphId)) return false;
  return everyone || groups.length > 0 || users.some(({ id }) => id === graphId);
}

async function mailboxOf(tx: Tx, resourceId: string): Promise<Mailbox | undefined> {
  const { rows } = await sql<Mailbox>`
    select mailbox.tenant_id, mailbox.graph_id, archive.resource_id as archive_id from resources mailbox
    left join resources archive on archive.tenant_id = mailbox.tenant_id and archive.graph_id = mailbox.graph_id and archive.kind = 'archive'
    where mailbox.resource_id = ${resourceId} and mailbox.kind = 'mailbox'`.execute(tx);
  return rows[0];
}

/** The versions that a backup has of some messages, and whether the archive has the same bytes. */
async function versionsOf(tx: Tx, resourceId: string, { archive_id }: Mailbox, keys: readonly string[]): Promise<readonly StoredVersion[]> {
  const { rows } = await sql<StoredVersion>`
    select item.source_id, item.item_key, item.parent_key, mime.hash, exists (
      select from catalog_sources place join catalog_items kept on kept.organisation_id = place.organisation_id and kept.realm = place.realm
        and kept.source_id = place.source_id where place.resource_id = ${archive_id}::uuid and kept.item_key = mime.hash) as is_archived
    from catalog_items item
    cross join lateral (select content #>> '{ref,sha256}' as hash from json_array_elements(item.detail -> 'contents') content
      where content ->> 'role' = 'mime' limit 1) mime
    where item.organisation_id = holdfast.organisation() and item.realm = holdfast.realm() and item.kind = 'message'
      and item.source_id in (select source_id from catalog_sources where resource_id = ${resourceId})
      and item.item_key = any(${[...keys]})`.execute(tx);
  return rows;
}

/** Of versions that no archive has those in folders that a job takes. */
async function takenBy(tx: Tx, jobs: readonly ArchiveJob[], versions: readonly StoredVersion[]): Promise<readonly StoredVersion[]> {
  const taken: StoredVersion[] = [];
  for (const [sourceId, own] of Map.groupBy(versions, (version) => version.source_id)) {
    const folders = await readFolders(tx, sourceId);
    const exclusions = jobs.map(({ body }) => archiveExclusion([selectionOf(body)] satisfies Selections, folders));
    taken.push(...own.filter(({ parent_key }) => exclusions.some((isExcluded) => !isExcluded(parent_key))));
  }
  return taken;
}

/**
 * Of some messages in the backup of a mailbox those that archive jobs have yet to take in: of a version in a folder that a job takes,
 * no archive of this mailbox has the bytes, and nobody has erased them. Every archive job counts that exists: one without a schedule
 * is started by hand.
 */
export async function awaitedAmong(tx: Tx, resourceId: string, keys: readonly string[]): Promise<readonly string[]> {
  const mailbox = await mailboxOf(tx, resourceId);
  if (!mailbox) return [];
  const jobs = (await archiveJobs(tx, mailbox.tenant_id)).filter((job) => mayCover(job, mailbox.graph_id));
  if (jobs.length === 0) return [];
  const stored = (await versionsOf(tx, resourceId, mailbox, keys)).filter((version) => !version.is_archived);
  const hashes = stored.map(({ hash }) => hash);
  const erased = mailbox.archive_id === null ? new Set<string>() : await erasedAmong(tx, mailbox.archive_id, hashes);
  const taken = await takenBy(
    tx,
    jobs,
    stored.filter(({ hash }) => !erased.has(hash)),
  );
  return [...new Set(taken.map((version) => version.item_key))];
}
