import type { Body } from '@holdfast/m365';
import type { ItemVersion, Json } from '../../ports/item.ts';
import { unlessGone } from '../attempt.ts';
import { besideName } from '../beside.ts';
import { keptInPlace } from '../kept-in-place.ts';
import { readJson, writtenOf, type ItemOutcome, type PlacedContainer, type RestoreContext, uploadSource } from '../restorer.ts';
import { writable } from './contacts.ts';
import { createExistingTasks } from './existing-tasks.ts';
import { POST_LIMIT } from './message-body.ts';
import { without } from '../twins.ts';

const READ_ONLY = new Set([
  'id',
  'createdDateTime',
  'lastModifiedDateTime',
  'bodyLastModifiedDateTime',
  'hasAttachments',
  'checklistItems',
  'linkedResources',
  'attachments',
  'attachmentSessions',
  'extensions',
]);

function parts(stored: Readonly<Record<string, unknown>>, name: string): readonly Readonly<Record<string, Json>>[] {
  const value = stored[name];
  return Array.isArray(value) ? (value as Readonly<Record<string, Json>>[]) : [];
}

/** When the steps of a task were done is the service's: it takes the moment in which they are ticked. */
function stepTimes(stored: Readonly<Record<string, unknown>>): readonly string[] {
  return parts(stored, 'checklistItems').some(({ checkedDateTime }) => checkedDateTime) ? ['checkedDateTime'] : [];
}

const PART_READ_ONLY = new Set(['id', 'createdDateTime', 'checkedDateTime']);

/** Whether a task is whole with the request that makes it. */
function isWrittenOnce({ contents }: ItemVersion, stored: Readonly<Record<string, unknown>>): boolean {
  const isAttached = contents.some(({ role }) => role === 'attachment');
  return !isAttached && parts(stored, 'checklistItems').length + parts(stored, 'linkedResources').length === 0;
}

/** Puts To Do lists and tasks back: list, task, then its parts. */
export function createTaskRestorer(context: RestoreContext) {
  const { request, graph, reader, beginnings } = context;
  const { todo } = graph.exchange;
  const userId = request.target.resource.graphId;
  let lists: Promise<Map<string, string>> | undefined;
  const existing = createExistingTasks(context);

  async function readLists(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const list of todo.lists({ userId })) {
      found.set((list.displayName ?? '').toLowerCase(), list.id);
      if (list.wellknownListName === 'defaultList') found.set('', list.id);
    }
    return found;
  }

  async function addParts(item: ItemVersion, stored: Readonly<Record<string, unknown>>, listId: string, taskId: string): Promise<void> {
    const task = { userId, listId, taskId };
    for (const part of parts(stored, 'checklistItems')) await todo.addChecklistItem(task, writable(part, PART_READ_ONLY));
    for (const part of parts(stored, 'linkedResources')) await todo.addLinkedResource(task, writable(part, PART_READ_ONLY));
    for (const content of item.contents) {
      if (content.role !== 'attachment') continue;
      const named = { name: content.label ?? 'attachment', contentType: content.mediaType ?? 'application/octet-stream' };
      if (content.ref.sizeBytes > POST_LIMIT) {
        await todo.uploadTaskAttachment(task, named, uploadSource(context, content));
        continue;
      }
      const bytes = await reader.readAll(content.ref, POST_LIMIT);
      const body: Body = { '@odata.type': '#microsoft.graph.taskFileAttachment', ...named, contentBytes: bytes.toString('base64') };
      await todo.addTaskAttachment(task, body);
    }
  }

  return {
    async place(item: ItemVersion): Promise<PlacedContainer> {
      lists ??= readLists();
      const known = await lists;
      const { folder } = request.target;
      const isDefault = item.properties['wellknownListName'] === 'defaultList' && folder === undefined;
      const name = besideName(item.name, folder);
      const found = known.get(isDefault ? '' : name.toLowerCase());
      if (found !== undefined) return { outcome: 'skipped', targetId: found };
      const made = await todo.createList({ userId }, { displayName: name });
      known.set(name.toLowerCase(), made.id);
      await beginnings.wrote({ ...writtenOf(item), name, targetId: made.id, place: '', mark: name });
      return { outcome: 'restored', targetId: made.id };
    },
    async restore(item: ItemVersion, parent: PlacedContainer): Promise<ItemOutcome> {
      const listId = parent.targetId;
      const stored = await readJson(context, item);
      const there = await existing.like(listId, stored);
      const left = await beginnings.leftOf(item.key, there);
      const old = request.collisions === 'keepBoth' ? undefined : await existing.find(listId, item, without(there, left));
      const kept = old && keptInPlace(request, item, old);
      if (kept) return kept;
      await beginnings.begin(item.key, there);
      const made = await todo.createTask({ userId, listId }, writable(stored, READ_ONLY));
      await addParts(item, stored, listId, made.id);
      const { lastModifiedDateTime } =
        isWrittenOnce(item, stored) || !beginnings.isNoted ? made : await todo.task({ userId, listId, taskId: made.id });
      const replaced = old ? { replaced: { id: old.id, mark: old.modifiedAt ?? '' } } : {};
      await beginnings.wrote({ ...writtenOf(item), targetId: made.id, place: listId, mark: lastModifiedDateTime ?? '', ...replaced });
      // What a worker that died had made of it goes as well: whether that was whole can't be seen.
      for (const { id } of [...left, ...(old ? [old] : [])]) await unlessGone(() => todo.deleteTask({ userId, listId, taskId: id }));
      return {
        outcome: old ? 'replaced' : 'restored',
        targetId: made.id,
        differences: ['createdDateTime', ...stepTimes(stored)],
        bytes: item.sizeBytes,
      };
    },
  };
}
