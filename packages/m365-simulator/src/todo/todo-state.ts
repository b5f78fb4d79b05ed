import { sentence } from '../content/prose.ts';
import { between, chance, pick, randomOf } from '../values/seeded.ts';
import type { Person } from '../state/directory.ts';
import type { JsonObject } from '../values/json.ts';
import { createItemList, type Item, type ItemList } from '../state/item-list.ts';
import type { Received, ReceivedBytes } from '../state/received.ts';
import type { Tenant } from '../state/tenant.ts';

export interface TaskListRecord extends Item {
  readonly displayName: string;
  readonly wellKnownName: 'none' | 'defaultList' | 'flaggedEmails';
}

/** A part of a task: a step or a link. */
export interface TaskPart {
  readonly number: number;
  readonly createdMs: number;
  readonly entity: JsonObject;
}

/** A file of a task. */
export interface TaskFile {
  readonly number: number;
  readonly createdMs: number;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: ReceivedBytes;
}

export interface TaskRecord extends Item {
  readonly list: number;
  readonly task: JsonObject;
  readonly checklistItems: readonly TaskPart[];
  readonly linkedResources: readonly TaskPart[];
  readonly attachments: readonly TaskFile[];
  readonly nextPart: number;
}

export interface TodoState {
  readonly lists: ItemList<TaskListRecord>;
  readonly tasks: ItemList<TaskRecord>;
}

function generate(tenant: Tenant, owner: Person, index: number): TaskRecord {
  const random = randomOf({ seed: tenant.seed, kind: 'task', owner: owner.id, index });
  const createdMs = tenant.epochMs - between(random, 1, 300) * 86_400_000;
  const isDone = chance(random, 0.4);
  const due = new Date(createdMs + between(random, 1, 30) * 86_400_000).toISOString().slice(0, 10);
  const task: JsonObject = {
    title: sentence(random, owner.language).slice(0, 80),
    status: isDone ? 'completed' : 'notStarted',
    importance: pick(random, ['low', 'normal', 'normal', 'high']),
    isReminderOn: false,
    body: { content: chance(random, 0.4) ? sentence(random, owner.language) : '', contentType: 'text' },
    categories: chance(random, 0.15) ? ['Red category'] : [],
    dueDateTime: { dateTime: `${due}T00:00:00.0000000`, timeZone: 'UTC' },
    ...(isDone ? { completedDateTime: { dateTime: `${due}T00:00:00.0000000`, timeZone: 'UTC' } } : {}),
  };
  const steps = Array.from({ length: random.below(4) }, (_, number) => ({
    number: number + 1,
    createdMs,
    entity: { displayName: sentence(random, owner.language).slice(0, 40), isChecked: isDone || chance(random, 0.3) },
  }));
  const link = {
    number: 9,
    createdMs,
    entity: { webUrl: 'https://intranet.example/ticket/42', applicationName: 'Tickets', displayName: 'Ticket 42', externalId: '42' },
  };
  return {
    number: index + 1,
    version: 0,
    createdMs,
    modifiedMs: createdMs,
    list: index % 3 === 2 ? 2 : 1,
    task,
    checklistItems: steps,
    linkedResources: index % 6 === 0 ? [link] : [],
    attachments: [],
    nextPart: 10,
  };
}

function create(tenant: Tenant, owner: Person): TodoState {
  const isGerman = owner.language === 'de';
  const base = { version: 0, createdMs: owner.createdMs, modifiedMs: owner.createdMs };
  const lists: TaskListRecord[] = [
    { ...base, number: 1, displayName: isGerman ? 'Aufgaben' : 'Tasks', wellKnownName: 'defaultList' },
    { ...base, number: 2, displayName: isGerman ? 'Einkauf' : 'Shopping', wellKnownName: 'none' },
    { ...base, number: 3, displayName: isGerman ? 'Gekennzeichnete E-Mails' : 'Flagged email', wellKnownName: 'flaggedEmails' },
  ];
  const count = owner.kind === 'member' ? tenant.recipe.tasksPerUser : 0;
  return {
    lists: createItemList(lists),
    tasks: createItemList(Array.from({ length: count }, (_, index) => generate(tenant, owner, index))),
  };
}

/** A file of a task as a client sees it. */
export function fileEntity(received: Received, { name, contentType, bytes }: TaskFile): JsonObject {
  return { name, contentType, size: bytes.sizeBytes, contentBytes: received.read(bytes).toString('base64') };
}

/** The tasks of a mailbox, generated when they are touched for the first time. */
export function todoState(tenant: Tenant, owner: Person): TodoState {
  return tenant.store.state(`todo/${owner.id}`, () => create(tenant, owner));
}
