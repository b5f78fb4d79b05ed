import { once } from '@holdfast/foundation/streams';
import type { Body } from '@holdfast/m365';
import type { MimeParser } from '../../mime/mime-parser.ts';
import type { ParsedAttachment, ParsedMail } from '../../mime/parsed-mail.ts';
import type { ItemVersion, Json } from '../../ports/item.ts';
import type { RestoreContext } from '../restorer.ts';
import { fileAttachment, INLINE_LIMIT, itemAttachment, POST_LIMIT } from './message-body.ts';

/** A message's attachments by how they travel. */
export interface Attachments {
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

/** Decides which attachments travel inside the message and which are uploaded after it, and uploads those. */
export function createAttachmentRestorer(context: RestoreContext, parser: MimeParser) {
  const { mail } = context.graph.exchange;
  const userId = context.request.target.resource.graphId;

  async function nested(part: ParsedAttachment): Promise<Body | undefined> {
    try {
      const inner = await parser.parse(part.bytes);
      const isPlain = inner.attachments.every((one) => one.mediaType !== 'message/rfc822');
      return isPlain ? itemAttachment(part, inner) : undefined;
    } catch {
      return undefined;
    }
  }

  async function sortAttachments(item: ItemVersion, parsed: ParsedMail): Promise<Attachments> {
    const inRequest: Body[] = [...references(item)];
    const uploads: ParsedAttachment[] = [];
    const differences: string[] = [];
    let room = INLINE_LIMIT;
    for (const part of parsed.attachments) {
      const sizeBytes = Math.ceil((part.bytes.byteLength * 4) / 3);
      const isSmall = sizeBytes < room;
      const rebuilt = part.mediaType === 'message/rfc822' && isSmall ? await nested(part) : undefined;
      if (part.mediaType === 'message/rfc822') differences.push(rebuilt ? 'attachedMessageRebuilt' : 'attachedMessageAsFile');
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
    if (bytes.byteLength <= POST_LIMIT) {
      await mail.addAttachment({ userId, messageId }, fileAttachment(part));
      return;
    }
    const description = { name, contentType: mediaType, isInline, ...(contentId === undefined ? {} : { contentId }) };
    const source = { sizeBytes: bytes.byteLength, open: (offset: number) => once(bytes.subarray(offset)) };
    await mail.uploadAttachment({ userId, messageId }, description, source);
  }

  return { sortAttachments, upload };
}
