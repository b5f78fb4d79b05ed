import { deEncapsulateSync } from 'rtf-stream-parser';
import type { MapiAttachment, MapiItem, MapiProperties } from './mapi-item.ts';
import { codepageOf, decodeText, encodingOf, MAPI, numberOf, textOf, timeOf, TYPE } from './mapi-item.ts';
import { createMimeWriter, type MimeWriter } from './mime-writer.ts';
import { unpackRtf } from './unpack-rtf.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const RECIPIENT_LINES = { 1: 'To', 2: 'Cc', 3: 'Bcc' } as const;
const LARGEST_RTF = 16 * 1024 * 1024;

/** A time in the words that every language of a machine gives it in a header. */
function headerTime(time: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${DAYS[time.getUTCDay()]}, ${two(time.getUTCDate())} ${MONTHS[time.getUTCMonth()]} ${time.getUTCFullYear()}`;
  return `${day} ${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())} +0000`;
}

/** Outlook marks where the words of a reply begin by two signs before the subject. */
export function subjectOf(properties: MapiProperties): string {
  const subject = textOf(properties, MAPI.subject) ?? '';
  return subject.charCodeAt(0) === 1 ? subject.slice(2) : subject;
}

function first(properties: MapiProperties, ids: readonly number[]): string {
  for (const id of ids) {
    const text = textOf(properties, id)?.trim();
    if (text !== undefined && text !== '') return text;
  }
  return '';
}

/** Addresses of Exchange are names of a directory: what has no `@` is nobody's address. */
const mailAddress = (...texts: readonly string[]): string => texts.find((text) => /^[^\s@<>]+@[^\s@<>]+$/u.test(text)) ?? '';

function senderOf(properties: MapiProperties): { readonly name: string; readonly address: string } {
  const name = first(properties, [MAPI.representingName, MAPI.senderName]);
  const address = mailAddress(
    ...[MAPI.representingSmtp, MAPI.representingAddress, MAPI.senderSmtp, MAPI.senderAddress].map((id) => first(properties, [id])),
  );
  return { name, address };
}

/** The lines of a header that came with the message, less those that say how its body was written. */
function carriedLines(properties: MapiProperties): readonly string[] {
  const text = textOf(properties, MAPI.transportHeaders) ?? '';
  const lines = text
    .split(/\r?\n(?![ \t])/u)
    .map((line) => line.replaceAll(/\r?\n/gu, '\r\n').trimEnd())
    .filter((line) => /^[!-9;-~]+[ \t]*:/u.test(line));
  return lines.filter((line) => !/^(?:content-[a-z-]+|mime-version|x-reconstructed)[ \t]*:/iu.test(line));
}

/** What is not in the lines that came with it, from the properties. */
function writeHeader(writer: MimeWriter, { properties, recipients }: MapiItem): void {
  const carried = carriedLines(properties);
  for (const line of carried) writer.line(line);
  const names = new Set(carried.map((line) => line.slice(0, line.indexOf(':')).trim().toLowerCase()));
  const unless = (name: string, write: () => void): void => (names.has(name.toLowerCase()) ? undefined : write());
  const { name, address } = senderOf(properties);
  unless('From', () => name + address !== '' && writer.people('From', [{ name, address }]));
  for (const [type, line] of Object.entries(RECIPIENT_LINES)) {
    const those = recipients.filter((one) => (numberOf(one, MAPI.recipientType) ?? 1) % 16 === Number(type));
    const people = those.map((one) => ({
      name: first(one, [MAPI.displayName]),
      address: mailAddress(first(one, [MAPI.smtpAddress]), first(one, [MAPI.address])),
    }));
    unless(line, () => people.length > 0 && writer.people(line, people));
  }
  unless('Subject', () => writer.words('Subject', subjectOf(properties)));
  const time = timeOf(properties, MAPI.submitTime) ?? timeOf(properties, MAPI.deliveryTime) ?? timeOf(properties, MAPI.createdTime);
  unless('Date', () => time && writer.line(`Date: ${headerTime(time)}`));
  for (const [line, id] of [
    ['Message-ID', MAPI.messageId],
    ['In-Reply-To', MAPI.inReplyTo],
    ['References', MAPI.references],
  ] as const) {
    const value = first(properties, [id]).replaceAll(/\s+/gu, ' ');
    unless(line, () => value !== '' && writer.words(line, value));
  }
  unless('Importance', () => {
    const importance = numberOf(properties, MAPI.importance);
    if (importance === 0 || importance === 2) writer.line(`Importance: ${importance === 2 ? 'high' : 'low'}`);
  });
  writer.words('X-Reconstructed', `from an item of Outlook; class=${first(properties, [MAPI.messageClass]) || 'unknown'}`);
  writer.line('MIME-Version: 1.0');
}

interface Text {
  readonly type: string;
  readonly bytes: Buffer;
}

function htmlOf(properties: MapiProperties): Text | undefined {
  const html = properties.get(MAPI.html);
  if (!html || html.bytes.byteLength === 0) return undefined;
  // Bytes of a page keep the encoding that they were written in.
  if (html.type === TYPE.binary)
    return { type: `text/html; charset=${encodingOf(numberOf(properties, MAPI.codepage))}`, bytes: html.bytes };
  return { type: 'text/html; charset=utf-8', bytes: Buffer.from(decodeText(html, codepageOf(properties))) };
}

/** What Outlook has hidden in RTF: the page or the text that it was made of. */
function textOfRtf(properties: MapiProperties): Text | undefined {
  const packed = properties.get(MAPI.rtf)?.bytes;
  if (!packed || packed.byteLength < 16) return undefined;
  const rtf = unpackRtf(packed, LARGEST_RTF);
  if (!rtf) return undefined;
  try {
    const { mode, text } = deEncapsulateSync(rtf, {
      decode: (bytes: Buffer, encoding: string) => new TextDecoder(encoding.replace(/^cp(125\d|874)$/u, 'windows-$1')).decode(bytes),
    });
    const content = Buffer.isBuffer(text) ? text : Buffer.from(text);
    return { type: `text/${mode === 'html' ? 'html' : 'plain'}; charset=utf-8`, bytes: content };
  } catch {
    // It is RTF of its own, which mail programs open as a file.
    return { type: 'application/rtf; name=body.rtf', bytes: rtf };
  }
}

function textsOf(properties: MapiProperties): readonly Text[] {
  const plain = textOf(properties, MAPI.body) ?? '';
  const html = htmlOf(properties);
  const rich = html ?? textOfRtf(properties);
  const texts = plain === '' ? [] : [{ type: 'text/plain; charset=utf-8', bytes: Buffer.from(plain) }];
  const isOther = rich !== undefined && !(texts.length > 0 && rich.type.startsWith('text/plain'));
  return isOther ? [...texts, rich] : texts.length > 0 ? texts : [{ type: 'text/plain; charset=utf-8', bytes: Buffer.alloc(0) }];
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield await Promise.resolve(bytes);
}

async function writeTexts(writer: MimeWriter, texts: readonly Text[], path: string): Promise<void> {
  const [only] = texts;
  if (texts.length === 1 && only) return writer.content(only.type, once(only.bytes));
  const boundary = writer.multipart('alternative', path);
  for (const { type, bytes } of texts) {
    writer.line(`--${boundary}`);
    await writer.content(type, once(bytes));
  }
  writer.line(`--${boundary}--`);
}

async function writeAttachment(writer: MimeWriter, attachment: MapiAttachment, path: string): Promise<void> {
  const { properties, content, item } = attachment;
  const name = first(properties, [MAPI.attachmentName, MAPI.attachmentShortName, MAPI.displayName]) || 'attachment';
  if (item) {
    writer.line('Content-Type: message/rfc822');
    writer.disposition('attachment', `${name}.eml`);
    writer.line('');
    return writeItem(writer, item, path);
  }
  const mediaType = first(properties, [MAPI.attachmentMediaType]);
  const contentId = first(properties, [MAPI.contentId]).replaceAll(/[<>\s]/gu, '');
  writer.disposition(contentId !== '' && numberOf(properties, MAPI.isHiddenAttachment) === 1 ? 'inline' : 'attachment', name);
  if (contentId !== '') writer.line(`Content-ID: <${contentId}>`);
  const isType = /^[\w.+-]+\/[\w.+-]+$/u.test(mediaType) && !/^(?:message|multipart)\//iu.test(mediaType);
  await writer.content(isType ? mediaType : 'application/octet-stream', content?.bytes() ?? once(Buffer.alloc(0)));
}

async function writeItem(writer: MimeWriter, item: MapiItem, path: string): Promise<void> {
  writeHeader(writer, item);
  const texts = textsOf(item.properties);
  if (item.attachments.length === 0) return writeTexts(writer, texts, `${path}t`);
  const boundary = writer.multipart('mixed', `${path}m`);
  writer.line(`--${boundary}`);
  await writeTexts(writer, texts, `${path}t`);
  for (const [number, attachment] of item.attachments.entries()) {
    writer.line(`--${boundary}`);
    await writeAttachment(writer, attachment, `${path}a${number}`);
  }
  writer.line(`--${boundary}--`);
}

/** As much as a message of these properties and attachments takes. */
function estimate({ properties, attachments }: MapiItem): number {
  const texts = [...properties.values()].reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  const files = attachments.reduce((sum, { content, item }) => sum + (content?.sizeBytes ?? 0) + (item ? estimate(item) : 0), 0);
  return texts * 2 + Math.ceil(files * 1.4) + 8_192;
}

/**
 * A message made of an item, which never was one: the same item always makes the same bytes. Undefined where it would be
 * larger than a message may be.
 */
export async function mimeOfItem(item: MapiItem, limit: number): Promise<Buffer | undefined> {
  const expected = estimate(item);
  if (expected > limit * 2) return undefined;
  const writer = createMimeWriter(Math.min(expected, limit), limit);
  await writeItem(writer, item, '');
  return writer.end();
}
