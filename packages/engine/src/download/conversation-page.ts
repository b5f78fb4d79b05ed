import type { ItemVersion } from '../ports/item.ts';

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function author(item: ItemVersion): string {
  const from = item.properties['from'] as
    | { readonly user?: { readonly displayName?: string } | null; readonly application?: { readonly displayName?: string } | null }
    | undefined;
  return from?.user?.displayName ?? from?.application?.displayName ?? 'Unknown sender';
}

/** A moment as people read it, to the second; what is none stays as it is. */
function readable(at: string): string {
  return at.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/u, '$1 $2 UTC');
}

/** Leaves out elements with all they contain; one that is not closed takes the rest with it. Each part of the text is read once. */
function without(html: string, element: string): string {
  // Only letters that keep their length, so that both texts have the same places.
  const lower = html.replaceAll(/[A-Z]/gu, (letter) => letter.toLowerCase());
  const kept: string[] = [];
  for (let at = 0; ;) {
    const begin = lower.indexOf(`<${element}`, at);
    kept.push(html.slice(at, begin < 0 ? undefined : begin));
    const end = begin < 0 ? -1 : lower.indexOf(`</${element}`, begin);
    if (end < 0) return kept.join('');
    at = end;
  }
}

const ENDS_LINE = /^(?:br|\/p|\/div|\/li|\/tr)/iu;

/** The text behind a tag, from what follows its first bracket. What is never closed is no tag. */
function afterTag(part: string): string {
  const end = part.indexOf('>');
  if (end < 0) return `<${part}`;
  return `${ENDS_LINE.test(part) ? '\n' : ''}${part.slice(end + 1)}`;
}

/** The text of a message without anything that runs or loads. */
function safeBody(item: ItemVersion): string {
  const { content = '', contentType } = (item.properties['body'] ?? {}) as { readonly content?: string; readonly contentType?: string };
  if (contentType !== 'html') return escape(content).replaceAll('\n', '<br>');
  const [first = '', ...rest] = without(without(content, 'script'), 'style').split('<');
  const text = first + rest.map(afterTag).join('');
  return text.trim().replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>');
}

/** What a message refers to: files are in a drive and are stored with it, so the page names them. */
function attached(item: ItemVersion): string {
  const attachments = (item.properties['attachments'] ?? []) as readonly {
    readonly name?: string | null;
    readonly contentUrl?: string | null;
  }[];
  const names = attachments.map(({ name, contentUrl }) => name ?? contentUrl ?? '').filter((name) => name !== '');
  return names.length === 0 ? '' : `<ul>${names.map((name) => `<li>${escape(name)}</li>`).join('')}</ul>`;
}

/** The head of a page of messages that can be read without a network and runs nothing. */
export function pageStart(title: string): string {
  return (
    `<!doctype html><html><head><meta charset="utf-8"><title>${escape(title)}</title>` +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">` +
    `<style>body{font-family:sans-serif;max-width:48rem;margin:2rem auto}article{margin:0 0 1rem}.reply{margin-left:2rem}time{color:#555;margin-left:.5rem}.hit{border-left:.25rem solid #0f6cbd;padding-left:.75rem}</style>` +
    `</head><body><h1>${escape(title)}</h1>\n`
  );
}

export const PAGE_END = '</body></html>\n';

/** A line between the messages of a page: where they begin and end, and what is not among them. */
export function pageNote(text: string): string {
  return `<p><em>${escape(text)}</em></p>\n`;
}

interface MessageMarks {
  /** The message that the page was made for. */
  readonly isHit?: boolean;
  /** It is no longer in Microsoft 365, whatever it says itself. */
  readonly isRemoved?: boolean;
}

function classOf({ kind }: ItemVersion, isHit: boolean): string {
  const names = [...(kind === 'reply' ? ['reply'] : []), ...(isHit ? ['hit'] : [])];
  return names.length === 0 ? '' : ` class="${names.join(' ')}"`;
}

/** One message of the page. */
export function pageMessage(item: ItemVersion, marks: MessageMarks = {}): string {
  const { isHit = false, isRemoved = false } = marks;
  const kind = classOf(item, isHit);
  const at = item.createdAt ?? '';
  const isDeleted = isRemoved || Boolean(item.properties['deletedDateTime']);
  const marked = [
    ...(isHit ? ['hit'] : []),
    ...(item.properties['lastEditedDateTime'] ? ['edited'] : []),
    ...(isDeleted ? ['deleted'] : []),
  ];
  const notes = marked.map((mark) => ` <em>(${mark})</em>`).join('');
  const subject = item.properties['subject'];
  const title = typeof subject === 'string' && subject !== '' ? `<h2>${escape(subject)}</h2>` : '';
  return `<article${kind}>${title}<b>${escape(author(item))}</b><time datetime="${escape(at)}">${escape(readable(at))}</time>${notes}<div>${safeBody(item) || '<em>(no text)</em>'}</div>${attached(item)}</article>\n`;
}
