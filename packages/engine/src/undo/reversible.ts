import { isGraphError, type GraphClient } from '@holdfast/m365';
import type { ItemKind, Resource } from '../ports/item.ts';
import type { WrittenThing } from '../restore/request.ts';

/** What is at the target now of something that a restore wrote there. */
export interface Present {
  /** Its state, as the restore noted it. */
  readonly mark: string;
  /** Of a file: what its content is told by. */
  readonly hash?: string | undefined;
}

/** How one kind of thing is looked at and taken away, to where people can get it back from. */
export interface Reversible {
  /** Nothing when it is no longer where the restore put it. */
  find(thing: WrittenThing): Promise<Present | undefined>;
  /** Of a container: what is in it now. */
  contents?(thing: WrittenThing): AsyncIterable<unknown>;
  remove(thing: WrittenThing): Promise<void>;
}

async function unlessGone<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (isGraphError(error, 'graph.item-gone', 'graph.folder-gone')) return undefined;
    throw error;
  }
}

async function* chain(...parts: readonly AsyncIterable<unknown>[]): AsyncGenerator {
  for (const part of parts) yield* part;
}

async function findIn<One extends { readonly id: string }>(all: AsyncIterable<One>, id: string): Promise<One | undefined> {
  for await (const one of all) if (one.id === id) return one;
  return undefined;
}

/** What restores call the top of a mailbox. */
const ROOT = 'msgfolderroot';

type Kinds = Readonly<Partial<Record<ItemKind, Reversible>>>;

function itemsOfMailbox({ exchange: { mail, calendar, contacts, todo } }: GraphClient, userId: string): Kinds {
  return {
    message: {
      async find({ targetId: messageId, place }) {
        const found = await unlessGone(() => mail.message({ userId, messageId }));
        return found?.parentFolderId === place ? { mark: found.changeKey ?? '' } : undefined;
      },
      remove: ({ targetId: messageId }) => mail.deleteMessage({ userId, messageId }),
    },
    event: {
      async find({ targetId: eventId }) {
        const found = await unlessGone(() => calendar.event({ userId, eventId }));
        return found && { mark: found.changeKey ?? '' };
      },
      remove: ({ targetId: eventId }) => calendar.deleteEvent({ userId, eventId }),
    },
    contact: {
      async find({ targetId: contactId }) {
        const found = await unlessGone(() => contacts.contact({ userId, contactId }));
        return found && { mark: found.changeKey ?? '' };
      },
      remove: ({ targetId: contactId }) => contacts.deleteContact({ userId, contactId }),
    },
    task: {
      async find({ targetId: taskId, place: listId }) {
        const found = await unlessGone(() => todo.task({ userId, listId, taskId }));
        return found && { mark: found.lastModifiedDateTime ?? '' };
      },
      remove: ({ targetId: taskId, place: listId }) => todo.deleteTask({ userId, listId, taskId }),
    },
  };
}

/** An empty calendar and an empty folder of contacts can only be deleted for good: nothing is in them, and no mail arrives there. */
function containersOfMailbox({ exchange: { mail, calendar, contacts, todo } }: GraphClient, userId: string): Kinds {
  const idOf = async (folderId: string): Promise<string> => (folderId === ROOT ? (await mail.folder({ userId, folderId })).id : folderId);
  return {
    mailFolder: {
      async find({ targetId: folderId, place }) {
        const found = await unlessGone(() => mail.folder({ userId, folderId }));
        return found?.parentFolderId === (await idOf(place)) ? { mark: found.displayName ?? '' } : undefined;
      },
      contents: ({ targetId: folderId }) => chain(mail.messages({ userId, folderId }), mail.folders({ userId }, { folderId })),
      remove: ({ targetId: folderId }) => mail.deleteFolder({ userId, folderId }),
    },
    calendar: {
      async find({ targetId }) {
        const found = await findIn(calendar.calendars({ userId }), targetId);
        return found && { mark: found.name ?? '' };
      },
      contents: ({ targetId: calendarId }) => calendar.events({ userId, calendarId }),
      remove: ({ targetId: calendarId }) => calendar.permanentlyDeleteCalendar({ userId, calendarId }),
    },
    contactFolder: {
      async find({ targetId, place }) {
        const parent = place === '' ? undefined : { folderId: place };
        const found = await unlessGone(() => findIn(contacts.contactFolders({ userId }, parent), targetId));
        return found && { mark: found.displayName ?? '' };
      },
      contents: ({ targetId: folderId }) =>
        chain(contacts.contacts({ userId, folderId }), contacts.contactFolders({ userId }, { folderId })),
      remove: ({ targetId: folderId }) => contacts.permanentlyDeleteContactFolder({ userId, folderId }),
    },
    taskList: {
      async find({ targetId }) {
        const found = await findIn(todo.lists({ userId }), targetId);
        return found && { mark: found.displayName ?? '' };
      },
      contents: ({ targetId: listId }) => todo.tasks({ userId, listId }),
      remove: ({ targetId: listId }) => todo.deleteList({ userId, listId }),
    },
  };
}

function inDrives({ drives }: GraphClient): Kinds {
  return {
    file: {
      async find({ targetId: itemId, place: driveId }) {
        const found = await unlessGone(() => drives.item({ driveId, itemId }));
        return found && { mark: found.eTag ?? '', hash: found.file?.hashes?.quickXorHash ?? undefined };
      },
      // Whoever saves it in this moment keeps it.
      remove: ({ targetId: itemId, place: driveId, mark: ifMatch }) => drives.deleteItem({ driveId, itemId }, { ifMatch }),
    },
    folder: {
      async find({ targetId: itemId, place: driveId }) {
        const found = await unlessGone(() => drives.item({ driveId, itemId }));
        return found && { mark: found.name ?? '' };
      },
      contents: ({ targetId: itemId, place: driveId }) => drives.children({ driveId, itemId }),
      remove: ({ targetId: itemId, place: driveId }) => drives.deleteItem({ driveId, itemId }),
    },
  };
}

function inSite({ sites }: GraphClient, siteId: string): Kinds {
  const list: Reversible = {
    async find({ targetId: listId }) {
      const found = await unlessGone(() => sites.list({ siteId, listId }));
      return found && { mark: found.displayName ?? '' };
    },
    contents: ({ targetId: listId }) => sites.items({ siteId, listId }),
    remove: ({ targetId: listId }) => sites.deleteList({ siteId, listId }),
  };
  return {
    list,
    library: list,
    listItem: {
      async find({ targetId: itemId, place: listId }) {
        const found = await unlessGone(() => sites.item({ siteId, listId, itemId }));
        return found && { mark: found.eTag ?? '' };
      },
      remove: ({ targetId: itemId, place: listId }) => sites.deleteItem({ siteId, listId, itemId }),
    },
    page: {
      async find({ targetId: pageId }) {
        const found = await unlessGone(() => sites.page({ siteId, pageId }));
        return found && { mark: found.eTag ?? '' };
      },
      remove: ({ targetId: pageId }) => sites.deletePage({ siteId, pageId }),
    },
  };
}

/** The kinds of things that can be taken away from where a restore put them. */
export function createReversible(graph: GraphClient, { kind, graphId }: Pick<Resource, 'kind' | 'graphId'>): Kinds {
  switch (kind) {
    case 'mailbox':
      return { ...itemsOfMailbox(graph, graphId), ...containersOfMailbox(graph, graphId) };
    case 'site':
      return { ...inDrives(graph), ...inSite(graph, graphId) };
    case 'drive':
    case 'team':
      return inDrives(graph);
    case 'chat':
    case 'archive':
    case 'journal':
      return {};
  }
}
