import type { Preview } from '@holdfast/contract/content';
import type { ItemVersion, MailAddress, ParsedMail } from '@holdfast/engine';

const MAX_TEXT = 200_000;

function addressText({ name, address }: MailAddress): string {
  return name === '' || name === address ? address : `${name} <${address}>`;
}

/** Text of HTML without its markup: what can be read, and nothing that could run. */
export function textOfHtml(html: string): string {
  return html
    .replaceAll(/<(style|script|head)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, ' ')
    .replaceAll(/<br\s*\/?>|<\/(p|div|tr|li|h[1-6])\s*>/gi, '\n')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\n\s*\n\s*\n+/g, '\n\n')
    .trim();
}

function instantOf(text: string | undefined): string | null {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** The plain values of an item's properties, for people. Structures and long texts are left to the file. */
function plainProperties(item: ItemVersion): Preview['properties'] {
  return Object.entries(item.properties).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [{ name, value: String(value).slice(0, 500) }]
      : [],
  );
}

function versionsOf(item: ItemVersion): Preview['versions'] {
  return item.contents
    .filter((content) => content.role === 'version')
    .map((content) => ({ label: content.label ?? '', at: null, sizeBytes: content.ref.sizeBytes }));
}

/** A message made readable. Its HTML never leaves the server as HTML. */
export function previewOfMail(item: ItemVersion, mail: ParsedMail): Preview {
  return {
    kind: item.kind,
    title: mail.subject,
    from: mail.from.map(addressText).join(', ') || null,
    to: mail.to.map(addressText),
    cc: mail.cc.map(addressText),
    at: instantOf(mail.date ?? item.createdAt),
    text: (mail.text ?? textOfHtml(mail.html ?? '')).slice(0, MAX_TEXT),
    frame: null,
    attachments: mail.attachments.map((attachment, index) => ({
      index,
      name: attachment.name,
      mediaType: attachment.mediaType,
      sizeBytes: attachment.bytes.byteLength,
    })),
    properties: plainProperties(item),
    versions: [],
  };
}

function bodyText(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { content } = body as { readonly content?: unknown };
  return typeof content === 'string' ? content : undefined;
}

/** Any other item: what is known of it, and the text of its body where it has one. */
export function previewOfItem(item: ItemVersion): Preview {
  const content = bodyText(item.properties['body']);
  return {
    kind: item.kind,
    title: item.name,
    from: null,
    to: [],
    cc: [],
    at: instantOf(item.modifiedAt ?? item.createdAt),
    text: content === undefined ? null : textOfHtml(content).slice(0, MAX_TEXT),
    frame: null,
    attachments: [],
    properties: plainProperties(item),
    versions: versionsOf(item),
  };
}
