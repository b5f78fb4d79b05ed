import type { Tx } from '@holdfast/database';
import { keepersOf, type ArchiveKeepers } from './keepers.ts';
import { listedPages, noteStates, placesOf, sourcesIn, versionsNow, type ListedState } from './listed-messages.store.ts';

/** Looks at every message of a list: whether it is still in the archive, in which version, and which holds and minimums keep it now. */
export async function previewList(tx: Tx, keepers: ArchiveKeepers, deletionId: string): Promise<void> {
  for (const place of await placesOf(tx, deletionId)) {
    const sources = await sourcesIn(tx, place);
    for await (const page of listedPages(tx, deletionId, place)) {
      const messageIds = page.map(({ key }) => key);
      const now = await versionsNow(tx, sources, messageIds);
      const kept = await keepersOf(keepers, tx, { resourceId: place.resourceId, messageIds });
      const states = messageIds.map((key): ListedState => {
        const fromPoint = now.get(key);
        if (fromPoint === undefined) return { key, state: 'gone', keepers: [] };
        const keeping = kept.get(key) ?? [];
        return { key, state: keeping.length > 0 ? 'kept' : 'listed', keepers: keeping, fromPoint };
      });
      await noteStates(tx, deletionId, place, states);
    }
  }
}
