import { createMimeParser } from '../../mime/mime-parser.ts';
import type { ItemKind, ItemVersion } from '../../ports/item.ts';
import { AREAS } from '../../workloads/exchange/areas.ts';
import type { ItemOutcome, PlacedContainer, RestoreContext, Restorer } from '../restorer.ts';
import { createContactRestorer } from './contacts.ts';
import { createEventRestorer } from './events.ts';
import { createTargetFolders } from './folders.ts';
import { createMessageRestorer } from './messages.ts';
import { createSettingsRestorer } from './settings.ts';
import { createTaskRestorer } from './tasks.ts';

const LIMITS: Readonly<Partial<Record<ItemKind, readonly string[]>>> = {
  event: ['restore.limit.attendees'],
  task: ['restore.limit.task-created-time'],
  mailboxSettings: ['restore.limit.automatic-replies'],
};

interface ItemRestorer {
  restore(item: ItemVersion, parent: PlacedContainer): Promise<ItemOutcome>;
}

/** Puts a mailbox back, or parts of it, into this or another one. */
export function createMailboxRestorer(context: RestoreContext): Restorer {
  const parser = createMimeParser(context.clock);
  const folders = createTargetFolders(context);
  const messages = createMessageRestorer(context, parser);
  const events = createEventRestorer(context);
  const contacts = createContactRestorer(context);
  const tasks = createTaskRestorer(context);
  const placed = new Map<string, string>();
  const settings = createSettingsRestorer(context, (key) => placed.get(key));
  const nowhere: PlacedContainer = { outcome: 'skipped', targetId: '' };

  async function placeMailFolder(item: ItemVersion, parent: PlacedContainer | undefined): Promise<PlacedContainer> {
    const here = await folders.place(item, parent);
    placed.set(item.key, here.targetId);
    return here;
  }

  async function placeArea(item: ItemVersion): Promise<PlacedContainer> {
    if (item.key === AREAS.mail || item.key === AREAS.recoverable) return folders.place(item, undefined);
    return item.key === AREAS.contacts ? contacts.place(item, undefined) : nowhere;
  }

  const containers: Readonly<
    Partial<Record<ItemKind, (item: ItemVersion, parent: PlacedContainer | undefined) => Promise<PlacedContainer>>>
  > = {
    area: placeArea,
    mailFolder: placeMailFolder,
    calendar: (item) => events.place(item),
    contactFolder: (item, parent) => contacts.place(item, parent),
    taskList: (item) => tasks.place(item),
  };
  const kinds: Readonly<Partial<Record<ItemKind, ItemRestorer>>> = { message: messages, event: events, contact: contacts, task: tasks };

  return {
    workloads: async () => ['exchange'],
    atATime: () => 3,
    container: async (item, parent) => (await containers[item.kind]?.(item, parent)) ?? nowhere,
    item: async (item, parent) => (await kinds[item.kind]?.restore(item, parent ?? nowhere)) ?? settings.restore(item),
    finish: () => parser.close(),
    limitsOf: (kind) => LIMITS[kind] ?? [],
  };
}
