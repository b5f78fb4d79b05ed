import type { Tx } from '@holdfast/database';
import type { PointHold } from '@holdfast/engine';
import type { Keeper, ListedPlace } from './deletion-list.ts';
import { heldHere, policedHere } from './kept-items.views.ts';

interface KeepingPolicy {
  readonly name: string;
  readonly until: Date | null;
}

interface KeptMessages {
  readonly resourceId: string;
  readonly messageIds: readonly string[];
  readonly latestMs?: number;
}

/** What people have ordered to be kept, asked in the transaction that deletes: nothing can join it before that has ended. */
export interface ArchiveKeepers {
  /** The names of the holds on a mailbox or its archive. */
  holds(tx: Tx, resourceId: string): Promise<readonly string[]>;
  /** The policies that keep messages of an archive, by message. */
  policies(tx: Tx, messages: KeptMessages): Promise<ReadonlyMap<string, readonly KeepingPolicy[]>>;
}

/** The same of files and of everything else that is backed up. */
export interface DeletionKeepers extends ArchiveKeepers {
  /** The holds on a resource in a location; those on single items name the restore points that these need. */
  holdsWithin(tx: Tx, place: Pick<ListedPlace, 'resourceId' | 'locationId'>): Promise<readonly PointHold[]>;
  /** The policies that will keep messages of the backup of a mailbox, by message, once an archive run has taken these in. */
  policiesOfAwaited(tx: Tx, messages: KeptMessages): Promise<ReadonlyMap<string, readonly KeepingPolicy[]>>;
  /** The policies that keep a file. */
  policiesOfFile(
    tx: Tx,
    file: { readonly resourceId: string; readonly itemKey: string; readonly latestMs?: number },
  ): Promise<readonly KeepingPolicy[]>;
}

/** Some items of a place, and until when time is believed to have run. */
export interface ItemsToGo {
  readonly place: ListedPlace;
  readonly keys: readonly string[];
  readonly latestMs?: number;
}

type Kept = ReadonlyMap<string, readonly Keeper[]>;

const minimumOf = ({ name, until }: KeepingPolicy): Keeper => ({ kind: 'minimum', name, until: until?.toISOString() ?? null });
const holdOf = (name: string): Keeper => ({ kind: 'hold', name, until: null });
const withoutFree = (kept: Iterable<readonly [string, readonly Keeper[]]>): Kept => new Map([...kept].filter(([, by]) => by.length > 0));

/** What keeps each of some messages of a mailbox; those that nothing keeps are absent. A hold keeps all of them. */
export async function keepersOf(keepers: ArchiveKeepers, tx: Tx, messages: KeptMessages): Promise<Kept> {
  const holds = (await keepers.holds(tx, messages.resourceId)).map(holdOf);
  const policies = await keepers.policies(tx, messages);
  return withoutFree(messages.messageIds.map((id) => [id, [...holds, ...(policies.get(id) ?? []).map(minimumOf)]] as const));
}

/** Of a OneDrive, a site, a team or a chat: holds and policies are on everything, or on some files and folders. */
async function keepersOfFiles(keepers: DeletionKeepers, tx: Tx, { place, keys, latestMs }: ItemsToGo): Promise<Kept> {
  const held = await heldHere(tx, { place, keys, holds: await keepers.holdsWithin(tx, place) });
  const policed = await policedHere(tx, { place, keys, nowMs: latestMs });
  const kept: [string, readonly Keeper[]][] = [];
  for (const key of keys) {
    const file = { resourceId: place.resourceId, itemKey: key, ...(latestMs === undefined ? {} : { latestMs }) };
    const policies = policed.has(key) ? await keepers.policiesOfFile(tx, file) : [];
    kept.push([key, [...(held.get(key) ?? []).map(holdOf), ...policies.map(minimumOf)]]);
  }
  return withoutFree(kept);
}

/**
 * What keeps each of some items of a place. Policies on messages are on archives: of the backup of a mailbox they keep what its archive has
 * yet to take in. Otherwise the order of two runs would decide whether a message is kept.
 */
export async function keepersOfItems(keepers: DeletionKeepers, tx: Tx, items: ItemsToGo): Promise<Kept> {
  const { place, keys: messageIds, latestMs } = items;
  const messages = { resourceId: place.resourceId, messageIds, ...(latestMs === undefined ? {} : { latestMs }) };
  if (place.kind === 'archive') return keepersOf(keepers, tx, messages);
  if (place.kind === 'mailbox') return keepersOf({ ...keepers, policies: (...asked) => keepers.policiesOfAwaited(...asked) }, tx, messages);
  return keepersOfFiles(keepers, tx, items);
}
