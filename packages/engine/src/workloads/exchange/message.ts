import { AppError, isAppError } from '@holdfast/foundation/errors';
import { once } from '@holdfast/foundation/streams';
import { graphOutcome, isGraphError, type GraphClient, type MessageEntry, type MessageRef } from '@holdfast/m365';
import { tagOf } from '../../shared/canonical.ts';
import type { ContentSink, Defect, Draft, ReadItem } from '../../pipeline/step.ts';
import { AREAS } from './areas.ts';
import type { Content, ItemVersion, Json, JsonObject } from '../../ports/item.ts';

const KEPT = [
  'changeKey',
  'isRead',
  'flag',
  'categories',
  'receivedDateTime',
  'sentDateTime',
  'internetMessageId',
  'hasAttachments',
  'isDraft',
  'importance',
  'inferenceClassification',
  'conversationId',
  'from',
] as const satisfies readonly (keyof MessageEntry)[];

/** What may change of a message that has been sent without its content changing. */
const STATE = ['isRead', 'flag', 'categories', 'importance', 'inferenceClassification'] as const;

function propertiesOf(entry: MessageEntry): JsonObject {
  const out: Record<string, Json> = {};
  for (const name of KEPT) {
    const value = entry[name];
    if (value !== undefined && value !== null) out[name] = value as Json;
  }
  return out;
}

function baseTag(entry: MessageEntry): string {
  const { subject, from, sentDateTime, internetMessageId, hasAttachments, isDraft } = entry;
  const values = [subject, from as Json | undefined, sentDateTime, internetMessageId, hasAttachments, isDraft];
  return isDraft ? tagOf(...values, entry.changeKey) : tagOf(...values);
}

function pick(properties: JsonObject, names: readonly string[]): Json {
  return names.map((name) => properties[name] ?? null);
}

/**
 * Decides whether the MIME must be read again. A draft is read at every change. A sent message is
 * read again when something changed that neither its state nor its folder explains. Its text alone, changed together with
 * these, can't be told from them: docs/restore-fidelity.md says why.
 */
function contentTagOf(entry: MessageEntry, properties: JsonObject, previous: ItemVersion | undefined, parentKey: string | null): string {
  const base = baseTag(entry);
  if (!previous) return base;
  const [known = ''] = previous.contentTag.split('+');
  if (known !== base) return base;
  const isChanged = previous.properties['changeKey'] !== properties['changeKey'];
  const isExplained = tagOf(pick(properties, STATE)) !== tagOf(pick(previous.properties, STATE)) || previous.parentKey !== parentKey;
  return !isChanged || isExplained ? previous.contentTag : `${base}+${entry.changeKey ?? ''}`;
}

function hasAttachmentMarks(head: string): boolean {
  return /content-disposition:\s*attachment|multipart\/(?:mixed|report|signed)|message\/rfc822|application\//i.test(head);
}

/** Passes bytes through and looks whether the MIME carries attachments. */
async function* watching(bytes: AsyncIterable<Uint8Array>, seen: { marks: boolean }): AsyncGenerator<Uint8Array, void, undefined> {
  let carry = '';
  for await (const part of bytes) {
    if (!seen.marks) {
      const text = carry + Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1');
      seen.marks = hasAttachmentMarks(text);
      carry = text.slice(-64);
    }
    yield part;
  }
}

async function links(graph: GraphClient, ref: MessageRef): Promise<JsonObject | undefined> {
  const found: Json[] = [];
  for await (const attachment of graph.exchange.mail.attachments(ref)) {
    if (attachment['@odata.type' as keyof typeof attachment] === '#microsoft.graph.referenceAttachment')
      found.push(attachment as unknown as Json);
  }
  return found.length > 0 ? { references: found } : undefined;
}

function describe(error: unknown): string {
  return isAppError(error) ? error.code : 'internal';
}

function rethrowUnlessItem(error: unknown): void {
  const outcome = graphOutcome(error);
  if (outcome !== 'record' && outcome !== 'retry') throw error;
}

async function readParts(graph: GraphClient, ref: MessageRef, sink: ContentSink, cause: unknown): Promise<ReadItem> {
  const { mail } = graph.exchange;
  const defects: Defect[] = [{ code: describe(cause), tried: ['mime'] }];
  const contents: Content[] = [];
  try {
    const message = await mail.message(ref);
    contents.push(await sink.store('part', once(Buffer.from(JSON.stringify(message))), { kind: 'json', label: 'message.json' }));
  } catch (error) {
    rethrowUnlessItem(error);
    throw new AppError(isAppError(error) ? error.code : 'internal', { cause: error, details: { tried: ['mime', 'json'] } });
  }
  let index = 0;
  for await (const attachment of mail.attachments(ref)) {
    index += 1;
    try {
      const { bytes, contentType } = mail.attachmentContent({ ...ref, attachmentId: attachment.id });
      const mediaType = attachment.contentType ?? contentType;
      const label = attachment.name ?? attachment.id;
      contents.push(await sink.store('attachment', bytes, { kind: 'file', label, ...(mediaType ? { mediaType } : {}) }));
    } catch (error) {
      rethrowUnlessItem(error);
      defects.push({ code: describe(error), tried: ['mime', 'json', `attachment ${index}`] });
    }
  }
  return { contents, properties: { incomplete: true }, defects };
}

async function readMessage(graph: GraphClient, ref: MessageRef, entry: MessageEntry, sink: ContentSink): Promise<ReadItem> {
  const seen = { marks: false };
  let mime: Content;
  try {
    const { bytes } = graph.exchange.mail.mime(ref);
    const watched = entry.hasAttachments ? watching(bytes, seen) : bytes;
    mime = await sink.store('mime', watched, { kind: 'message', mediaType: 'message/rfc822' });
  } catch (error) {
    if (!isGraphError(error, 'graph.corrupt-item')) throw error;
    return readParts(graph, ref, sink, error);
  }
  const properties = entry.hasAttachments && !seen.marks ? await links(graph, ref) : undefined;
  return { contents: [mime], ...(properties ? { properties } : {}) };
}

export interface MessagePlace {
  readonly graph: GraphClient;
  readonly userId: string;
  /** The folder above all: its own messages are in the area. */
  readonly rootId: string;
}

/** A message as delta names it, with how to read it: MIME, else what is readable part by part. */
export function messageDraft(at: MessagePlace, entry: MessageEntry, previous: ItemVersion | undefined): Draft {
  const { graph, userId, rootId } = at;
  const parentId = entry.parentFolderId ?? null;
  const parentKey = parentId === rootId ? AREAS.mail : parentId;
  const properties = propertiesOf(entry);
  const ref = { userId, messageId: entry.id };
  return {
    key: entry.id,
    kind: 'message',
    parentKey,
    name: entry.subject ?? '',
    contentTag: contentTagOf(entry, properties, previous, parentKey),
    properties,
    ...(entry.sentDateTime ? { createdAt: entry.sentDateTime } : {}),
    ...(entry.receivedDateTime ? { modifiedAt: entry.receivedDateTime } : {}),
    read: (sink) => readMessage(graph, ref, entry, sink),
  };
}
