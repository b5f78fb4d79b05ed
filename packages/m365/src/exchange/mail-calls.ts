import type { Attachment, MailFolder, Message } from '@microsoft/microsoft-graph-types';
import { graphError } from '../errors/errors.ts';
import { sendBatch } from '../client/batch.ts';
import type { Caller } from '../client/caller.ts';
import { asKnown } from '../client/checks.ts';
import type { CreateOptions, Known } from '../client/calls.ts';
import { readContent } from '../client/content/content.ts';
import { readDelta } from '../client/paging/delta.ts';
import { list } from '../client/paging/listing.ts';
import type { PageSize } from '../client/paging/page.ts';
import type { GraphCall } from '../client/request/graph-call.ts';
import { uploadAttachment } from './attachment-upload.ts';
import type { MailCalls, MailFolderRef, MessageEntry } from './mail-api.ts';

/** What an entry of a delta names. Only selected properties make a change visible: read state, flag and categories are among them. */
const ENTRY_FIELDS =
  'id,changeKey,isRead,flag,categories,parentFolderId,receivedDateTime,internetMessageId,hasAttachments,isDraft,importance,inferenceClassification,subject,from,sentDateTime,conversationId';
const MESSAGE_FIELDS = `${ENTRY_FIELDS},createdDateTime,lastModifiedDateTime,internetMessageHeaders,bodyPreview,conversationIndex,isDeliveryReceiptRequested,isReadReceiptRequested,webLink,body,sender,toRecipients,ccRecipients,bccRecipients,replyTo`;
/** Message flags, delivery time, submit time: what makes a restored message more than a draft. */
const EXTENDED = ['Integer 0x0E07', 'SystemTime 0x0E06', 'SystemTime 0x0039'].map((id) => `id eq '${id}'`).join(' or ');
const ATTACHMENT_FIELDS = 'id,name,contentType,size,isInline,lastModifiedDateTime';
const DELTA_PAGE: PageSize = { by: 'prefer', size: 500 };
const LIST_PAGE: PageSize = { by: 'top', size: 500 };
const FOLDER_PAGE: PageSize = { by: 'top', size: 250 };

type FolderCalls = Pick<MailCalls, 'folders' | 'folderDelta' | 'folder' | 'createFolder' | 'createFolders' | 'updateFolder'>;
type ReadCalls = Pick<MailCalls, 'messageDelta' | 'messages' | 'message' | 'mime' | 'attachments' | 'attachmentContent'>;
type WriteCalls = Omit<MailCalls, keyof FolderCalls | keyof ReadCalls>;

/** Creating a folder twice does no harm: the second answer is that the name is taken. */
function createFolderCall(parent: { readonly userId: string; readonly folderId?: string }, folder: object): GraphCall {
  const json = { isHidden: false, ...folder };
  if (parent.folderId === undefined) return { route: 'POST /users/{id}/mailFolders', params: [parent.userId], json, isRepeatable: true };
  return {
    route: 'POST /users/{id}/mailFolders/{id}/childFolders',
    params: [parent.userId, parent.folderId],
    json,
    isRepeatable: true,
  };
}

function folderCalls(caller: Caller): FolderCalls {
  const withHidden = { query: { includeHiddenFolders: 'true' } };
  return {
    folders: ({ userId }, parent) =>
      list<MailFolder>(
        caller,
        parent
          ? { route: 'GET /users/{id}/mailFolders/{id}/childFolders', params: [userId, parent.folderId], ...withHidden }
          : { route: 'GET /users/{id}/mailFolders', params: [userId], ...withHidden },
        FOLDER_PAGE,
      ),
    folderDelta: ({ userId }, cursor) =>
      readDelta<MailFolder>(caller, { call: { route: 'GET /users/{id}/mailFolders/delta', params: [userId] }, page: DELTA_PAGE }, cursor),
    folder: ({ userId, folderId }) => caller.known({ route: 'GET /users/{id}/mailFolders/{id}', params: [userId, folderId] }),
    createFolder: (parent, folder) => caller.known(createFolderCall(parent, folder)),
    async createFolders(parent, folders) {
      const results = await sendBatch(
        caller,
        folders.map((folder) => createFolderCall(parent, folder)),
      );
      return results.map((result) => ('error' in result ? result : { folder: asKnown<MailFolder>(result.answer.value) }));
    },
    updateFolder: ({ userId, folderId }, change) =>
      caller.known({ route: 'PATCH /users/{id}/mailFolders/{id}', params: [userId, folderId], json: change }),
  };
}

function listMessages(folder: MailFolderRef, filter?: string): GraphCall {
  return {
    route: 'GET /users/{id}/mailFolders/{id}/messages',
    params: [folder.userId, folder.folderId],
    query: { $select: ENTRY_FIELDS, ...(filter === undefined ? {} : { $filter: filter }) },
  };
}

function readCalls(caller: Caller): ReadCalls {
  return {
    messageDelta(folder, cursor) {
      const params = [folder.userId, folder.folderId];
      const call: GraphCall = { route: 'GET /users/{id}/mailFolders/{id}/messages/delta', params, query: { $select: ENTRY_FIELDS } };
      return readDelta<MessageEntry>(caller, { call, page: DELTA_PAGE, list: { call: listMessages(folder), page: LIST_PAGE } }, cursor);
    },
    messages(folder, options = {}) {
      const id = options.internetMessageId?.replaceAll("'", "''");
      return list<MessageEntry>(caller, listMessages(folder, id === undefined ? undefined : `internetMessageId eq '${id}'`), LIST_PAGE);
    },
    message: ({ userId, messageId }) =>
      caller.known<Message>({
        route: 'GET /users/{id}/messages/{id}',
        params: [userId, messageId],
        query: { $select: MESSAGE_FIELDS, $expand: `singleValueExtendedProperties($filter=${EXTENDED})` },
      }),
    mime: ({ userId, messageId }) => readContent(caller, { route: 'GET /users/{id}/messages/{id}/$value', params: [userId, messageId] }),
    attachments: ({ userId, messageId }) =>
      list<Attachment>(
        caller,
        { route: 'GET /users/{id}/messages/{id}/attachments', params: [userId, messageId], query: { $select: ATTACHMENT_FIELDS } },
        { by: 'top', size: 100 },
      ),
    attachmentContent: ({ userId, messageId, attachmentId }) =>
      readContent(caller, { route: 'GET /users/{id}/messages/{id}/attachments/{id}/$value', params: [userId, messageId, attachmentId] }),
  };
}

/** MIME goes into a JSON service as base64 text. */
function mimeBody(mime: Uint8Array): GraphCall['raw'] {
  return { bytes: Buffer.from(mime).toString('base64'), contentType: 'text/plain' };
}

function recoverable<T>(options: CreateOptions<T> | undefined): Pick<GraphCall, 'recover'> {
  return options?.recover ? { recover: options.recover } : {};
}

async function importMime(caller: Caller, isAllowed: boolean, call: GraphCall): Promise<Known<Message>> {
  if (!isAllowed) throw graphError('graph.not-implemented', { request: call.route, reason: 'beta is switched off' });
  return caller.known<Message>(call);
}

function writeCalls(caller: Caller, betaImportMime: boolean): WriteCalls {
  const inFolder = 'POST /users/{id}/mailFolders/{id}/messages';
  return {
    createMessage: ({ userId, folderId }, message, options) =>
      caller.known({ route: inFolder, params: [userId, folderId], json: message, ...recoverable(options) }),
    createDraftFromMime: ({ userId, folderId }, mime, options) =>
      caller.known({
        route: inFolder,
        params: [userId, folderId],
        raw: mimeBody(mime) ?? { bytes: '', contentType: '' },
        ...recoverable(options),
      }),
    importMime: ({ userId, folderId }, mime, options) =>
      importMime(caller, betaImportMime, {
        route: 'POST /beta/users/{id}/mailFolders/{id}/importMime',
        params: [userId, folderId],
        raw: { bytes: Buffer.from(mime).toString('base64'), contentType: 'text/plain' },
        ...recoverable(options),
      }),
    updateMessage: ({ userId, messageId }, change, options = {}) =>
      caller.known({
        route: 'PATCH /users/{id}/messages/{id}',
        params: [userId, messageId],
        json: change,
        ...(options.ifMatch === undefined ? {} : { headers: { 'if-match': options.ifMatch } }),
      }),
    deleteFolder: ({ userId, folderId }) => caller.remove({ route: 'DELETE /users/{id}/mailFolders/{id}', params: [userId, folderId] }),
    permanentlyDeleteFolder: ({ userId, folderId }) =>
      caller.remove({ route: 'POST /users/{id}/mailFolders/{id}/permanentDelete', params: [userId, folderId], isRepeatable: true }),
    deleteMessage: ({ userId, messageId }) => caller.remove({ route: 'DELETE /users/{id}/messages/{id}', params: [userId, messageId] }),
    permanentlyDeleteMessage: ({ userId, messageId }) =>
      caller.remove({ route: 'POST /users/{id}/messages/{id}/permanentDelete', params: [userId, messageId], isRepeatable: true }),
    addAttachment: ({ userId, messageId }, attachment, options) =>
      caller.known({
        route: 'POST /users/{id}/messages/{id}/attachments',
        params: [userId, messageId],
        json: attachment,
        ...recoverable(options),
      }),
    uploadAttachment: ({ userId, messageId }, attachment, source) =>
      uploadAttachment(
        caller,
        { route: 'POST /users/{id}/messages/{id}/attachments/createUploadSession', params: [userId, messageId], mailbox: userId },
        { ...attachment, source },
      ),
  };
}

/** Calls of mail folders, messages and attachments. */
export function createMailCalls(caller: Caller, options: { readonly betaImportMime: boolean }): MailCalls {
  return Object.freeze<MailCalls>({ ...folderCalls(caller), ...readCalls(caller), ...writeCalls(caller, options.betaImportMime) });
}
