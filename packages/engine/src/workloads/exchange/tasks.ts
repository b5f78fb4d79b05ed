import type { GraphClient } from '@holdfast/m365';
import { tagOf } from '../../pipeline/canonical.ts';
import type { ContentSink, ReadItem, Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { Json } from '../../ports/item.ts';
import { compareListing, guardPart, jsonProperties, without } from '../compare-listing.ts';
import { createRevisits, notListed, resolveLost } from '../revisit.ts';
import { AREAS } from './areas.ts';

async function read(
  graph: GraphClient,
  ref: { readonly userId: string; readonly listId: string; readonly taskId: string },
  task: { readonly hasAttachments?: boolean | null },
  sink: ContentSink,
): Promise<ReadItem> {
  const contents = [await sink.store('export', Buffer.from(JSON.stringify(task)), { kind: 'json', mediaType: 'application/json' })];
  if (task.hasAttachments) {
    for await (const attachment of graph.exchange.todo.taskAttachments(ref)) {
      const { contentBytes, name, contentType } = attachment as { contentBytes?: unknown; name?: unknown; contentType?: unknown };
      if (typeof contentBytes !== 'string') continue;
      const label = typeof name === 'string' ? name : attachment.id;
      const mediaType = typeof contentType === 'string' ? contentType : 'application/octet-stream';
      contents.push(await sink.store('attachment', Buffer.from(contentBytes, 'base64'), { kind: 'file', label, mediaType }));
    }
  }
  return { contents };
}

/** To Do lists and tasks. The list of flagged mail comes from the mail and is not kept twice. */
export async function* enumerateTasks(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  const userId = context.resource.graphId;
  const { todo } = graph.exchange;
  const listed: { readonly id: string; readonly name: string }[] = [];
  const revisits = createRevisits(context);
  yield* compareListing(context, {
    parentKey: AREAS.tasks,
    kind: 'taskList',
    listing: todo.lists({ userId }),
    draft: (list) => {
      if (list.wellknownListName === 'flaggedEmails') return undefined;
      const { id } = list;
      const name = list.displayName ?? '';
      listed.push({ id, name });
      const properties = jsonProperties(without(list, 'id', 'displayName'));
      return { key: id, kind: 'taskList', parentKey: AREAS.tasks, name, contentTag: '', properties };
    },
  });
  const unlisted = new Set<string | null>();
  const prefix = `unread:${AREAS.tasks}:`;
  for (const { id: listId, name } of listed) {
    const part = { key: `${prefix}${listId}`, kind: 'taskList', parentKey: AREAS.tasks, name } as const;
    const tasks = compareListing(context, {
      parentKey: listId,
      kind: 'task',
      listing: todo.tasks({ userId, listId }),
      draft: (task) => ({
        key: task.id,
        kind: 'task',
        parentKey: listId,
        name: task.title ?? '',
        contentTag: tagOf(without(task, '@odata.etag') as unknown as Json),
        properties: jsonProperties({ status: task.status, importance: task.importance, dueDateTime: task.dueDateTime }),
        ...(task.createdDateTime ? { createdAt: task.createdDateTime } : {}),
        ...(task.lastModifiedDateTime ? { modifiedAt: task.lastModifiedDateTime } : {}),
        read: (sink) => read(graph, { userId, listId, taskId: task.id }, task, sink),
      }),
    });
    if (!(yield* guardPart(part, () => revisits.noting(tasks)))) unlisted.add(listId);
  }
  yield* resolveLost(
    context,
    prefix,
    listed.map(({ id }) => id),
  );
  yield* revisits.rest(({ kind, parentKey }) => kind === 'task' && !unlisted.has(parentKey), notListed);
}
