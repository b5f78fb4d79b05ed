import { AppError } from '@holdfast/foundation/errors';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { once } from '@holdfast/foundation/streams';
import { isGraphError, type Body, type Known, type MailFolderRef, type MessageEntry } from '@holdfast/m365';
import type { MimeParser } from '../../mime/mime-parser.ts';
import type { ParsedAttachment, ParsedMail } from '../../mime/parsed-mail.ts';
import type { ItemVersion, Json } from '../../ports/item.ts';
import { contentOf, type ItemOutcome, type PlacedContainer, type RestoreContext } from '../restorer.ts';
import { createExistingMessages } from './existing-messages.ts';
import { fileAttachment, INLINE_LIMIT, itemAttachment, messageBody, messageDifferences, stateOf } from './message-body.ts';

/** The largest message that is held while it is put back. */
const MESSAGE_LIMIT = 256 * 1024 * 1024;
const REQUEST_LIMIT = INLINE_LIMIT;

interface Made {
  readonly id: string;
  readonly differences: readonly string[];
}

interface Attachments {
  readonly inRequest: readonly Body[];
  readonly uploads: readonly ParsedAttachment[];
  readonly differences: readonly string[];
}

function references(item: ItemVersion): readonly Body[] {
  const read = item.properties['read'] as { readonly references?: readonly Json[] } | undefined;
  return (read?.references ?? []).map((entry) => {
    const { id: _id, ...rest } = entry as Record<string, Json>;
    return rest;
  });
}

/** Puts messages back, one at a time each; several may run beside each other. */
export function createMessageRestorer(context: RestoreContext, parser: MimeParser) {
  const { request, graph, reader, pointAt } = context;
  const { mail } = graph.exchange;
  const userId = request.target.resource.graphId;
  const existing = createExistingMessages(mail, userId);

  async function nested(part: ParsedAttachment): Promise<Body | undefined> {
    try {
      const inner = await parser.parse(part.bytes);
      const isPlain = inner.attachments.every((one) => one.mediaType !== 'message/rfc822');
      return isPlain ? itemAttachment(inner.subject === '' ? part.name : inner.subject, inner) : undefined;
    } catch {
      return undefined;
    }
  }

  async function sortAttachments(item: ItemVersion, parsed: ParsedMail): Promise<Attachments> {
    const inRequest: Body[] = [...references(item)];
    const uploads: ParsedAttachment[] = [];
    const differences: string[] = [];
    let room = REQUEST_LIMIT;
    for (const part of parsed.attachments) {
      const sizeBytes = Math.ceil((part.bytes.byteLength * 4) / 3);
      const isSmall = sizeBytes < room;
      const rebuilt = part.mediaType === 'message/rfc822' && isSmall ? await nested(part) : undefined;
      if (part.mediaType === 'message/rfc822' && !rebuilt) differences.push('attachedMessageAsFile');
      if (isSmall) {
        inRequest.push(rebuilt ?? fileAttachment(part));
        room -= sizeBytes;
      } else {
        uploads.push(part);
      }
    }
    return { inRequest, uploads, differences };
  }

  async function upload(messageId: string, part: ParsedAttachment): Promise<void> {
    const { name, mediaType, isInline, contentId, bytes } = part;
    if (bytes.byteLength <= INLINE_LIMIT) {
      await mail.addAttachment({ userId, messageId }, fileAttachment(part));
      return;
    }
    const description = { name, contentType: mediaType, isInline, ...(contentId === undefined ? {} : { contentId }) };
    const source = { sizeBytes: bytes.byteLength, open: (offset: number) => once(bytes.subarray(offset)) };
    await mail.uploadAttachment({ userId, messageId }, description, source);
  }

  function recover(folder: MailFolderRef, internetMessageId: unknown): () => Promise<Known<object> | undefined> {
    return async () => {
      if (typeof internetMessageId !== 'string') return undefined;
      const before = await existing.find(folder.folderId, { properties: { internetMessageId }, name: '' } as unknown as ItemVersion);
      for await (const entry of mail.messages(folder, { internetMessageId })) {
        if (entry.id !== before?.id && !existing.isOurs(folder.folderId, entry.id)) return entry;
      }
      return undefined;
    };
  }

  async function createFromParts(folder: MailFolderRef, item: ItemVersion, raw: Uint8Array): Promise<Made> {
    const parsed = await parser.parse(raw);
    const attachments = await sortAttachments(item, parsed);
    const body = messageBody(item, parsed, attachments.inRequest);
    const created = await mail.createMessage(folder, body, { recover: recover(folder, body['internetMessageId']) });
    existing.add(folder.folderId, created.id);
    await crashPoint('restore.message-created');
    try {
      for (const part of attachments.uploads) await upload(created.id, part);
    } catch (error) {
      await mail.deleteMessage({ userId, messageId: created.id });
      throw error;
    }
    return { id: created.id, differences: [...attachments.differences, ...messageDifferences(item, body, { ...created })] };
  }

  async function create(folder: MailFolderRef, item: ItemVersion): Promise<Made> {
    const mime = contentOf(item, 'mime');
    if (!mime) throw new AppError('restore.unreadable', { message: 'Only parts of this message could be backed up.' });
    const raw = await reader.readAll(mime.ref, MESSAGE_LIMIT);
    if (item.properties['isDraft'] === true) {
      const draft = await mail.createDraftFromMime(folder, raw, { recover: recover(folder, item.properties['internetMessageId']) });
      existing.add(folder.folderId, draft.id);
      await mail.updateMessage({ userId, messageId: draft.id }, stateOf(item.properties));
      return { id: draft.id, differences: ['receivedDateTime', 'sentDateTime'] };
    }
    return createFromParts(folder, item, raw);
  }

  async function isExistingNewer(entry: MessageEntry): Promise<boolean> {
    const { lastModifiedDateTime } = await mail.message({ userId, messageId: entry.id });
    return Date.parse(lastModifiedDateTime ?? '') > Date.parse(pointAt);
  }

  function isSame(entry: MessageEntry, item: ItemVersion): boolean {
    return entry.id === item.key && entry.changeKey !== undefined && entry.changeKey === item.properties['changeKey'];
  }

  /** The new one is whole before the old one goes; a kill between them leaves both. */
  async function replace(folder: MailFolderRef, item: ItemVersion, old: MessageEntry): Promise<ItemOutcome> {
    const made = await create(folder, item);
    await crashPoint('restore.before-delete');
    try {
      await mail.deleteMessage({ userId, messageId: old.id });
    } catch (error) {
      if (!isGraphError(error, 'graph.item-gone')) throw error;
    }
    await crashPoint('restore.after-delete');
    return { outcome: 'replaced', targetId: made.id, differences: made.differences, bytes: item.sizeBytes };
  }

  async function decide(folder: MailFolderRef, item: ItemVersion, old: MessageEntry): Promise<ItemOutcome> {
    if (request.collisions === 'skip') return { outcome: 'skipped', targetId: old.id, code: 'restore.exists' };
    if (isSame(old, item)) return { outcome: 'skipped', targetId: old.id, code: 'restore.identical' };
    if (request.collisions === 'newerWins' && (await isExistingNewer(old))) {
      return { outcome: 'skipped', targetId: old.id, code: 'restore.existing-newer' };
    }
    return replace(folder, item, old);
  }

  return {
    async restore(item: ItemVersion, parent: PlacedContainer): Promise<ItemOutcome> {
      const folder = { userId, folderId: parent.targetId };
      const old = request.collisions === 'keepBoth' ? undefined : await existing.find(parent.targetId, item);
      if (old) return decide(folder, item, old);
      const made = await create(folder, item);
      return { outcome: 'restored', targetId: made.id, differences: made.differences, bytes: item.sizeBytes };
    },
    async collides(item: ItemVersion): Promise<boolean> {
      if (!context.isOriginal || item.parentKey === null) return false;
      try {
        return (await existing.find(item.parentKey, item)) !== undefined;
      } catch (error) {
        if (isGraphError(error, 'graph.folder-gone', 'graph.item-gone')) return false;
        throw error;
      }
    },
  };
}
