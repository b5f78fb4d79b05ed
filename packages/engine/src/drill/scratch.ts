import type { Clock } from '@holdfast/foundation/clock';
import { crashPoint } from '@holdfast/foundation/crash-point';
import type { GraphClient } from '@holdfast/m365';
import type { ItemKind, Resource } from '../ports/item.ts';
import { unlessGone } from '../restore/attempt.ts';
import { besideEnding, besidePrefix } from '../restore/beside.ts';
import { channelEnding } from '../restore/teams/channel-names.ts';
import { driveIdOf } from '../workloads/drives/drive-item.ts';

/** Something that a drill has made and could not take away. */
export interface Remainder {
  readonly kind: ItemKind;
  readonly path: string;
}

/** Where a drill puts its copies: everything of this folder's name is its own, for no other run has the name. */
export interface Scratch {
  readonly target: Resource;
  readonly folder: string;
  /** What kinds it puts there. */
  readonly kinds: readonly ItemKind[];
}

/** Something at the target whose name tells that it is a drill's. */
interface Found {
  readonly kind: ItemKind;
  readonly path: string;
  /** Absent where no call of ours takes it away. */
  readonly remove?: () => Promise<void>;
}

/** How long the copies of a drill that was stopped are still taken away. */
const CLEAR_MS = 60_000;

/** Those of a list whose name tells that they are the drill's. */
async function* named<Thing>(
  list: AsyncIterable<Thing>,
  nameOf: (thing: Thing) => string | null | undefined,
  isOwn: (name: string) => boolean,
): AsyncGenerator<{ readonly thing: Thing; readonly path: string }> {
  for await (const thing of list) {
    const path = nameOf(thing) ?? '';
    if (isOwn(path)) yield { thing, path };
  }
}

type Places = Readonly<Partial<Record<ItemKind, () => AsyncGenerator<Found>>>>;

function placesInMailbox({ exchange }: GraphClient, { target, folder }: Scratch): Places {
  const { mail, contacts, calendar, todo } = exchange;
  const userId = target.graphId;
  const isFolder = (name: string): boolean => name === folder;
  const isBesideIt = (name: string): boolean => name.endsWith(besideEnding(folder));
  return {
    async *message() {
      for await (const { thing, path } of named(mail.folders({ userId }), (one) => one.displayName, isFolder))
        yield { kind: 'mailFolder', path, remove: () => mail.permanentlyDeleteFolder({ userId, folderId: thing.id }) };
    },
    async *contact() {
      for await (const { thing, path } of named(contacts.contactFolders({ userId }), (one) => one.displayName, isFolder))
        yield { kind: 'contactFolder', path, remove: () => contacts.permanentlyDeleteContactFolder({ userId, folderId: thing.id }) };
    },
    async *event() {
      for await (const { thing, path } of named(calendar.calendars({ userId }), (one) => one.name, isBesideIt))
        yield { kind: 'calendar', path, remove: () => calendar.permanentlyDeleteCalendar({ userId, calendarId: thing.id }) };
    },
    async *task() {
      for await (const { thing, path } of named(todo.lists({ userId }), (one) => one.displayName, isBesideIt))
        yield { kind: 'taskList', path, remove: () => todo.deleteList({ userId, listId: thing.id }) };
    },
  };
}

async function* inDrive({ drives }: GraphClient, driveId: string, folder: string): AsyncGenerator<Found> {
  const found = await drives.itemByPath({ driveId }, folder);
  if (found) yield { kind: 'folder', path: folder, remove: () => drives.permanentlyDeleteItem({ driveId, itemId: found.id }) };
}

/** Lists and pages are only named: no call of ours deletes one. */
function placesInSite(graph: GraphClient, { target, folder }: Scratch): Places {
  const siteId = target.graphId;
  return {
    async *file() {
      for await (const { id } of graph.drives.siteDrives({ siteId })) yield* inDrive(graph, id, folder);
    },
    async *listItem() {
      const lists = named(
        graph.sites.lists({ siteId }),
        (one) => one.displayName,
        (name) => name.endsWith(besideEnding(folder)),
      );
      for await (const { path } of lists) yield { kind: 'list', path };
    },
    async *page() {
      const pages = named(
        graph.sites.pages({ siteId }),
        (one) => one.name,
        (name) => name.startsWith(besidePrefix(folder)),
      );
      for await (const { path } of pages) yield { kind: 'page', path };
    },
  };
}

async function* inTeam({ teams }: GraphClient, { target, folder }: Scratch): AsyncGenerator<Found> {
  const ending = channelEnding(folder);
  const channels = named(
    teams.channels({ teamId: target.graphId }),
    (one) => one.displayName,
    (name) => name.endsWith(ending),
  );
  for await (const { path } of channels) yield { kind: 'channel', path };
}

async function* inPlaces(places: Places, kinds: readonly ItemKind[]): AsyncGenerator<Found> {
  for (const kind of kinds) yield* places[kind]?.() ?? [];
}

async function* everything(graph: GraphClient, scratch: Scratch): AsyncGenerator<Found> {
  const { kind } = scratch.target;
  if (kind === 'mailbox') yield* inPlaces(placesInMailbox(graph, scratch), scratch.kinds);
  if (kind === 'drive') yield* inDrive(graph, await driveIdOf(graph, scratch.target), scratch.folder);
  if (kind === 'site') yield* inPlaces(placesInSite(graph, scratch), scratch.kinds);
  if (kind === 'team') yield* inTeam(graph, scratch);
}

/**
 * Takes away what a drill has put beside what is there, and says what it could not. It comes to its end also when the
 * drill was stopped, and finds what a worker that died has left: it goes by the name of the drill's folder alone.
 */
export async function clearScratch(
  { graph: client, clock }: { readonly graph: GraphClient; readonly clock: Clock },
  scratch: Scratch,
): Promise<readonly Remainder[]> {
  await crashPoint('drill.clearing');
  const late = new AbortController();
  const stop = clock.after(CLEAR_MS, () => late.abort());
  const graph = client.with({ priority: 'restore', signal: late.signal });
  const remains: Remainder[] = [];
  try {
    for (const { kind, path, remove } of await Array.fromAsync(everything(graph, scratch))) {
      if (!remove) remains.push({ kind, path });
      else await unlessGone(remove).catch(() => remains.push({ kind, path }));
    }
  } catch {
    remains.push({ kind: 'folder', path: scratch.folder });
  } finally {
    stop();
  }
  return remains;
}
