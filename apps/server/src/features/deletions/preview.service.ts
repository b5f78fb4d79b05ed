import type { Tx } from '@holdfast/database';
import { keepersOf, type ArchiveKeepers } from './keepers.ts';
import { listedAfter, noteStates, placesOf, renewList } from './listed-messages.store.ts';

const BATCH = 1_000;

/** Looks at every message of a list: whether it is still in the archive, and which holds and minimums keep it now. */
export async function previewList(tx: Tx, keepers: ArchiveKeepers, deletionId: string): Promise<void> {
  await renewList(tx, deletionId);
  for (const place of await placesOf(tx, deletionId)) {
    for (let after = ''; ;) {
      const messageIds = await listedAfter(tx, deletionId, place, { after, limit: BATCH });
      const last = messageIds.at(-1);
      if (last === undefined) break;
      const kept = await keepersOf(keepers, tx, { resourceId: place.resourceId, messageIds });
      const states = messageIds
        .filter((key) => kept.has(key))
        .map((key) => ({ key, state: 'kept' as const, keepers: kept.get(key) ?? [] }));
      await noteStates(tx, deletionId, place, states);
      after = last;
    }
  }
}
