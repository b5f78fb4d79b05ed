import type { GraphClient } from '@holdfast/m365';
import { tagOf } from '../../shared/canonical.ts';
import type { ContentSink, Defect, ReadItem, Step } from '../../pipeline/step.ts';
import { textOf } from '../../pipeline/text.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { Json } from '../../ports/item.ts';
import { compareListing, jsonProperties, without } from '../compare-listing.ts';
import { AREAS } from './areas.ts';
import { fileDefect } from './attached-file.ts';
import { enumerateContainers } from './containers.ts';

async function read(
  graph: GraphClient,
  ref: { readonly userId: string; readonly listId: string; readonly taskId: string },
  task: { readonly hasAttachments?: boolean | null },
  sink: ContentSink,
): Promise<ReadItem> {
  const contents = [await sink.store('export', Buffer.from(JSON.stringify(task)), { kind: 'json', mediaType: 'application/json' })];
  const defects: Defect[] = [];
  if (!task.hasAttachments) return { contents };
  for await (const attachment of graph.exchange.todo.taskAttachments(ref)) {
    const label = textOf(attachment['name'], attachment.id);
    const mediaType = textOf(attachment['contentType'], 'application/octet-stream');
    try {
      const { bytes } = graph.exchange.todo.taskAttachmentContent({ ...ref, attachmentId: attachment.id });
      contents.push(await sink.store('attachment', bytes, { kind: 'file', label, mediaType }));
    } catch (error) {
      defects.push(fileDefect(error, label));
    }
  }
  return { contents, defects };
}

async function* enumerateItems(context: EnumerateContext, graph: GraphClient, listId: string): AsyncGenerator<Step, void, undefined> {
  const userId = context.resource.graphId;
  yield* compareListing(context, {
    parentKey: listId,
    kind: 'task',
    listing: graph.exchange.todo.tasks({ userId, listId }),
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
}

/** To Do lists and tasks. The list of flagged mail comes from the mail and is not kept twice. */
export function enumerateTasks(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  return enumerateContainers(context, {
    area: AREAS.tasks,
    kind: 'taskList',
    itemKind: 'task',
    listing: graph.exchange.todo.lists({ userId: context.resource.graphId }),
    draft: (list) => {
      if (list.wellknownListName === 'flaggedEmails') return undefined;
      return { name: list.displayName ?? '', properties: jsonProperties(without(list, 'id', 'displayName')), hasItems: true };
    },
    items: (id) => enumerateItems(context, graph, id),
  });
}
