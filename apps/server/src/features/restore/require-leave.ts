import type { RestoreSettings } from '@holdfast/contract/restore';
import type { Tx } from '@holdfast/database';
import type { ContentAccess, ContentAsking } from '../content-access/index.ts';

/** Refuses whoever may not let this content leave its place: as a download, or to somebody else. Nothing is refused of a source that is gone. */
export async function requireLeave(
  tx: Tx,
  access: ContentAccess,
  asking: ContentAsking,
  { sourceId, items, target }: Pick<RestoreSettings, 'sourceId' | 'items' | 'target'>,
): Promise<void> {
  const source = await tx.selectFrom('catalog_sources').select('resource_id').where('source_id', '=', sourceId).executeTakeFirst();
  if (!source) return;
  const action = target.kind === 'download' ? 'export' : 'restore';
  await access.require(tx, asking, { action, resourceId: source.resource_id, items });
}
