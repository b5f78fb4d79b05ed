import { sha256Hex } from '@holdfast/foundation/bytes';
import type { AttachmentParts, Mailbox, MessageParts } from '../content/message-parts.ts';
import { bodyOf, decodeHeader, decodeText, type ReadPart, readMime } from './mime-reader.ts';

/** Addresses of a header: `"A, B" <a@b>, c@d`. Groups lose their names. */
export function readAddresses(value: string): Mailbox[] {
  const found: Mailbox[] = [];
  const text = value.replaceAll(/\r?\n[ \t]+/gu, ' ').replaceAll(/(?:^|[,\s])[^,:<>"@]+:(.*?);/gu, ' $1');
  for (const part of text.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/gu) ?? []) {
    const angled = /^(.*?)<([^<>]*)>\s*(?:\([^)]*\))?\s*$/su.exec(part);
    const address = (angled?.[2] ?? part.replaceAll(/\([^)]*\)/gu, '')).trim();
    const name = decodeHeader(
      (angled?.[1] ?? '')
        .trim()
        .replace(/^"(.*)"$/su, '$1')
        .replaceAll(/\\(.)/gu, '$1'),
    );
    if (address !== '') found.push({ name: name === '' ? address : name, address });
  }
  return found;
}

interface Found {
  html: string | undefined;
  text: string | undefined;
  readonly attachments: AttachmentParts[];
}

function attachmentOf(part: ReadPart): AttachmentParts {
  const isItem = part.type === 'message/rfc822';
  const bytes = bodyOf(part);
  const subject = isItem ? decodeHeader(readMime(bytes).headers.find(([name]) => name.toLowerCase() === 'subject')?.[1] ?? '') : '';
  return {
    kind: isItem ? 'item' : 'file',
    name: part.fileName ?? (subject === '' ? 'attachment' : subject),
    contentType: part.type,
    sizeBytes: bytes.byteLength,
    isInline: part.disposition === 'inline' || (part.disposition === '' && part.contentId !== undefined),
    contentId: part.contentId ?? null,
    bytes: () => bytes,
  };
}

function walk(part: ReadPart, found: Found): void {
  if (part.children.length > 0) {
    for (const child of part.children) walk(child, found);
    return;
  }
  const isBody = part.disposition !== 'attachment' && part.fileName === undefined;
  if (isBody && part.type === 'text/html' && found.html === undefined)
    found.html = decodeText(bodyOf(part), part.parameters.get('charset'));
  else if (isBody && part.type === 'text/plain' && found.text === undefined)
    found.text = decodeText(bodyOf(part), part.parameters.get('charset'));
  else if (!part.type.startsWith('multipart/')) found.attachments.push(attachmentOf(part));
}

function plainText(html: string): string {
  return html.replaceAll(/<(?:style|script)[\s\S]*?<\/(?:style|script)>/giu, ' ').replaceAll(/<[^>]+>/gu, ' ');
}

/** When a message says it was sent; `undefined` when it does not, or not in a way that can be read. */
export function sentTime(mime: Buffer): number | undefined {
  const value = readMime(mime).headers.find(([name]) => name.toLowerCase() === 'date')?.[1];
  const ms = value === undefined ? Number.NaN : Date.parse(value.replace(/\([^)]*\)/u, ''));
  return Number.isNaN(ms) ? undefined : ms;
}

/** The parts of a message that came in as MIME. */
export function mimeParts(mime: Buffer): MessageParts {
  const root = readMime(mime);
  const value = (name: string): string => root.headers.find(([other]) => other.toLowerCase() === name)?.[1] ?? '';
  const found: Found = { html: undefined, text: undefined, attachments: [] };
  walk(root, found);
  const from = readAddresses(value('from'))[0] ?? { name: '', address: '' };
  const text = found.text ?? plainText(found.html ?? '');
  const subject = decodeHeader(value('subject'));
  const messageId = value('message-id').trim();
  return {
    subject,
    from,
    sender: readAddresses(value('sender'))[0] ?? from,
    to: readAddresses(value('to')),
    cc: readAddresses(value('cc')),
    bcc: readAddresses(value('bcc')),
    replyTo: readAddresses(value('reply-to')),
    messageId: messageId === '' ? `<${sha256Hex(mime).slice(0, 32)}@imported>` : messageId,
    hasAttachments: found.attachments.some((attachment) => !attachment.isInline),
    conversation: `subject/${subject.replace(/^(?:(?:re|aw|fw|fwd|wg):\s*)+/iu, '').toLowerCase()}`,
    body: found.html === undefined ? { contentType: 'text', content: found.text ?? '' } : { contentType: 'html', content: found.html },
    preview: text.replaceAll(/\s+/gu, ' ').trim().slice(0, 255),
    headers: root.headers,
    attachments: found.attachments,
    mime: () => mime,
  };
}
