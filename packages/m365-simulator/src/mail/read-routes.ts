import { type DeltaOptions, deltaPage } from '../delta/delta-page.ts';
import type { Positions } from '../state/feed.ts';
import { listPage, requireTop } from '../delta/list-page.ts';
import { badRequest, fail, notFound } from '../http/failure.ts';
import { readFilter } from '../http/filter.ts';
import { readOrderBy } from '../http/order-by.ts';
import type { JsonObject, JsonValue } from '../values/json.ts';
import { project, type Query } from '../http/query.ts';
import { bytes, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { serialOf } from '../state/serial.ts';
import { mailIds } from './mail-ids.ts';
import type { MailboxStore } from './mailbox.ts';
import { folderSeed, receivedMs } from './folder-seed.ts';
import { generatedRecord } from './generated-record.ts';
import type { FolderRecord, MessageRecord } from './mailbox-state.ts';
import type { AttachmentParts } from '../content/message-parts.ts';
import { mimeOf, partsOf } from './message-source.ts';
import { backwards, byReceived } from './newest-first.ts';
import { requireFolder, requireMailbox, requireMessage } from './open.ts';
import { messageProperties, renderAttachment, renderMessage, viewOf } from './render-message.ts';
import { canWrite, writeEntries } from './write-entries.ts';

const BASIC_ROLES = ['Mail.Read', 'Mail.ReadWrite', 'Mail-Advanced.ReadWrite.All'];
const HIDDEN_FROM_BASIC = ['body', 'bodyPreview', 'uniqueBody'];

/** With Mail.ReadBasic.All alone there is no body, no attachment and no extended property. */
export function isBasicOnly(context: Context): boolean {
  return !BASIC_ROLES.some((role) => context.caller.roles.has(role));
}

function checkSelect(select: readonly string[] | undefined): void {
  const unknown = select?.find((name) => !messageProperties.has(name) && name !== '*');
  if (unknown !== undefined)
    throw badRequest('outlook', `Could not find a property named '${unknown}' on type 'Microsoft.OutlookServices.Message'.`);
}

const EXPANDED_ID = /id\s+eq\s+'((?:[^']|'')+)'/giu;

/** The extended properties that `$expand=singleValueExtendedProperties($filter=…)` names and the message has. */
function expandedProperties(query: Query, record: MessageRecord): JsonValue | undefined {
  const expand = query.expand.find((entry) => entry.name === 'singleValueExtendedProperties');
  if (!expand) return undefined;
  const wanted = [...(expand.options.get('$filter') ?? '').matchAll(EXPANDED_ID)].map((found) =>
    (found[1] ?? '').replaceAll("''", "'").toLowerCase(),
  );
  const found = record.extended.filter((property) => wanted.includes(property.id.toLowerCase()));
  return found.length === 0 ? undefined : found.map((property) => ({ id: property.id, value: property.value }));
}

/** A message as this request wants it. */
export function showMessage(context: Context, mailbox: MailboxStore, record: MessageRecord, query: Query = context.query): JsonObject {
  const view = viewOf(context, mailbox.person, record);
  const select = query.select?.includes('*') ? undefined : query.select;
  const out = renderMessage(view, select);
  if (isBasicOnly(context)) for (const name of HIDDEN_FROM_BASIC) delete out[name];
  const extended = isBasicOnly(context) ? undefined : expandedProperties(query, record);
  if (extended !== undefined) out['singleValueExtendedProperties'] = extended;
  if (query.expands('attachments') && !isBasicOnly(context)) {
    out['attachments'] = partsOf(context.tenant, mailbox.person, record).attachments.map((attachment, index) =>
      renderAttachment(view, attachment, index),
    );
  }
  if (context.prefer.isImmutableId) context.prefer.applied('IdType="ImmutableId"');
  return out;
}

function includes(record: MessageRecord, query: Query): boolean {
  if (query.filter === undefined) return true;
  return readFilter(query.filter, 'outlook')({ receivedDateTime: new Date(record.receivedMs).toISOString() });
}

type DeltaRender = DeltaOptions<MessageRecord>['render'];
type DeltaWriter = NonNullable<DeltaOptions<MessageRecord>['writeEntries']>;

function checkDeltaQuery(query: Query): void {
  if (query.filter !== undefined && !/^\s*receivedDateTime\s+(?:ge|gt)\s+\S+\s*$/u.test(query.filter)) {
    throw badRequest('outlook', 'The delta query supports only filters on receivedDateTime with ge or gt.');
  }
  if (query.orderBy !== undefined && !/^\s*receivedDateTime\s+desc\s*$/u.test(query.orderBy)) {
    throw badRequest('outlook', 'The delta query supports only $orderby=receivedDateTime desc.');
  }
}

/** Everything that a page of messages depends on, besides its query. */
function stateKeyOf(context: Context, mailbox: MailboxStore): string {
  const { prefer } = context;
  if (prefer.isImmutableId) prefer.applied('IdType="ImmutableId"');
  return `${mailbox.state.journal.length} ${prefer.isImmutableId} ${prefer.bodyContentType ?? ''} ${isBasicOnly(context)} ${serialOf(mailbox.state)}`;
}

/** Entries in bytes, as long as nobody has changed the mailbox and the request asks for nothing unusual. */
function entryWriter(context: Context, mailbox: MailboxStore, folder: FolderRecord, render: DeltaRender): DeltaWriter {
  const { tenant, person, state } = mailbox;
  const seed = folderSeed(tenant, person, folder);
  return (query, from, to) => {
    const { select } = query;
    if (state.items.size > 0 || query.filter !== undefined || query.expand.length > 0 || !canWrite(select)) return undefined;
    const source = { tenant, person, seed, isImmutable: context.prefer.isImmutableId, select };
    return writeEntries({ ...source, render: (index) => render(generatedRecord(seed, index), query) }, from, to);
  };
}

function messagesDelta(context: Context): Reply {
  const mailbox = requireMailbox(context);
  const folder = requireFolder(mailbox, context.params[1] ?? '');
  const ids = mailIds(mailbox.person.id);
  checkSelect(context.query.select);
  checkDeltaQuery(context.query);
  requireTop(context, 1000);
  if (context.hasEffect('quota'))
    throw fail(403, 'ErrorQuotaExceeded', 'The mailbox has exceeded its quota; the sync state cannot be saved.');
  const type = '#microsoft.graph.message';
  const render: DeltaRender = (record, query) => ({ '@odata.type': type, ...showMessage(context, mailbox, record, query) });
  return deltaPage(context, {
    feed: mailbox.feed(folder),
    resource: `mail/${mailbox.person.id}/${folder.number}`,
    context: 'Collection(message)',
    defaultSize: 10,
    maxSize: 1000,
    stateKey: stateKeyOf(context, mailbox),
    includes,
    render,
    writeEntries: entryWriter(context, mailbox, folder, render),
    removed: (key) => ({
      '@odata.type': type,
      id: ids.message(key, folder.number, context.prefer.isImmutableId),
      '@removed': { reason: 'deleted' },
    }),
  });
}

/** Newest first, unless the request asks for the oldest; no other order is served for messages. */
function inOrder(context: Context, mailbox: MailboxStore, folder: FolderRecord): Positions<MessageRecord> {
  const [order, ...more] = context.query.orderBy === undefined ? [] : readOrderBy(context.query.orderBy, 'outlook');
  if (order && (order.path !== 'receivedDateTime' || more.length > 0))
    throw badRequest('outlook', 'Messages can be ordered by receivedDateTime alone.');
  const seed = folderSeed(context.tenant, mailbox.person, folder);
  const newest = byReceived(mailbox.feed(folder), folder, (position) => receivedMs(seed, position));
  return order && !order.isDescending ? backwards(newest) : newest;
}

function listMessages(context: Context): Reply {
  const mailbox = requireMailbox(context);
  const folder = requireFolder(mailbox, context.params[1] ?? '');
  const { query } = context;
  checkSelect(query.select);
  const filter = query.filter === undefined ? undefined : readFilter(query.filter, 'outlook');
  return listPage(context, {
    items: inOrder(context, mailbox, folder),
    context: `users('${mailbox.person.id}')/mailFolders('${mailIds(mailbox.person.id).folder(folder.number)}')/messages`,
    defaultSize: 10,
    maxSize: 1000,
    isTopStrict: true,
    render: (record) => showMessage(context, mailbox, record),
    ...(filter ? { includes: (record: MessageRecord) => filter(renderMessage(viewOf(context, mailbox.person, record), FILTERED)) } : {}),
  });
}

/** Properties that a filter of a message list may look at. */
const FILTERED = [
  'receivedDateTime',
  'sentDateTime',
  'createdDateTime',
  'lastModifiedDateTime',
  'subject',
  'internetMessageId',
  'isRead',
  'isDraft',
  'hasAttachments',
  'importance',
  'categories',
  'from',
  'flag',
  'conversationId',
];

function getMessage(context: Context): Reply {
  const mailbox = requireMailbox(context);
  const record = requireMessage(mailbox, context.params[1] ?? '');
  checkSelect(context.query.select);
  refuseCorrupt(context);
  const annotation = { '@odata.context': context.links.context(`users('${mailbox.person.id}')/messages/$entity`) };
  return ok({ ...annotation, ...showMessage(context, mailbox, record) });
}

function refuseCorrupt(context: Context): void {
  if (context.hasEffect('corruptMessage')) throw fail(500, 'ErrorCorruptData', 'Data is corrupt.');
}

function getMime(context: Context): Reply {
  const mailbox = requireMailbox(context);
  const record = requireMessage(mailbox, context.params[1] ?? '');
  refuseCorrupt(context);
  return bytes(mimeOf(context.tenant, mailbox.person, record), 'text/plain');
}

function listAttachments(context: Context): Reply {
  const mailbox = requireMailbox(context);
  const record = requireMessage(mailbox, context.params[1] ?? '');
  refuseCorrupt(context);
  const view = viewOf(context, mailbox.person, record);
  const { attachments } = partsOf(context.tenant, mailbox.person, record);
  return listPage(context, {
    items: { size: attachments.length, at: (index) => ({ attachment: attachments[index] as AttachmentParts, index }) },
    context: `users('${mailbox.person.id}')/messages('${context.params[1] ?? ''}')/attachments`,
    defaultSize: 100,
    maxSize: 999,
    render: ({ attachment, index }) => project(renderAttachment(view, attachment, index), context.query.select),
  });
}

/** The attachment that the path names, or 404. */
export function requireAttachment(
  context: Context,
  mailbox: MailboxStore,
  record: MessageRecord,
): { readonly attachment: AttachmentParts; readonly index: number } {
  const found = mailIds(mailbox.person.id).readAttachment(context.params[2] ?? '');
  const attachment = found?.key === record.key ? partsOf(context.tenant, mailbox.person, record).attachments[found.index] : undefined;
  if (!found || !attachment) throw notFound('outlook');
  return { attachment, index: found.index };
}

function getAttachmentValue(context: Context): Reply {
  const mailbox = requireMailbox(context);
  const record = requireMessage(mailbox, context.params[1] ?? '');
  const { attachment } = requireAttachment(context, mailbox, record);
  if (context.hasEffect('corruptAttachment')) throw fail(500, 'ErrorCannotOpenFileAttachment', 'The attachment could not be opened.');
  if (attachment.kind === 'reference') throw fail(405, 'ErrorInvalidRequest', 'A reference attachment has no content.');
  return bytes(attachment.bytes(), attachment.kind === 'item' ? 'text/plain' : attachment.contentType);
}

const service = 'outlook';
const DELTA = ['$select', '$top', '$filter', '$orderby', '$expand', 'changeType'];

/** Reading messages and attachments. */
export const readRoutes: readonly RouteEntry[] = [
  {
    method: 'GET',
    path: '/users/{id}/mailFolders/{id}/messages',
    service,
    query: ['$select', '$top', '$skip', '$filter', '$orderby', '$count', '$expand'],
    handler: listMessages,
  },
  { method: 'GET', path: '/users/{id}/mailFolders/{id}/messages/delta', service, query: DELTA, handler: messagesDelta },
  { method: 'GET', path: '/users/{id}/messages/{id}', service, query: ['$select', '$expand'], handler: getMessage },
  { method: 'GET', path: '/users/{id}/messages/{id}/$value', service, handler: getMime },
  {
    method: 'GET',
    path: '/users/{id}/messages/{id}/attachments',
    service,
    query: ['$select', '$top', '$expand'],
    handler: listAttachments,
  },
  { method: 'GET', path: '/users/{id}/messages/{id}/attachments/{id}/$value', service, handler: getAttachmentValue },
];
