import type { ProxyAction } from '@holdfast/contract/proxy-rights';
import type { RestoreSettings, RestoreTarget } from '@holdfast/contract/restore';
import type { Tx } from '@holdfast/database';
import type { ContentAccess, ContentAsking, ContentGround } from '../content-access/index.ts';

/** What somebody must be allowed to let content go to a target out of its place. */
export function actionOf(target: RestoreTarget): ProxyAction {
  return target.kind === 'download' ? 'export' : 'restore';
}

/** Whose content a source is; undefined when it is gone. */
export async function resourceOf(tx: Tx, sourceId: string): Promise<string | undefined> {
  const row = await tx.selectFrom('catalog_sources').select('resource_id').where('source_id', '=', sourceId).executeTakeFirst();
  return row?.resource_id;
}

/** Whose content leaves its place, and why it may. */
export interface Leave {
  readonly resourceId: string;
  readonly ground: ContentGround;
}

/** Refuses whoever may not let this content leave its place: as a download, or to somebody else. Nothing is refused of a source that is gone. */
export async function requireLeave(
  tx: Tx,
  access: ContentAccess,
  asking: ContentAsking,
  { sourceId, items, target }: Pick<RestoreSettings, 'sourceId' | 'items' | 'target'>,
): Promise<Leave | undefined> {
  const resourceId = await resourceOf(tx, sourceId);
  if (resourceId === undefined) return undefined;
  return { resourceId, ground: await access.require(tx, asking, { action: actionOf(target), resourceId, items }) };
}
