import type { TodoTask, TodoTaskList } from '@microsoft/microsoft-graph-types';
import type { Caller } from '../client/caller.ts';
import type { Body, CreateOptions, Known, UploadSource } from '../client/calls.ts';
import { readContent } from '../client/content/content.ts';
import { asSession, uploadInSession } from '../client/content/upload-session.ts';
import { readDelta } from '../client/paging/delta.ts';
import { list } from '../client/paging/listing.ts';
import type { PageSize } from '../client/paging/page.ts';
import type { GraphCall } from '../client/request/graph-call.ts';
import type { RouteName } from '../client/routes/routes.ts';
import { ATTACHMENT_FRAGMENT_BYTES } from './attachment-upload.ts';
import type { TodoCalls, TodoListRef, TodoTaskRef } from './calendar-api.ts';

const PAGE: PageSize = { by: 'top', size: 100 };
const WITH_PARTS = { $expand: 'checklistItems,linkedResources' };

function listTasks({ userId, listId }: TodoListRef): GraphCall {
  return { route: 'GET /users/{id}/todo/lists/{id}/tasks', params: [userId, listId], query: WITH_PARTS };
}

/** Sends a file through a session. Unlike those of mail and calendars it belongs to Graph itself, and needs our token. */
async function uploadFile(
  caller: Caller,
  { userId, listId, taskId }: TodoTaskRef,
  { source, ...description }: { readonly name: string; readonly contentType?: string; readonly source: UploadSource },
): Promise<void> {
  const attachmentInfo = { attachmentType: 'file', ...description, size: source.sizeBytes };
  await uploadInSession(
    caller,
    {
      put: 'PUT /users/{id}/todo/lists/{id}/tasks/{id}/attachmentSessions/{id}/content',
      fragmentBytes: ATTACHMENT_FRAGMENT_BYTES,
      mailbox: userId,
      async open() {
        const route = 'POST /users/{id}/todo/lists/{id}/tasks/{id}/attachments/createUploadSession';
        const call = { route, params: [userId, listId, taskId], json: { attachmentInfo }, isRepeatable: true } as const;
        const session = await caller.get(call, asSession);
        return { ...session, uploadUrl: `${session.uploadUrl}/content` };
      },
    },
    source,
  );
}

/** Calls of To Do. */
export function createTodoCalls(caller: Caller): TodoCalls {
  function create<T>(route: RouteName, params: readonly string[], json: Body, options: CreateOptions<Known<T>> = {}): Promise<Known<T>> {
    return caller.known<T>({ route, params, json, ...(options.recover ? { recover: options.recover } : {}) });
  }
  const inTask = ({ userId, listId, taskId }: TodoTaskRef): readonly string[] => [userId, listId, taskId];
  return Object.freeze<TodoCalls>({
    lists: ({ userId }) => list<TodoTaskList>(caller, { route: 'GET /users/{id}/todo/lists', params: [userId] }, PAGE),
    createList: ({ userId }, todoList, options) => create('POST /users/{id}/todo/lists', [userId], { ...todoList }, options),
    tasks: (todoList) => list<TodoTask>(caller, listTasks(todoList), PAGE),
    task: (task) =>
      caller.known<TodoTask>({ route: 'GET /users/{id}/todo/lists/{id}/tasks/{id}', params: inTask(task), query: WITH_PARTS }),
    taskDelta: (todoList, cursor) =>
      readDelta<TodoTask>(
        caller,
        {
          call: { route: 'GET /users/{id}/todo/lists/{id}/tasks/delta', params: [todoList.userId, todoList.listId] },
          page: { by: 'prefer', size: 100 },
          list: { call: listTasks(todoList), page: PAGE },
        },
        cursor,
      ),
    createTask: ({ userId, listId }, task, options) => create('POST /users/{id}/todo/lists/{id}/tasks', [userId, listId], task, options),
    deleteList: ({ userId, listId }) => caller.remove({ route: 'DELETE /users/{id}/todo/lists/{id}', params: [userId, listId] }),
    deleteTask: (task) => caller.remove({ route: 'DELETE /users/{id}/todo/lists/{id}/tasks/{id}', params: inTask(task) }),
    taskAttachments: (task) =>
      list<Body>(caller, { route: 'GET /users/{id}/todo/lists/{id}/tasks/{id}/attachments', params: inTask(task) }, PAGE),
    taskAttachmentContent: ({ attachmentId, ...task }) =>
      readContent(caller, {
        route: 'GET /users/{id}/todo/lists/{id}/tasks/{id}/attachments/{id}/$value',
        params: [...inTask(task), attachmentId],
      }),
    addTaskAttachment: (task, attachment, options) =>
      create('POST /users/{id}/todo/lists/{id}/tasks/{id}/attachments', inTask(task), attachment, options),
    uploadTaskAttachment: (task, attachment, source) => uploadFile(caller, task, { ...attachment, source }),
    addChecklistItem: (task, item, options) =>
      create('POST /users/{id}/todo/lists/{id}/tasks/{id}/checklistItems', inTask(task), item, options),
    addLinkedResource: (task, resource, options) =>
      create('POST /users/{id}/todo/lists/{id}/tasks/{id}/linkedResources', inTask(task), resource, options),
  });
}
