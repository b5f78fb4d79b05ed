import type { Clock } from '@holdfast/foundation/clock';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { isAppError } from '@holdfast/foundation/errors';
import type { GraphClient } from '@holdfast/m365';
import type { ItemKind, Resource } from '../ports/item.ts';
import { unlessGone } from '../restore/attempt.ts';
import { besideEnding, besidePrefix } from '../restore/beside.ts';
import { channelEnding } from '../restore/teams/channel-names.ts';
import { driveIdOf } from '../workloads/drives/drive-item.ts';

/** Why something is still there: nobody let it be taken away, or Microsoft 365 keeps what was deleted for a time. */
export type RemainderCode = 'drill.copies-remain' | 'drill.in-recycle-bin' | 'drill.deleted-channel';

/** Something that a drill has made and that is not gone altogether. */
export interface Remainder {
  readonly kind: ItemKind;
  readonly path: string;
  readonly code: RemainderCode;
  /** Why it could not be taken away, as the service said it. */
  readonly because?: string;
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
  readonly remove: () => Promise<void>;
  /** What is left when it was removed: absent where it is gone for good. */
  readonly leaves?: RemainderCode;
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

/** Whether a name is that of something that came beside one of its name. */
const besideIn =
  (folder: string) =>
  (name: string): boolean =>
    name.endsWith(besideEnding(folder));

type Places = Readonly<Partial<Record<ItemKind, () => AsyncGenerator<Found>>>>;

function placesInMailbox({ exchange }: GraphClient, { target, folder }: Scratch): Places {
  const { mail, contacts, calendar, todo } = exchange;
  const userId = target.graphId;
  const isFolder = (name: string): boolean => name === folder;
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
      for await (const { thing, path } of named(calendar.calendars({ userId }), (one) => one.name, besideIn(folder)))
        yield { kind: 'calendar', path, remove: () => calendar.permanentlyDeleteCalendar({ userId, calendarId: thing.id }) };
    },
    async *task() {
      for await (const { thing, path } of named(todo.lists({ userId }), (one) => one.displayName, besideIn(folder)))
        yield { kind: 'taskList', path, remove: () => todo.deleteList({ userId, listId: thing.id }) };
    },
  };
}

async function* inDrive({ drives }: GraphClient, driveId: string, folder: string): AsyncGenerator<Found> {
  const found = await drives.itemByPath({ driveId }, folder);
  if (found) yield { kind: 'folder', path: folder, remove: () => drives.permanentlyDeleteItem({ driveId, itemId: found.id }) };
}

/** Lists, libraries that had to be made, and pages go to the recycle bin of the site: no call deletes them past it. */
function placesInSite(graph: GraphClient, { target, folder }: Scratch): Places {
  const siteId = target.graphId;
  const { sites } = graph;
  async function* lists(isLibrary: boolean): AsyncGenerator<Found> {
    for await (const { thing, path } of named(sites.lists({ siteId }), (one) => one.displayName, besideIn(folder))) {
      if ((thing.list?.template === 'documentLibrary') !== isLibrary) continue;
      const remove = () => sites.deleteList({ siteId, listId: thing.id });
      yield { kind: isLibrary ? 'library' : 'list', path, remove, leaves: 'drill.in-recycle-bin' };
    }
  }
  return {
    async *file() {
      yield* lists(true);
      for await (const { id } of graph.drives.siteDrives({ siteId })) yield* inDrive(graph, id, folder);
    },
    listItem: () => lists(false),
    async *page() {
      const isOwn = (name: string): boolean => name.startsWith(besidePrefix(folder));
      for await (const { thing, path } of named(sites.pages({ siteId }), (one) => one.name, isOwn))
        yield { kind: 'page', path, remove: () => sites.deletePage({ siteId, pageId: thing.id }), leaves: 'drill.in-recycle-bin' };
    },
  };
}

/** A channel can be brought back for 30 days. Its folder of files stays when it goes, so that goes first. */
async function* inTeam({ teams, drives }: GraphClient, { target, folder }: Scratch): AsyncGenerator<Found> {
  const ending = channelEnding(folder);
  const teamId = target.graphId;
  const isOwn = (name: string): boolean => name.endsWith(ending);
  for await (const { thing, path } of named(teams.channels({ teamId }), (one) => one.displayName, isOwn)) {
    const channel = { teamId, channelId: thing.id };
    yield { kind: 'folder', path, remove: () => removeFolderOf(channel) };
    yield { kind: 'channel', path, remove: () => teams.deleteChannel(channel), leaves: 'drill.deleted-channel' };
  }

  async function removeFolderOf(channel: { readonly teamId: string; readonly channelId: string }): Promise<void> {
    const { id: itemId, name, parentReference } = await teams.filesFolder(channel);
    const driveId = parentReference?.driveId;
    if (isOwn(name ?? '') && typeof driveId === 'string') await drives.permanentlyDeleteItem({ driveId, itemId });
  }
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

/** Takes one thing away; answers what is left of it. */
async function takeAway({ kind, path, remove, leaves }: Found): Promise<readonly Remainder[]> {
  try {
    await unlessGone(remove);
    return leaves === undefined ? [] : [{ kind, path, code: leaves }];
  } catch (error) {
    return [{ kind, path, code: 'drill.copies-remain', ...(isAppError(error) ? { because: error.code } : {}) }];
  }
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
    for (const found of await Array.fromAsync(everything(graph, scratch))) remains.push(...(await takeAway(found)));
  } catch {
    remains.push({ kind: 'folder', path: scratch.folder, code: 'drill.copies-remain' });
  } finally {
    stop();
  }
  return remains;
}
