import type { Attachment, MailboxSettings, MailFolder, Message, MessageRule, OutlookCategory } from '@microsoft/microsoft-graph-types';
import type { Body, Content, CreateOptions, Known, UploadSource } from '../client/calls.ts';
import type { Delta, DeltaCursor, Listing } from '../client/paging/paging-types.ts';
import type { UserRef } from '../directory/directory-api.ts';

export interface MailFolderRef extends UserRef {
  /** Id or well-known name (`inbox`, `msgfolderroot`, …). */
  readonly folderId: string;
}
export interface MessageRef extends UserRef {
  readonly messageId: string;
}
export interface AttachmentRef extends MessageRef {
  readonly attachmentId: string;
}

/** A message as delta names it: only what is needed to see that something changed. */
export type MessageEntry = Known<
  Pick<
    Message,
    | 'changeKey'
    | 'isRead'
    | 'flag'
    | 'categories'
    | 'parentFolderId'
    | 'receivedDateTime'
    | 'internetMessageId'
    | 'hasAttachments'
    | 'isDraft'
    | 'importance'
    | 'inferenceClassification'
    | 'subject'
    | 'from'
    | 'sentDateTime'
    | 'conversationId'
  >
>;

export interface MailCalls {
  /** Folders one level below the root, or below `parent`, hidden ones included. */
  folders(user: UserRef, parent?: { readonly folderId: string }): Listing<Known<MailFolder>>;
  folderDelta(user: UserRef, cursor?: DeltaCursor): Delta<Known<MailFolder>>;
  folder(folder: MailFolderRef): Promise<Known<MailFolder>>;
  /** A name that is taken fails with `graph.name-taken`: use the folder that has it. `isHidden` can be set here only. */
  createFolder(
    parent: UserRef & { readonly folderId?: string },
    folder: { readonly displayName: string; readonly isHidden?: boolean },
  ): Promise<Known<MailFolder>>;
  /** Many folders below one parent in few requests, in the order given; each may fail for itself. */
  createFolders(
    parent: UserRef & { readonly folderId?: string },
    folders: readonly { readonly displayName: string; readonly isHidden?: boolean }[],
  ): Promise<readonly ({ readonly folder: Known<MailFolder> } | { readonly error: Error })[]>;
  updateFolder(folder: MailFolderRef, change: Body): Promise<Known<MailFolder>>;
  /** With everything in it, to the deleted items. */
  deleteFolder(folder: MailFolderRef): Promise<void>;
  /** With all that is in it, past the recycle bin. */
  permanentlyDeleteFolder(folder: MailFolderRef): Promise<void>;
  messageDelta(folder: MailFolderRef, cursor?: DeltaCursor): Delta<MessageEntry>;
  /** Messages of a folder without change tracking; `internetMessageId` finds copies of one message. */
  messages(folder: MailFolderRef, options?: { readonly internetMessageId?: string }): Listing<MessageEntry>;
  /** All properties that MIME lacks, with headers and the extended properties of a faithful restore. */
  message(message: MessageRef): Promise<Known<Message>>;
  /** The message as MIME: the truth of a backup. Begins with the first read; a lost connection is continued. */
  mime(message: MessageRef): Content;
  /** One POST with everything in it; a message for restore carries its own dates and flags. */
  createMessage(folder: MailFolderRef, message: Body, options?: CreateOptions<Known<Message>>): Promise<Known<Message>>;
  /** From MIME: always an unsent draft received now. */
  createDraftFromMime(folder: MailFolderRef, mime: Uint8Array, options?: CreateOptions<Known<Message>>): Promise<Known<Message>>;
  /** Beta `importMime`, when the client was created with it switched on; otherwise `graph.not-implemented`. */
  importMime(folder: MailFolderRef, mime: Uint8Array, options?: CreateOptions<Known<Message>>): Promise<Known<Message>>;
  updateMessage(message: MessageRef, change: Body, options?: { readonly ifMatch?: string }): Promise<Known<Message>>;
  deleteMessage(message: MessageRef): Promise<void>;
  /** Past the recycle bin; for deletion jobs. */
  permanentlyDeleteMessage(message: MessageRef): Promise<void>;
  /** Without content; read it by `attachmentContent`. Reference attachments are complete. */
  attachments(message: MessageRef): Listing<Known<Attachment>>;
  /** Raw bytes of a file, or the MIME of an attached item. */
  attachmentContent(attachment: AttachmentRef): Content;
  /** Up to 3 MB in the body. */
  addAttachment(message: MessageRef, attachment: Body, options?: CreateOptions<Known<Attachment>>): Promise<Known<Attachment>>;
  /** 3 to 150 MB, in pieces. Returns the id of the attachment when the service names it. */
  uploadAttachment(
    message: MessageRef,
    attachment: AttachmentDescription,
    source: UploadSource,
  ): Promise<{ readonly attachmentId?: string }>;
}

export interface AttachmentDescription {
  readonly name: string;
  readonly contentType?: string;
  readonly isInline?: boolean;
  readonly contentId?: string;
}

export interface MailboxSettingsCalls {
  settings(user: UserRef): Promise<MailboxSettings>;
  updateSettings(user: UserRef, change: Body): Promise<MailboxSettings>;
  rules(user: UserRef): Listing<Known<MessageRule>>;
  createRule(user: UserRef, rule: Body, options?: CreateOptions<Known<MessageRule>>): Promise<Known<MessageRule>>;
  categories(user: UserRef): Listing<Known<OutlookCategory>>;
  createCategory(user: UserRef, category: { readonly displayName: string; readonly color: string }): Promise<Known<OutlookCategory>>;
}

export interface MailboxRef {
  /** From `mailboxId`, not a user id. */
  readonly mailboxId: string;
  /** The owner, whose budget is charged. */
  readonly userId: string;
}

export interface ExportedItem {
  readonly itemId: string;
  readonly changeKey?: string;
  /** The opaque stream. Absent when the item could not be exported. */
  readonly data?: Uint8Array;
  readonly error?: { readonly code: string; readonly message: string };
}

/** The full-fidelity stream of mailbox items: opaque, stored as it comes, given back as it was. */
export interface MailboxExportCalls {
  /** Id of the primary mailbox; `undefined` when the user has none. */
  mailboxId(user: UserRef): Promise<string | undefined>;
  folders(mailbox: MailboxRef): Listing<Known<Body>>;
  items(mailbox: MailboxRef, folderId: string): Listing<Known<Body>>;
  /** Any number of ids; sent in groups of 20. */
  exportItems(mailbox: MailboxRef, itemIds: readonly string[]): AsyncIterable<ExportedItem>;
  /** One session serves many imports until it expires; it is renewed inside. */
  importer(mailbox: MailboxRef): MailboxImporter;
}

export interface MailboxImporter {
  create(folderId: string, data: Uint8Array, options?: CreateOptions<ImportedItem>): Promise<ImportedItem>;
  update(
    target: { readonly folderId: string; readonly itemId: string; readonly changeKey: string },
    data: Uint8Array,
  ): Promise<ImportedItem>;
}

export interface ImportedItem {
  readonly itemId: string;
  readonly changeKey: string;
}
