import type { Positions } from '../state/feed.ts';
import type { FolderRecord, MessageRecord } from './mailbox-state.ts';

/** How many of the first `count` positions, newest first, are younger than `receivedMs`: by halving. */
function rankOf(feed: Positions<MessageRecord>, count: number, isYounger: (position: number) => boolean): number {
  let low = 0;
  let high = Math.min(count, feed.size);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isYounger(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The messages of a folder by the time they came. Generated ones lie newest first already; those that came later are
 * sorted and put in between, so that a page costs the same wherever it is.
 */
export function byReceived(
  feed: Positions<MessageRecord>,
  folder: FolderRecord,
  generatedMs: (position: number) => number,
): Positions<MessageRecord> {
  const { generated } = folder;
  const later: { readonly receivedMs: number; readonly position: number }[] = [];
  for (let position = generated; position < feed.size; position += 1) {
    const message = feed.at(position);
    if (message) later.push({ receivedMs: message.receivedMs, position });
  }
  if (later.length === 0) return { size: generated, at: (position) => feed.at(position) };
  later.sort((a, b) => b.receivedMs - a.receivedMs);
  // Where each of them stands in the whole: those before it, generated and not.
  const places = later.map((entry, index) => index + rankOf(feed, generated, (position) => generatedMs(position) > entry.receivedMs));
  return {
    size: generated + later.length,
    at(position) {
      let low = 0;
      let high = places.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((places[middle] ?? Infinity) <= position) low = middle + 1;
        else high = middle;
      }
      if (low > 0 && places[low - 1] === position) return feed.at(later[low - 1]?.position ?? -1);
      return feed.at(position - low);
    },
  };
}

/** The same from the last to the first. */
export function backwards<Item>(items: Positions<Item>): Positions<Item> {
  return { size: items.size, at: (position) => items.at(items.size - 1 - position) };
}
