import { Failure, badRequest, fail, requireMatch } from '../http/failure.ts';
import { created, noContent, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import type { JsonObject } from '../values/json.ts';
import type { MailboxStore } from './mailbox.ts';
import type { MessageContent, MessageRecord } from './mailbox-state.ts';
import { sentTime } from './mime-message.ts';
import { requireChangeable, requireFolder, requireMailbox, requireMessage } from './open.ts';
import { partsOf } from './message-source.ts';
import { showMessage } from './read-routes.ts';
import { changeKeyOf, renderAttachment, viewOf } from './render-message.ts';
import {
  addAttachment,
  blankMessage,
  changeContent,
  CONTENT_PROPERTIES,
  editableContent,
  messageFromJson,
  readAttachment,
  readExtended,
  readMarks,
} from './write-message.ts';
import { DELETED, DELETIONS, PURGES, RECOVERABLE_ROOT } from './well-known-folders.ts';

const MESSAGE_LIMIT_BYTES = 4 * 1024 * 1024;
/** Base64 of 150 MB. */
const IMPORT_LIMIT_BYTES = 200 * 1024 * 1024;
function annotated(context: Context, mailbox: MailboxStore, record: MessageRecord): JsonObject {
  return {
    '@odata.context': context.links.context(`users('${mailbox.person.id}')/messages/$entity`),
    ...showMessage(context, mailbox, record),
  };
}

/** The MIME of a `text/plain` request: base64 of the bytes. */
async function readMimeBody(context: Context, requestBytes: number): Promise<Buffer> {
  const text = (await context.body(requestBytes)).toString('latin1');
  if (!/^[A-Za-z0-9+/=\s]+$/u.test(text)) throw badRequest('outlook', 'The MIME content is not valid base64.');
  return Buffer.from(text, 'base64');
}

function refuseOverQuota(context: Context): void {
  if (context.hasEffect('quota')) throw fail(507, 'ErrorQuotaExceeded', 'The mailbox has exceeded its quota.');
}

async function createMessage(context: Context): Promise<Reply> {
  const mailbox = requireMailbox(context);
  const folder = requireFolder(mailbox, context.params[1] ?? '');
  refuseOverQuota(context);
  if (/^text\/plain/iu.test(context.headers['content-type'] ?? '')) {
    const mime = context.tenant.received.add(await readMimeBody(context, MESSAGE_LIMIT_BYTES));
    return created(annotated(context, mailbox, mailbox.add({ ...blankMessage(mailbox, folder.number), content: { from: 'mime', mime } })));
  }
  const body = await context.json(MESSAGE_LIMIT_BYTES);
  return created(annotated(context, mailbox, messageFromJson(mailbox, folder.number, body)));
}

async function importMime(context: Context): Promise<Reply> {
  const mailbox = requireMailbox(context);
  if (!context.tenant.switches.betaImportMime) throw badRequest('core', "Resource not found for the segment 'importMime'.");
  const folder = requireFolder(mailbox, context.params[1] ?? '');
  refuseOverQuota(context);
  const mime = await readMimeBody(context, IMPORT_LIMIT_BYTES);
  const blank = blankMessage(mailbox, folder.number);
  const sentMs = sentTime(mime) ?? blank.sentMs;
  const content: MessageContent = { from: 'mime', mime: context.tenant.received.add(mime) };
  const record = mailbox.add({ ...blank, isDraft: false, isRead: false, sentMs, receivedMs: sentMs, content });
  return created(annotated(context, mailbox, record));
}

function changedContent(context: Context, mailbox: MailboxStore, record: MessageRecord, body: JsonObject): MessageContent {
  const names = CONTENT_PROPERTIES.filter((name) => body[name] !== undefined);
  if (names.length === 0) return record.content;
  requireChangeable(context, record);
  return changeContent(mailbox, editableContent(mailbox, record), Object.fromEntries(names.map((name) => [name, body[name]])));
}

async function changeMessage(context: Context): Promise<Reply> {
  const mailbox = requireMailbox(context);
  const record = requireMessage(mailbox, context.params[1] ?? '');
  requireMatch('outlook', context.headers['if-match'], `W/"${changeKeyOf(record.key, record.version)}"`);
  const body = await context.json();
  const content = changedContent(context, mailbox, record, body);
  const added = readExtended(body['singleValueExtendedProperties']);
  const names = new Set(added.map((property) => property.id.toLowerCase()));
  const extended = [...record.extended.filter((property) => !names.has(property.id.toLowerCase())), ...added];
  const changed = mailbox.put({ ...record, ...readMarks(body, record), content, extended }, { isContent: content !== record.content });
  return ok(annotated(context, mailbox, changed));
}

/** Deleting moves: to the deleted items, from there to what can still be recovered, from there away. */
export function deleteMessage(mailbox: MailboxStore, record: MessageRecord): void {
  const folder = mailbox.folder(record.folder);
  if (folder?.parent === RECOVERABLE_ROOT) mailbox.remove(record);
  else mailbox.put({ ...record, folder: record.folder === DELETED ? DELETIONS : DELETED }, { isContent: false });
}

function removeMessage(context: Context): Reply {
  const mailbox = requireMailbox(context);
  const record = requireMessage(mailbox, context.params[1] ?? '');
  requireMatch('outlook', context.headers['if-match'], `W/"${changeKeyOf(record.key, record.version)}"`);
  deleteMessage(mailbox, record);
  return noContent;
}

function purgeMessage(context: Context): Reply {
  const mailbox = requireMailbox(context);
  mailbox.put({ ...requireMessage(mailbox, context.params[1] ?? ''), folder: PURGES }, { isContent: false });
  return noContent;
}

/** For the fault: the message is deleted as a person would, between listing and reading. */
export function vanishMessage(context: Context): void {
  const mailbox = requireMailbox(context);
  mailbox.remove(requireMessage(mailbox, context.params[1] ?? ''));
}

async function postAttachment(context: Context): Promise<Reply> {
  const mailbox = requireMailbox(context);
  const record = requireMessage(mailbox, context.params[1] ?? '');
  requireChangeable(context, record);
  const body = await context.json(INLINE_BODY_BYTES);
  const { record: changed, index } = addAttachment(mailbox, record, readAttachment(mailbox, body));
  const attachment = partsOf(context.tenant, mailbox.person, changed).attachments[index];
  if (!attachment) throw new Failure(500, 'ErrorInternalServerError', 'The attachment was not stored.');
  const annotation = {
    '@odata.context': context.links.context(`users('${mailbox.person.id}')/messages('${context.params[1] ?? ''}')/attachments/$entity`),
  };
  return created({ ...annotation, ...renderAttachment(viewOf(context, mailbox.person, changed), attachment, index) });
}

/** Base64 of three megabytes, and what stands around it. */
const INLINE_BODY_BYTES = 4.5 * 1024 * 1024;
const service = 'outlook';

/** Creating, changing and deleting messages. */
export const writeRoutes: readonly RouteEntry[] = [
  { method: 'POST', path: '/users/{id}/mailFolders/{id}/messages', service, handler: createMessage },
  { method: 'POST', path: '/beta/users/{id}/mailFolders/{id}/importMime', service, handler: importMime },
  { method: 'PATCH', path: '/users/{id}/messages/{id}', service, handler: changeMessage },
  { method: 'DELETE', path: '/users/{id}/messages/{id}', service, handler: removeMessage },
  { method: 'POST', path: '/users/{id}/messages/{id}/permanentDelete', service, handler: purgeMessage },
  { method: 'POST', path: '/users/{id}/messages/{id}/attachments', service, handler: postAttachment },
];
