import { sha256Hex } from '@holdfast/foundation/bytes';
import { collect } from '@holdfast/foundation/streams';
import { decodeWords } from 'postal-mime';
import { parseMail } from '../src/mime/parse-mail.ts';
import type { ParsedMail } from '../src/mime/parsed-mail.ts';
import { answered, type Answered, type ToldAs, type Values } from './answered.ts';
import { plainAnswer } from './plain-answers.ts';
import type { Rig } from './rig.ts';

const LIMIT = 64 * 1024 * 1024;

/** Header lines that describe how the parts are packed, not what the message says. */
const PACKAGING = /^(?:content-(?:type|transfer-encoding|disposition|language|length|id|description)|mime-version)$/u;
const PEOPLE = new Set(['from', 'sender', 'to', 'cc', 'bcc', 'reply-to']);
/** Formats in which the parts are all that there is to a message. */
const PLAIN_FORMATS = new Set(['text/plain', 'text/html', 'multipart/mixed', 'multipart/alternative', 'multipart/related']);

/** A header value as readers see it: how it is folded, quoted and encoded says nothing. */
function seen(name: string, value: string): string {
  const text = decodeWords(value).replaceAll(/\s+/gu, ' ').trim();
  if (name === 'date') return String(Date.parse(text.replace(/\([^)]*\)/u, '')));
  if (!PEOPLE.has(name)) return text;
  // An address that is its own name is said once.
  const once = text.replaceAll(/"?([^\s"<>,]+)"? <\1>/giu, '$1');
  return once.replaceAll(/[\s"'<>\\,;]/gu, '').toLowerCase();
}

/** A sender line that repeats the author says nothing: RFC 5322, 3.6.2 has it left out, and the service does. */
function repeatsAuthor({ sender, from }: ParsedMail): boolean {
  return from.length === 1 && sender[0]?.address !== undefined && sender[0].address === from[0]?.address;
}

function headersOf(mail: ParsedMail): ReadonlyMap<string, string> {
  const found = new Map<string, string[]>();
  for (const [name, value] of mail.headers) {
    const key = name.toLowerCase();
    if (key === 'sender' && repeatsAuthor(mail)) continue;
    if (!PACKAGING.test(key)) found.set(key, [...(found.get(key) ?? []), seen(key, value)]);
  }
  return new Map(
    [...found].map(([name, values]) => [`header ${name}`, values.every((value) => value === '') ? '' : JSON.stringify(values)]),
  );
}

/** Attached messages, and everything else that is attached. */
async function attachmentsOf(
  rig: Rig,
  ref: { readonly userId: string; readonly messageId: string },
): Promise<readonly [Values[], Values[]]> {
  const { mail } = rig.graph.exchange;
  const messages: Values[] = [];
  const files: Values[] = [];
  const { value } = await plainAnswer(rig, `/users/${ref.userId}/messages/${ref.messageId}/attachments?$top=100`);
  const plain = new Map((value as readonly (Values & { readonly id: string })[]).map((one) => [one.id, one]));
  for await (const attachment of mail.attachments(ref)) {
    const {
      contentBytes: _bytes,
      lastModifiedDateTime: _time,
      id,
      ...says
    } = { ...plain.get(attachment.id), ...attachment } as Values & {
      readonly id: string;
    };
    const isReference = says['@odata.type'] === '#microsoft.graph.referenceAttachment';
    const bytes = isReference ? Buffer.alloc(0) : await collect(mail.attachmentContent({ ...ref, attachmentId: id }).bytes, LIMIT);
    const isItem = says['@odata.type'] === '#microsoft.graph.itemAttachment';
    (isItem ? messages : files).push({ ...says, sha256: sha256Hex(bytes) });
  }
  return [messages, files];
}

/** Text with one kind of line end and none at the end. */
function textIn(body: unknown): unknown {
  const { contentType, content } = body as { readonly contentType: string; readonly content: string };
  return { contentType, content: content.replaceAll('\r\n', '\n').trimEnd() };
}

/** Everything that Graph answers for one message; header lines of its MIME are named `header NAME`. */
export async function answeredMessage(rig: Rig, userId: string, messageId: string): Promise<Answered> {
  const { mail } = rig.graph.exchange;
  const ref = { userId, messageId };
  const {
    internetMessageHeaders: _headers,
    singleValueExtendedProperties: _extended,
    body,
    ...says
  } = { ...(await mail.message(ref)) } as Values;
  const [messages, files] = await attachmentsOf(rig, ref);
  const parsed = await parseMail(await collect(mail.mime(ref).bytes, LIMIT));
  const answers = {
    ...says,
    body: textIn(body),
    attachments: files,
    attachedMessages: messages,
    plainText: parsed.html === undefined ? '' : (parsed.text ?? ''),
    messageFormat: PLAIN_FORMATS.has(parsed.mediaType) ? '' : parsed.mediaType,
  };
  return new Map([...answered(answers), ...headersOf(parsed)]);
}

/** Under which names a report can tell that a property of a message differs. */
export const MESSAGE_TOLD_AS: ToldAs = {
  'header from': ['from'],
  'header sender': ['sender', 'from'],
  'header to': ['toRecipients'],
  'header cc': ['ccRecipients'],
  'header bcc': ['bccRecipients'],
  'header reply-to': ['replyTo'],
  'header subject': ['subject'],
  'header date': ['sentDateTime'],
  'header message-id': ['internetMessageId'],
  attachments: ['attachedMessageAsFile'],
  attachedMessages: ['attachedMessageRebuilt', 'attachedMessageAsFile'],
};
