import type { ItemVersion } from '../ports/item.ts';

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function author(item: ItemVersion): string {
  const from = item.properties['from'] as
    | { readonly user?: { readonly displayName?: string } | null; readonly application?: { readonly displayName?: string } | null }
    | undefined;
  return from?.user?.displayName ?? from?.application?.displayName ?? '';
}

/** The text of a message without anything that runs or loads. */
function safeBody(item: ItemVersion): string {
  const { content = '', contentType } = (item.properties['body'] ?? {}) as { readonly content?: string; readonly contentType?: string };
  if (contentType !== 'html') return escape(content).replaceAll('\n', '<br>');
  const text = content
    .replaceAll(/<(script|style)[\s\S]*?<\/\1>/giu, '')
    .replaceAll(/<(?:br|\/p|\/div|\/li|\/tr)[^>]*>/giu, '\n')
    .replaceAll(/<[^>]*>/gu, '');
  return text.trim().replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>');
}

/** What a message refers to: files lie in a drive and are stored with it, so the page names them. */
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
    `<style>body{font-family:sans-serif;max-width:48rem;margin:2rem auto}article{margin:0 0 1rem}.reply{margin-left:2rem}time{color:#555;margin-left:.5rem}</style>` +
    `</head><body><h1>${escape(title)}</h1>\n`
  );
}

export const PAGE_END = '</body></html>\n';

/** One message of the page. */
export function pageMessage(item: ItemVersion): string {
  const kind = item.kind === 'reply' ? ' class="reply"' : '';
  const at = item.createdAt ?? '';
  const deleted = item.properties['deletedDateTime'] ? ' <em>(deleted)</em>' : '';
  const subject = item.properties['subject'];
  const title = typeof subject === 'string' && subject !== '' ? `<h2>${escape(subject)}</h2>` : '';
  return `<article${kind}>${title}<b>${escape(author(item))}</b><time datetime="${escape(at)}">${escape(at)}</time>${deleted}<div>${safeBody(item)}</div>${attached(item)}</article>\n`;
}
