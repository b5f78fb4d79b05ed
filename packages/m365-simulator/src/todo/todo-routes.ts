import { deltaPage } from '../delta/delta-page.ts';
import { positionsOf } from '../state/feed.ts';
import { listPage } from '../delta/list-page.ts';
import type { Person } from '../state/directory.ts';
import { badRequest, fail, notFound } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import { project, type Query } from '../http/query.ts';
import { bytes, created, noContent, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { requireMailboxOwner } from '../mail/open.ts';
import { changeKeyOf, outlookTime } from '../mail/render-message.ts';
import { INLINE_LIMIT_BYTES } from '../mail/write-message.ts';
import { addItem, feedOfItems, putItem, removeItem } from '../state/item-list.ts';
import { type IdKind, missingItem, ownedId, readOwnedId } from '../http/owned-ids.ts';
import { type TaskFile, type TaskListRecord, type TaskPart, type TaskRecord, todoState, type TodoState } from './todo-state.ts';

interface Open {
  readonly owner: Person;
  readonly state: TodoState;
}

const TASK_DEFAULTS: JsonObject = {
  importance: 'normal',
  isReminderOn: false,
  status: 'notStarted',
  title: '',
  categories: [],
  body: { content: '', contentType: 'text' },
};
const TASK_PROPERTIES = new Set([
  ...Object.keys(TASK_DEFAULTS),
  'dueDateTime',
  'startDateTime',
  'completedDateTime',
  'reminderDateTime',
  'recurrence',
]);
const ATTACHMENT_BYTES = 4.5 * 1024 * 1024;

function open(context: Context): Open {
  const owner = requireMailboxOwner(context);
  return { owner, state: todoState(context.tenant, owner) };
}

function idOf(owner: Person, kind: IdKind, number: number, part = 0): string {
  return ownedId(owner.id, kind, { number, part }, false);
}

function requireList({ owner, state }: Open, id: string): TaskListRecord {
  const found = readOwnedId(owner.id, 'taskList', id);
  const list = found && state.lists.items.get(found.number);
  if (!list) throw missingItem(id);
  return list;
}

function requireTask(opened: Open, context: Context): TaskRecord {
  const list = requireList(opened, context.params[1] ?? '');
  const found = readOwnedId(opened.owner.id, 'task', context.params[2] ?? '');
  const task = found && opened.state.tasks.items.get(found.number);
  if (task?.list !== list.number) throw missingItem(context.params[2] ?? '');
  return task;
}

function etag(kind: string, number: number, version: number): string {
  return `W/"${changeKeyOf(`${kind}/${number}`, version)}"`;
}

function renderList(owner: Person, list: TaskListRecord): JsonObject {
  return {
    '@odata.etag': etag('list', list.number, list.version),
    id: idOf(owner, 'taskList', list.number),
    displayName: list.displayName,
    isOwner: true,
    isShared: false,
    wellknownListName: list.wellKnownName,
  };
}

function renderStep(owner: Person, task: TaskRecord, part: TaskPart): JsonObject {
  const createdDateTime = outlookTime(part.createdMs);
  const checked = part.entity['isChecked'] === true ? { checkedDateTime: createdDateTime } : {};
  return { id: idOf(owner, 'taskPart', task.number, part.number), createdDateTime, ...checked, ...part.entity };
}

function renderLink(owner: Person, task: TaskRecord, part: TaskPart): JsonObject {
  return { id: idOf(owner, 'taskPart', task.number, part.number), ...part.entity };
}

/** A file of a task; lists leave its content out. */
function renderFile(owner: Person, task: TaskRecord, file: TaskFile): JsonObject {
  return {
    '@odata.type': '#microsoft.graph.taskFileAttachment',
    id: idOf(owner, 'taskPart', task.number, file.number),
    lastModifiedDateTime: outlookTime(file.createdMs),
    name: file.name,
    contentType: file.contentType,
    size: file.bytes.sizeBytes,
  };
}

function renderTask(owner: Person, task: TaskRecord, query: Query): JsonObject {
  const expanded: Record<string, readonly JsonObject[]> = {};
  if (query.expands('checklistItems')) expanded['checklistItems'] = task.checklistItems.map((part) => renderStep(owner, task, part));
  if (query.expands('linkedResources')) expanded['linkedResources'] = task.linkedResources.map((part) => renderLink(owner, task, part));
  const entity: JsonObject = {
    '@odata.etag': etag('task', task.number, task.version),
    id: idOf(owner, 'task', task.number),
    ...TASK_DEFAULTS,
    ...task.task,
    createdDateTime: outlookTime(task.createdMs),
    lastModifiedDateTime: outlookTime(task.modifiedMs),
    hasAttachments: task.attachments.length > 0,
  };
  return { ...project(entity, query.select), ...expanded };
}

function listLists(context: Context): Reply {
  const { owner, state } = open(context);
  return listPage(context, {
    items: feedOfItems(state.lists),
    context: `users('${owner.id}')/todo/lists`,
    defaultSize: 100,
    maxSize: 999,
    render: (list) => project(renderList(owner, list), context.query.select),
  });
}

async function createList(context: Context): Promise<Reply> {
  const { owner, state } = open(context);
  const { displayName } = await context.json();
  if (typeof displayName !== 'string' || displayName === '') throw badRequest('outlook', 'A list needs a display name.');
  const nowMs = context.tenant.clock.nowMs();
  const list = addItem(state.lists, nowMs, (number): TaskListRecord => ({
    number,
    version: 0,
    createdMs: nowMs,
    modifiedMs: nowMs,
    displayName,
    wellKnownName: 'none',
  }));
  return created({ '@odata.context': context.links.context(`users('${owner.id}')/todo/lists/$entity`), ...renderList(owner, list) });
}

function removeList(context: Context): Reply {
  const opened = open(context);
  const list = requireList(opened, context.params[1] ?? '');
  if (list.wellKnownName !== 'none') throw badRequest('outlook', 'A built-in list cannot be deleted.');
  const nowMs = context.tenant.clock.nowMs();
  const { lists, tasks } = opened.state;
  for (const task of tasks.items.values()) if (task.list === list.number) removeItem(tasks, nowMs, task);
  removeItem(lists, nowMs, list);
  return noContent;
}

function listTasks(context: Context): Reply {
  const opened = open(context);
  const list = requireList(opened, context.params[1] ?? '');
  return listPage(context, {
    items: feedOfItems(opened.state.tasks, (task) => task.list === list.number),
    context: `users('${opened.owner.id}')/todo/lists('${context.params[1] ?? ''}')/tasks`,
    defaultSize: 100,
    maxSize: 999,
    render: (task) => renderTask(opened.owner, task, context.query),
  });
}

function readTask(context: Context): Reply {
  const opened = open(context);
  const task = requireTask(opened, context);
  const list = context.links.context(`users('${opened.owner.id}')/todo/lists('${context.params[1] ?? ''}')/tasks/$entity`);
  return ok({ '@odata.context': list, ...renderTask(opened.owner, task, context.query) });
}

function tasksDelta(context: Context): Reply {
  const opened = open(context);
  const list = requireList(opened, context.params[1] ?? '');
  const { owner } = opened;
  return deltaPage(context, {
    feed: feedOfItems(opened.state.tasks, (task) => task.list === list.number),
    resource: `tasks/${owner.id}/${list.number}`,
    context: 'Collection(todoTask)',
    defaultSize: 100,
    maxSize: 999,
    render: (task, query) => ({ '@odata.type': '#microsoft.graph.todoTask', ...renderTask(owner, task, query) }),
    removed: (id) => ({
      '@odata.type': '#microsoft.graph.todoTask',
      id: idOf(owner, 'task', Number(id)),
      '@removed': { reason: 'deleted' },
    }),
  });
}

function taskProperties(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => TASK_PROPERTIES.has(name)));
}

async function createTask(context: Context): Promise<Reply> {
  const opened = open(context);
  const list = requireList(opened, context.params[1] ?? '');
  const body = await context.json();
  if (typeof body['title'] !== 'string') throw badRequest('outlook', 'A task needs a title.');
  const nowMs = context.tenant.clock.nowMs();
  const base = {
    version: 0,
    createdMs: nowMs,
    modifiedMs: nowMs,
    list: list.number,
    task: taskProperties(body),
    checklistItems: [],
    linkedResources: [],
    attachments: [],
    nextPart: 1,
  };
  const task = addItem(opened.state.tasks, nowMs, (number): TaskRecord => ({ ...base, number }));
  const annotation = {
    '@odata.context': context.links.context(`users('${opened.owner.id}')/todo/lists('${context.params[1] ?? ''}')/tasks/$entity`),
  };
  return created({ ...annotation, ...renderTask(opened.owner, task, context.query) });
}

function removeTask(context: Context): Reply {
  const opened = open(context);
  removeItem(opened.state.tasks, context.tenant.clock.nowMs(), requireTask(opened, context));
  return noContent;
}

function partsPath(context: Context, owner: Person, parts: 'checklistItems' | 'linkedResources' | 'attachments'): string {
  return `users('${owner.id}')/todo/lists('${context.params[1] ?? ''}')/tasks('${context.params[2] ?? ''}')/${parts}`;
}

async function addPart(
  context: Context,
  parts: 'checklistItems' | 'linkedResources',
  read: (body: JsonObject) => JsonObject,
): Promise<Reply> {
  const opened = open(context);
  const task = requireTask(opened, context);
  const entity = read(await context.json());
  const nowMs = context.tenant.clock.nowMs();
  const part: TaskPart = { number: task.nextPart, createdMs: nowMs, entity };
  const changed = putItem(opened.state.tasks, nowMs, { ...task, nextPart: task.nextPart + 1, [parts]: [...task[parts], part] });
  const render = { checklistItems: renderStep, linkedResources: renderLink }[parts];
  const annotation = { '@odata.context': context.links.context(`${partsPath(context, opened.owner, parts)}/$entity`) };
  return created({ ...annotation, ...render(opened.owner, changed, part) });
}

function readStep(body: JsonObject): JsonObject {
  if (typeof body['displayName'] !== 'string') throw badRequest('outlook', 'A step needs a display name.');
  return { displayName: body['displayName'], isChecked: body['isChecked'] === true };
}

function readLink(body: JsonObject): JsonObject {
  const names = ['webUrl', 'applicationName', 'displayName', 'externalId'];
  return Object.fromEntries(names.map((name) => [name, typeof body[name] === 'string' ? body[name] : null]));
}

/** The task that the path names, or 404. */
export function openTask(context: Context): Open & { readonly task: TaskRecord } {
  const opened = open(context);
  return { ...opened, task: requireTask(opened, context) };
}

/** Puts a file on the task that the path names; returns its id. */
export function addFileTo(context: Context, added: Pick<TaskFile, 'name' | 'contentType' | 'bytes'>): string {
  const { owner, state, task } = openTask(context);
  const nowMs = context.tenant.clock.nowMs();
  const file: TaskFile = { number: task.nextPart, createdMs: nowMs, ...added };
  putItem(state.tasks, nowMs, { ...task, nextPart: task.nextPart + 1, attachments: [...task.attachments, file] });
  return idOf(owner, 'taskPart', task.number, file.number);
}

async function addFile(context: Context): Promise<Reply> {
  openTask(context);
  const { name, contentBytes, contentType } = await context.json(ATTACHMENT_BYTES);
  if (typeof name !== 'string' || typeof contentBytes !== 'string')
    throw badRequest('outlook', 'An attachment needs name and contentBytes.');
  const bytesOfFile = Buffer.from(contentBytes, 'base64');
  if (bytesOfFile.byteLength > INLINE_LIMIT_BYTES)
    throw fail(413, 'ErrorAttachmentSizeLimitExceeded', 'The attachment is too large; use an upload session.');
  const id = addFileTo(context, {
    name,
    contentType: typeof contentType === 'string' ? contentType : 'application/octet-stream',
    bytes: context.tenant.received.add(bytesOfFile),
  });
  const { owner, task } = openTask(context);
  const file = task.attachments.find(({ number }) => idOf(owner, 'taskPart', task.number, number) === id) as TaskFile;
  const annotation = { '@odata.context': context.links.context(`${partsPath(context, owner, 'attachments')}/$entity`) };
  return created({ ...annotation, ...renderFile(owner, task, file), contentBytes });
}

function listFiles(context: Context): Reply {
  const opened = open(context);
  const task = requireTask(opened, context);
  return listPage(context, {
    items: positionsOf(task.attachments),
    context: partsPath(context, opened.owner, 'attachments'),
    defaultSize: 100,
    maxSize: 999,
    render: (file) => renderFile(opened.owner, task, file),
  });
}

function readFile(context: Context): Reply {
  const opened = open(context);
  const task = requireTask(opened, context);
  const file = task.attachments.find(({ number }) => idOf(opened.owner, 'taskPart', task.number, number) === context.params[3]);
  if (!file) throw notFound('outlook');
  return bytes(context.tenant.received.read(file.bytes), file.contentType);
}

const service = 'outlook';
const TASKS = '/users/{id}/todo/lists/{id}/tasks';
const LIST = ['$select', '$top', '$skip', '$expand', '$count'];

/** Lists, tasks and their parts. */
export const todoRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/users/{id}/todo/lists', service, query: LIST, handler: listLists },
  { method: 'POST', path: '/users/{id}/todo/lists', service, handler: createList },
  { method: 'DELETE', path: '/users/{id}/todo/lists/{id}', service, handler: removeList },
  { method: 'GET', path: TASKS, service, query: LIST, handler: listTasks },
  { method: 'POST', path: TASKS, service, handler: createTask },
  { method: 'GET', path: `${TASKS}/{id}`, like: TASKS, service, query: ['$select', '$expand'], handler: readTask },
  { method: 'DELETE', path: `${TASKS}/{id}`, service, handler: removeTask },
  { method: 'GET', path: `${TASKS}/delta`, service, query: ['$select', '$top', '$expand'], handler: tasksDelta },
  { method: 'GET', path: `${TASKS}/{id}/attachments`, service, query: ['$top'], handler: listFiles },
  { method: 'POST', path: `${TASKS}/{id}/attachments`, service, handler: addFile },
  { method: 'GET', path: `${TASKS}/{id}/attachments/{id}/$value`, service, handler: readFile },
  { method: 'POST', path: `${TASKS}/{id}/checklistItems`, service, handler: (context) => addPart(context, 'checklistItems', readStep) },
  { method: 'POST', path: `${TASKS}/{id}/linkedResources`, service, handler: (context) => addPart(context, 'linkedResources', readLink) },
];
