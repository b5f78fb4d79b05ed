import type { Reconstructed } from '../mail-file.ts';
import { numberOf, MAPI, timeOf, type MapiItem } from './mapi-item.ts';
import { jsonOfItem } from './mapi-json.ts';
import { mimeOfItem } from './mapi-mime.ts';
import type { PropertyNames } from './property-names.ts';

/** A message that was made of an item of Outlook, with what the item was. */
export interface OutlookMessage {
  readonly bytes: Buffer;
  readonly reconstructed: Reconstructed;
}

const READ = 1;
const UNSENT = 8;

/** Makes a message of an item; undefined where it would be larger than a message may be. */
export async function messageOfItem(item: MapiItem, names: PropertyNames, limit: number): Promise<OutlookMessage | undefined> {
  const bytes = await mimeOfItem(item, limit);
  if (!bytes) return undefined;
  const flags = numberOf(item.properties, MAPI.flags) ?? 0;
  const received = timeOf(item.properties, MAPI.deliveryTime);
  return {
    bytes,
    reconstructed: {
      properties: jsonOfItem(item, names),
      ...(received ? { receivedAt: received.toISOString() } : {}),
      isRead: (flags & READ) !== 0,
      isDraft: (flags & UNSENT) !== 0,
    },
  };
}
