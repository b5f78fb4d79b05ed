import type { Tx } from '@holdfast/database';
import type { ListedState } from './deletion-list.ts';
import { keepersOfItems, type DeletionKeepers } from './keepers.ts';
import { listedPages, newestVersions, noteStates, placesOf, sourcesIn } from './listed-messages.store.ts';

/** Looks at every item of a list: whether it is still kept, in which version, and which holds and minimums keep it now. */
export async function previewList(tx: Tx, keepers: DeletionKeepers, deletionId: string): Promise<void> {
  for (const place of await placesOf(tx, deletionId)) {
    const sources = await sourcesIn(tx, place);
    for await (const page of listedPages(tx, deletionId, place)) {
      const keys = page.map(({ key }) => key);
      const now = await newestVersions(tx, sources, keys);
      const kept = await keepersOfItems(keepers, tx, { place, keys });
      const states = keys.map((key): ListedState => {
        const fromPoint = now.get(key);
        if (fromPoint === undefined) return { key, state: 'gone', keepers: [] };
        const keeping = kept.get(key) ?? [];
        return { key, state: keeping.length > 0 ? 'kept' : 'listed', keepers: keeping, fromPoint };
      });
      await noteStates(tx, deletionId, place, states);
    }
  }
}
