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

  async function container(item: ItemVersion, parent: PlacedContainer | undefined): Promise<PlacedContainer> {
    switch (item.kind) {
      case 'mailFolder': {
        const here = await folders.place(item, parent);
        placed.set(item.key, here.targetId);
        return here;
      }
      case 'calendar':
        return events.place(item);
      case 'contactFolder':
        return contacts.place(item, parent);
      case 'taskList':
        return tasks.place(item);
      default:
        if (item.key === AREAS.mail) return folders.place(item, undefined);
        if (item.key === AREAS.contacts) return contacts.place(item, undefined);
        return nowhere;
    }
  }

  async function item(one: ItemVersion, parent: PlacedContainer | undefined): Promise<ItemOutcome> {
    const at = parent ?? nowhere;
    switch (one.kind) {
      case 'message':
        return messages.restore(one, at);
      case 'event':
        return events.restore(one, at);
      case 'contact':
        return contacts.restore(one, at);
      case 'task':
        return tasks.restore(one, at);
      default:
        return settings.restore(one);
    }
  }

  async function collides(one: ItemVersion): Promise<boolean> {
    switch (one.kind) {
      case 'message':
        return messages.collides(one);
      case 'event':
        return events.collides(one);
      case 'contact':
        return contacts.collides(one);
      case 'task':
        return tasks.collides(one);
      default:
        return false;
    }
  }

  return {
    workloads: ['exchange'],
    concurrency: 3,
    container,
    item,
    collides,
    finish: () => parser.close(),
    limitsOf: (kind) => LIMITS[kind] ?? [],
  };
}
