import { calendarState, type EventRecord } from '../calendar/calendar-state.ts';
import { type ContactRecord, contactsState } from '../contacts/contact-state.ts';
import type { Positions } from '../state/feed.ts';
import type { Person } from '../state/directory.ts';
import { notFound } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import { mailIds } from '../mail/mail-ids.ts';
import { openMailbox } from '../mail/mailbox.ts';
import type { MessageContent, MessageRecord } from '../mail/mailbox-state.ts';
import { mimeOf } from '../mail/message-source.ts';
import { changeKeyOf, outlookTime } from '../mail/render-message.ts';
import { addItem, feedOfItems, type Item, putItem } from '../state/item-list.ts';
import { type IdKind, idKinds, ownedId, readOwnedId } from '../http/owned-ids.ts';
import { pictureBytes } from '../state/picture.ts';
import type { Received, ReceivedBytes } from '../state/received.ts';
import type { Tenant } from '../state/tenant.ts';
import { type TaskRecord, todoState } from '../todo/todo-state.ts';
import type { ExportedItem } from './exported-item.ts';

/** A folder of any kind of a mailbox, with a way to its items. */
export interface AnyFolder {
  readonly id: string;
  readonly displayName: string;
  readonly parentId: string;
  readonly children: number;
  readonly type: 'IPF.Note' | 'IPF.Appointment' | 'IPF.Contact' | 'IPF.Task';
  readonly count: number;
  readonly items: Positions<AnyItem>;
  /** Puts an imported item here; returns its id. */
  readonly add: (item: ExportedItem) => { readonly id: string; readonly changeKey: string };
}

export interface AnyItem {
  readonly id: string;
  readonly folderId: string;
  readonly type: string;
  readonly item: Item | MessageRecord;
  readonly changeKey: string;
  readonly categories: readonly string[];
  readonly exported: () => ExportedItem;
  /** Puts an imported item in its place; returns the new change key. */
  readonly replace: (item: ExportedItem) => string;
}

function wrongKind(): Error {
  return notFound('outlook', 'The folder does not take items of this kind.');
}

function isRecord(item: Item | MessageRecord): item is MessageRecord {
  return 'key' in item;
}

interface WithBytes {
  readonly bytes: ReceivedBytes;
}

function bytesOf(received: Received, attachments: readonly WithBytes[]): Buffer[] {
  return attachments.map(({ bytes }) => received.read(bytes));
}

/** Attachments whose bytes have come with them. */
function takeIn<T extends WithBytes>(received: Received, attachments: readonly T[], bytes: readonly Buffer[]): T[] {
  return attachments.map((attachment, index) => ({ ...attachment, bytes: received.add(bytes[index] ?? Buffer.alloc(0)) }));
}

/** Content that needs no seed: another mailbox generates other mail. */
function contentOf({ received }: Tenant, item: Extract<ExportedItem, { kind: 'message' }>): MessageContent {
  const { json, mime, record } = item;
  if (!json || record.content.from !== 'json') return { from: 'mime', mime: received.add(mime) };
  return { ...record.content, text: received.add(json.text), attachments: takeIn(received, record.content.attachments, json.attachments) };
}

function exportedMessage(tenant: Tenant, owner: Person, record: MessageRecord): ExportedItem {
  const { received } = tenant;
  const mime = mimeOf(tenant, owner, record);
  const { content } = record;
  if (content.from !== 'json') return { kind: 'message', record, mime, json: undefined };
  const json = { text: received.read(content.text), attachments: bytesOf(received, content.attachments) };
  return { kind: 'message', record, mime, json };
}

function messageItem(tenant: Tenant, owner: Person, record: MessageRecord): AnyItem {
  return {
    id: mailIds(owner.id).message(record.key, record.folder, true),
    folderId: mailIds(owner.id).folder(record.folder),
    type: 'IPM.Note',
    item: record,
    changeKey: changeKeyOf(record.key, record.version),
    categories: record.categories,
    exported: () => exportedMessage(tenant, owner, record),
    replace(item) {
      if (item.kind !== 'message') throw wrongKind();
      const { key, folder } = record;
      const after = openMailbox(tenant, owner).put({ ...item.record, key, folder, content: contentOf(tenant, item) }, { isContent: true });
      return changeKeyOf(after.key, after.version);
    },
  };
}

function mailFolders(tenant: Tenant, owner: Person): AnyFolder[] {
  const mailbox = openMailbox(tenant, owner);
  const ids = mailIds(owner.id);
  return [...mailbox.state.folders.values()]
    .filter((folder) => folder.number !== 0 && folder.wellKnownName !== 'searchfolders')
    .map((folder): AnyFolder => {
      const feed = mailbox.feed(folder);
      return {
        id: ids.folder(folder.number),
        displayName: folder.displayName,
        parentId: ids.folder(Math.max(0, folder.parent)),
        children: [...mailbox.state.folders.values()].filter((other) => other.parent === folder.number).length,
        type: 'IPF.Note',
        count: folder.generated + (mailbox.state.counts.get(folder.number)?.total ?? 0),
        items: {
          size: feed.size,
          at(position) {
            const record = feed.at(position);
            return record && messageItem(tenant, owner, record);
          },
        },
        add(item) {
          if (item.kind !== 'message') throw wrongKind();
          const { key: _key, arrival: _arrival, version: _version, contentVersion: _content, ...rest } = item.record;
          const record = mailbox.add({ ...rest, folder: folder.number, content: contentOf(tenant, item) });
          return { id: ids.message(record.key, record.folder, true), changeKey: changeKeyOf(record.key, record.version) };
        },
      };
    });
}

interface Kind<T extends Item> {
  readonly folderKind: IdKind;
  readonly itemKind: IdKind;
  readonly type: AnyFolder['type'];
  readonly itemType: string;
  readonly list: Parameters<typeof addItem<T>>[0];
  readonly belongs: (item: T, folder: number) => boolean;
  readonly categories: (item: T) => unknown;
  readonly wrap: (item: T) => ExportedItem;
  readonly unwrap: (item: ExportedItem, folder: number, number: number) => T | undefined;
}

function ownedFolder<T extends Item>(
  tenant: Tenant,
  owner: Person,
  folder: { readonly number: number; readonly name: string },
  kind: Kind<T>,
): AnyFolder {
  const feed = feedOfItems(kind.list, (item) => kind.belongs(item, folder.number));
  // A calendar, a list and the folder that holds its items have ids of their own.
  const folderId = ownedId(owner.id, 'mailboxFolder', { number: folder.number, part: idKinds[kind.folderKind] }, false);
  const idOf = (item: Item): string => ownedId(owner.id, kind.itemKind, { number: item.number, part: 0 }, true);
  const keyOf = (item: Item): string => changeKeyOf(`${kind.itemKind}/${item.number}`, item.version);
  return {
    id: folderId,
    displayName: folder.name,
    parentId: mailIds(owner.id).folder(0),
    children: 0,
    type: kind.type,
    count: [...kind.list.items.values()].filter((item) => kind.belongs(item, folder.number)).length,
    items: {
      size: feed.size,
      at(position) {
        const item = feed.at(position);
        if (!item) return undefined;
        const categories = kind.categories(item);
        const names = Array.isArray(categories) ? categories.map((name) => String(name)) : [];
        return {
          id: idOf(item),
          folderId,
          type: kind.itemType,
          item,
          changeKey: keyOf(item),
          categories: names,
          exported: () => kind.wrap(item),
          replace(exported) {
            const imported = kind.unwrap(exported, folder.number, item.number);
            if (!imported) throw wrongKind();
            return keyOf(putItem(kind.list, tenant.clock.nowMs(), imported));
          },
        };
      },
    },
    add(exported) {
      const made = addItem(kind.list, tenant.clock.nowMs(), (number) => {
        const item = kind.unwrap(exported, folder.number, number);
        if (!item) throw wrongKind();
        return item;
      });
      return { id: idOf(made), changeKey: keyOf(made) };
    },
  };
}

function calendarFolders(tenant: Tenant, owner: Person): AnyFolder[] {
  const { calendars, events } = calendarState(tenant, owner);
  const kind: Kind<EventRecord> = {
    folderKind: 'calendar',
    itemKind: 'event',
    type: 'IPF.Appointment',
    itemType: 'IPM.Appointment',
    list: events,
    belongs: (event, folder) => event.calendar === folder,
    categories: (event) => event.event['categories'],
    wrap: (record) => ({ kind: 'event', record, attachments: bytesOf(tenant.received, record.attachments) }),
    unwrap(item, folder, number) {
      if (item.kind !== 'event') return undefined;
      const attachments = takeIn(tenant.received, item.record.attachments, item.attachments);
      return { ...item.record, number, calendar: folder, version: 0, attachments };
    },
  };
  return [...calendars.items.values()].map(({ number, name }) => ownedFolder(tenant, owner, { number, name }, kind));
}

function contactFolders(tenant: Tenant, owner: Person): AnyFolder[] {
  const { folders, contacts } = contactsState(tenant, owner);
  const kind: Kind<ContactRecord> = {
    folderKind: 'contactFolder',
    itemKind: 'contact',
    type: 'IPF.Contact',
    itemType: 'IPM.Contact',
    list: contacts,
    belongs: (contact, folder) => contact.folder === folder,
    categories: (contact) => contact.contact['categories'],
    wrap: (record) => ({ kind: 'contact', record, photo: record.photo && pictureBytes(tenant.received, record.photo) }),
    unwrap(item, folder, number) {
      if (item.kind !== 'contact') return undefined;
      return { ...item.record, number, folder, version: 0, photo: item.photo && tenant.received.add(item.photo) };
    },
  };
  return [...folders.items.values()].map(({ number, displayName }) => ownedFolder(tenant, owner, { number, name: displayName }, kind));
}

function taskLists(tenant: Tenant, owner: Person): AnyFolder[] {
  const { lists, tasks } = todoState(tenant, owner);
  const kind: Kind<TaskRecord> = {
    folderKind: 'taskList',
    itemKind: 'task',
    type: 'IPF.Task',
    itemType: 'IPM.Task',
    list: tasks,
    belongs: (task, folder) => task.list === folder,
    categories: (task) => task.task['categories'],
    wrap: (record) => ({ kind: 'task', record, attachments: bytesOf(tenant.received, record.attachments) }),
    unwrap(item, folder, number) {
      if (item.kind !== 'task') return undefined;
      const attachments = takeIn(tenant.received, item.record.attachments, item.attachments);
      return { ...item.record, number, list: folder, version: 0, attachments };
    },
  };
  return [...lists.items.values()].map(({ number, displayName }) => ownedFolder(tenant, owner, { number, name: displayName }, kind));
}

/** All folders of a mailbox that can be exported: mail, calendars, contacts, tasks. */
export function allFolders(tenant: Tenant, owner: Person): AnyFolder[] {
  return [...mailFolders(tenant, owner), ...calendarFolders(tenant, owner), ...contactFolders(tenant, owner), ...taskLists(tenant, owner)];
}

/** The item that an id of a mailbox names, of whatever kind. */
export function findItem(tenant: Tenant, owner: Person, id: string): AnyItem | undefined {
  const mail = mailIds(owner.id).readMessage(id);
  if (mail) {
    const record = openMailbox(tenant, owner).message(mail.key);
    return record && messageItem(tenant, owner, record);
  }
  for (const kind of ['event', 'contact', 'task'] as const) {
    if (!readOwnedId(owner.id, kind, id)) continue;
    for (const folder of allFolders(tenant, owner)) {
      for (let position = 0; folder.type !== 'IPF.Note' && position < folder.items.size; position += 1) {
        const item = folder.items.at(position);
        if (item && sameId(owner, kind, item.id, id)) return item;
      }
    }
  }
  return undefined;
}

function sameId(owner: Person, kind: IdKind, a: string, b: string): boolean {
  return readOwnedId(owner.id, kind, a)?.number === readOwnedId(owner.id, kind, b)?.number && readOwnedId(owner.id, kind, a) !== undefined;
}

/** An item of a folder in JSON. */
export function renderItem(item: AnyItem): JsonObject {
  const size = isRecord(item.item) && item.item.content.from === 'mime' ? item.item.content.mime.sizeBytes : 28_000;
  return {
    '@odata.etag': `W/"${item.changeKey}"`,
    id: item.id,
    changeKey: item.changeKey,
    categories: item.categories,
    createdDateTime: outlookTime(item.item.createdMs),
    lastModifiedDateTime: outlookTime(item.item.modifiedMs),
    size,
    type: item.type,
  };
}
