import { guidOf } from '../values/seeded.ts';
import { badRequest, fail } from '../http/failure.ts';
import { isJsonObject } from '../values/json.ts';
import { created, noContent, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { joined, NO_BYTES, type ReceivedBytes } from '../state/received.ts';
import type { Tenant } from '../state/tenant.ts';
import { addFileTo, openTask } from './todo-routes.ts';

/** A large file on its way to a task. Plain data. */
interface TaskSession {
  readonly taskId: string;
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly expiresMs: number;
  received: ReceivedBytes;
}

const LARGEST_BYTES = 25 * 1024 * 1024;
const LARGEST_PART_BYTES = 4 * 1024 * 1024;

function sessionsOf(tenant: Tenant): { next: number; readonly open: Map<string, TaskSession> } {
  return tenant.store.state('task-attachment-sessions', () => ({ next: 1, open: new Map<string, TaskSession>() }));
}

async function openSession(context: Context): Promise<Reply> {
  openTask(context);
  const { tenant, params, links } = context;
  const { attachmentInfo } = await context.json();
  if (!isJsonObject(attachmentInfo)) throw badRequest('outlook', 'The parameter attachmentInfo is required.');
  const { name, size, contentType } = attachmentInfo;
  if (typeof name !== 'string' || name === '' || typeof size !== 'number')
    throw badRequest('outlook', 'attachmentInfo needs a name and a size.');
  if (size > LARGEST_BYTES) throw fail(413, 'ErrorAttachmentSizeLimitExceeded', 'The attachment is larger than 25 MB.');
  const sessions = sessionsOf(tenant);
  const id = guidOf(tenant.seed, 'task-attachment-session', sessions.next);
  sessions.next += 1;
  const expiresMs = tenant.clock.nowMs() + tenant.switches.uploadSessionSeconds * 1000;
  const file = { name, contentType: typeof contentType === 'string' ? contentType : 'application/octet-stream' };
  sessions.open.set(id, { taskId: params[2] ?? '', ...file, sizeBytes: size, expiresMs, received: NO_BYTES });
  const [user, list, task] = params.map((part) => encodeURIComponent(part));
  return created({
    '@odata.context': links.context('microsoft.graph.uploadSession'),
    uploadUrl: `${links.graph}/users/${user}/todo/lists/${list}/tasks/${task}/attachmentSessions/${id}`,
    expirationDateTime: new Date(expiresMs).toISOString(),
    nextExpectedRanges: ['0-'],
  });
}

function requireSession(context: Context): TaskSession {
  openTask(context);
  const session = sessionsOf(context.tenant).open.get(context.params[3] ?? '');
  if (!session || session.taskId !== context.params[2] || session.expiresMs <= context.tenant.clock.nowMs())
    throw fail(404, 'ErrorItemNotFound', 'The upload session was not found.');
  return session;
}

/** Takes the next part. With the last one the file is on the task, and `Location` names it. */
async function takePart(context: Context): Promise<Reply> {
  const session = requireSession(context);
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/u.exec(context.headers['content-range'] ?? '');
  if (!range) throw badRequest('outlook', 'The Content-Range header is missing or not valid.');
  const data = await context.body(LARGEST_PART_BYTES);
  const [from, to, total] = [Number(range[1]), Number(range[2]), Number(range[3])];
  if (total !== session.sizeBytes || to - from + 1 !== data.byteLength) throw badRequest('outlook', 'Content-Range does not fit the body.');
  if (from !== session.received.sizeBytes) throw fail(416, 'ErrorInvalidRange', `The next expected byte is ${session.received.sizeBytes}.`);
  session.received = joined([session.received, context.tenant.received.add(data)]);
  if (session.received.sizeBytes < session.sizeBytes)
    return ok({
      ExpirationDateTime: new Date(session.expiresMs).toISOString(),
      NextExpectedRanges: [String(session.received.sizeBytes)],
    });
  sessionsOf(context.tenant).open.delete(context.params[3] ?? '');
  const { name, contentType, received } = session;
  const id = addFileTo(context, { name, contentType, bytes: received });
  const base = context.links.self.replace(/\/attachmentSessions\/.*$/u, '');
  return { status: 201, headers: { Location: `${base}/Attachments/${id}` } };
}

function cancelSession(context: Context): Reply {
  requireSession(context);
  sessionsOf(context.tenant).open.delete(context.params[3] ?? '');
  return noContent;
}

const service = 'outlook';
const TASK = '/users/{id}/todo/lists/{id}/tasks/{id}';

/** Files of tasks beyond 3 MB: parts of less than 4 MB, sent to Graph itself. */
export const taskSessionRoutes: readonly RouteEntry[] = [
  { method: 'POST', path: `${TASK}/attachments/createUploadSession`, service, handler: openSession },
  { method: 'PUT', path: `${TASK}/attachmentSessions/{id}/content`, service, handler: takePart },
  { method: 'DELETE', path: `${TASK}/attachmentSessions/{id}`, service, handler: cancelSession },
];
