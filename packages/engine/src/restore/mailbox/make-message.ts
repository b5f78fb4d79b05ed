import { crashPoint } from '@holdfast/foundation/crash-point';
import { AppError } from '@holdfast/foundation/errors';
import { isGraphError, type Body, type Known, type MailFolderRef } from '@holdfast/m365';
import { carriedHeaders } from '../../mime/carried-headers.ts';
import type { MimeParser } from '../../mime/mime-parser.ts';
import type { ParsedMail } from '../../mime/parsed-mail.ts';
import type { ItemVersion } from '../../ports/item.ts';
import { contentOf, type RestoreContext } from '../restorer.ts';
import { createAttachmentRestorer } from './attachments.ts';
import type { ExistingMessages } from './existing-messages.ts';
import { INLINE_LIMIT, lossesOf, messageBody, messageDifferences, stateOf, withoutHeaders } from './message-body.ts';

/** The largest message that is held while it is put back. */
const MESSAGE_LIMIT = 256 * 1024 * 1024;

/** A message that is whole at the target. */
export interface MadeMessage {
  readonly id: string;
  readonly differences: readonly string[];
  /** The state that it was left in. */
  readonly mark: string;
}

interface ParsedItem {
  readonly item: ItemVersion;
  readonly parsed: ParsedMail;
}

/** Makes messages at the target: drafts from their MIME, others from their parts with their own times and state. */
export function createMessageMaker(context: RestoreContext, parser: MimeParser, existing: ExistingMessages) {
  const { mail } = context.graph.exchange;
  const { reader } = context;
  const userId = context.request.target.resource.graphId;
  const { sortAttachments, upload } = createAttachmentRestorer(context, parser);

  function recover(folder: MailFolderRef, internetMessageId: unknown): () => Promise<Known<object> | undefined> {
    return async () => {
      if (typeof internetMessageId !== 'string') return undefined;
      const before = await existing.like(folder.folderId, { properties: { internetMessageId }, name: '' });
      for await (const entry of mail.messages(folder, { internetMessageId })) {
        if (!before.some(({ id }) => id === entry.id) && !existing.isOurs(folder.folderId, entry.id)) return entry;
      }
      return undefined;
    };
  }

  /** A service that refuses the header lines of a message takes it without them. A draft has none. */
  async function createSent(folder: MailFolderRef, body: Body, { item, parsed }: ParsedItem) {
    const options = { recover: recover(folder, body['internetMessageId']) };
    try {
      return { created: await mail.createMessage(folder, body, options), refused: [] };
    } catch (error) {
      if (!isGraphError(error, 'graph.bad-request') || body['singleValueExtendedProperties'] === undefined) throw error;
      const created = await mail.createMessage(folder, withoutHeaders(body, item, parsed), options);
      return { created, refused: carriedHeaders(parsed).given };
    }
  }

  async function createFromParts(folder: MailFolderRef, item: ItemVersion, raw: Uint8Array): Promise<MadeMessage> {
    const parsed = await parser.parse(raw);
    const attachments = await sortAttachments(item, parsed);
    const { singleValueExtendedProperties, ...plain } = messageBody(item, parsed, attachments.inRequest);
    // Without a time of its arrival a message stays a draft.
    const body = item.properties['isDraft'] === true ? plain : { ...plain, singleValueExtendedProperties };
    const { created, refused } = await createSent(folder, body, { item, parsed });
    existing.add(folder.folderId, created.id);
    await crashPoint('restore.message-created');
    if (attachments.uploads.length > 0) await crashPoint('restore.before-attachments');
    try {
      for (const part of attachments.uploads) await upload(created.id, part);
    } catch (error) {
      // Half a message is no message: nobody is to find it among the deleted ones.
      await mail.permanentlyDeleteMessage({ userId, messageId: created.id });
      throw error;
    }
    const { changeKey } =
      attachments.uploads.length > 0 && context.beginnings.isNoted ? await mail.message({ userId, messageId: created.id }) : created;
    const hasAttachments = created.hasAttachments === true || attachments.uploads.some(({ isInline }) => !isInline);
    const told = [...lossesOf(parsed), ...refused, ...attachments.differences, ...messageDifferences(item, body, { ...created })];
    const isOther = hasAttachments !== (item.properties['hasAttachments'] === true);
    return { id: created.id, mark: changeKey ?? '', differences: [...new Set([...told, ...(isOther ? ['hasAttachments'] : [])])] };
  }

  async function create(folder: MailFolderRef, item: ItemVersion): Promise<MadeMessage> {
    const mime = contentOf(item, 'mime');
    if (!mime) throw new AppError('restore.unreadable', { message: 'Only parts of this message could be backed up.' });
    const raw = await reader.readAll(mime.ref, MESSAGE_LIMIT);
    // One that does not fit into a request is made of its parts like any other.
    if (item.properties['isDraft'] === true && raw.byteLength <= INLINE_LIMIT) {
      const draft = await mail.createDraftFromMime(folder, raw, { recover: recover(folder, item.properties['internetMessageId']) });
      existing.add(folder.folderId, draft.id);
      const { changeKey } = await mail.updateMessage({ userId, messageId: draft.id }, stateOf(item.properties));
      return { id: draft.id, mark: changeKey ?? '', differences: ['receivedDateTime', 'sentDateTime'] };
    }
    return createFromParts(folder, item, raw);
  }

  return { create };
}
