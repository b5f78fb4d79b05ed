import type { StorePatience } from '@holdfast/vault';

/** Which locations are away, and the runs that wait for them. */
export interface StorageOutages {
  /** For the store of a location: it is waited for while a run needs it. */
  patienceOf(locationId: string): StorePatience;
  /** A run needs this location until the returned function is called; `onChange` says when it goes away and when it is back. */
  watch(locationId: string, onChange: (isAway: boolean) => void): () => void;
}

/** A restart of a storage server takes minutes; what takes longer is for people to look at. */
const LONGEST_MS = 15 * 60_000;

interface Place {
  readonly watchers: Set<(isAway: boolean) => void>;
  isAway: boolean;
}

export function createStorageOutages(): StorageOutages {
  const places = new Map<string, Place>();

  function placeOf(locationId: string): Place {
    const known = places.get(locationId);
    if (known) return known;
    const place: Place = { watchers: new Set(), isAway: false };
    places.set(locationId, place);
    return place;
  }

  return Object.freeze<StorageOutages>({
    patienceOf(locationId) {
      return {
        longestMs: () => (placeOf(locationId).watchers.size > 0 ? LONGEST_MS : 0),
        changed(isAway) {
          const place = placeOf(locationId);
          place.isAway = isAway;
          for (const onChange of place.watchers) onChange(isAway);
        },
      };
    },
    watch(locationId, onChange) {
      const { watchers, isAway } = placeOf(locationId);
      // A set of functions of their own: two runs may hand in the same one.
      const watcher = (next: boolean): void => onChange(next);
      watchers.add(watcher);
      if (isAway) watcher(true);
      return () => watchers.delete(watcher);
    },
  });
}
