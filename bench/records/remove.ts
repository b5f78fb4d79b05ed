import type { DeletionDetails } from '@holdfast/contract/deletions';
import { pause } from '../archive/ground.ts';
import { seconds, secondsOfRun } from './ask.ts';
import type { RecordsGround } from './ground.ts';

/** The archived mailboxes by how many messages they have, the fullest first. */
async function archives({
  administrator: { query },
}: RecordsGround): Promise<readonly { readonly sourceId: string; readonly mailboxId: string }[]> {
  const rows = await query(`select source.source_id, source.resource_id from catalog_sources source
    join resources resource using (organisation_id, realm, resource_id) where resource.kind = 'archive' order by source.items desc, 1`);
  return rows.map((row) => ({ sourceId: String(row['source_id']), mailboxId: String(row['resource_id']) }));
}

async function ended({ api, at }: RecordsGround, deletionId: string): Promise<DeletionDetails> {
  for (;;) {
    const found = await api.get<DeletionDetails>(`${at}/archive/deletions/${deletionId}`);
    if (found.state === 'finished' || found.state === 'failed') return found;
    await pause();
  }
}

/**
 * Messages a second that a deletion of a whole archive erases with tombstones: asked for, approved by a second person, past its
 * quarantine, and run. The work counts from the start of the run to its end. Beside it how fast PostgreSQL alone deletes as many rows.
 */
export async function measureDeletion(
  ground: RecordsGround,
): Promise<{ readonly deletionsPerSecond: number; readonly sqlPerSecond: number }> {
  const { api, second, at, administrator } = ground;
  const [archive, other] = await archives(ground);
  if (!archive || !other) throw new Error('There are no archives.');
  const chosen = { reason: 'Benchmark' };
  const { selectionId } = await api.post<{ selectionId: string }>(`${at}/archive/mailboxes/${archive.mailboxId}/selections`, chosen);
  const asked = { selectionId, basis: 'mistake', reason: 'Benchmark' };
  const { deletionId } = await api.post<DeletionDetails>(`${at}/archive/deletions`, asked);
  await api.post(`${at}/archive/deletions/${deletionId}/request`, {});
  const { approval } = await api.get<DeletionDetails>(`${at}/archive/deletions/${deletionId}`);
  await second.post(`${at}/approvals/${approval?.approvalId}/approve`, {});
  // The quarantine takes a day: the row says that it is over, and the scheduler starts the run.
  await administrator.query(`update message_deletions set due_at = now() - interval '1 hour' where deletion_id = $1`, [deletionId]);
  const done = await ended(ground, deletionId);
  const [tombstones] = await administrator.query('select count(*)::int as count from tombstones where deletion_id = $1', [deletionId]);
  if (done.state !== 'finished' || tombstones?.['count'] === 0) throw new Error(`The deletion ended ${done.state}.`);
  const taken = await secondsOfRun(ground, done.runId);
  return {
    deletionsPerSecond: Math.round(Number(tombstones?.['count']) / taken),
    sqlPerSecond: await plainDeletes(ground, other.sourceId),
  };
}

/** Rows of the catalog and of the index of words that PostgreSQL deletes a second, message by message; all of it is undone. */
async function plainDeletes({ administrator: { query } }: RecordsGround, sourceId: string): Promise<number> {
  const [{ count } = { count: 0 }] = await query(
    `select count(*)::int as count from catalog_items where source_id = '${sourceId}' and kind = 'message'`,
  );
  const began = performance.now();
  await query(`begin;
    delete from search_words where item_no in (select item_no from search_items where source_id = '${sourceId}');
    delete from search_items where source_id = '${sourceId}';
    delete from catalog_items where source_id = '${sourceId}' and kind = 'message';
    rollback`);
  return Math.round(Number(count) / seconds(began, 4));
}
