const SILENT = new Set(['script', 'style', 'head', 'title', 'template', 'noscript']);
const BREAKING = new Set(['br', 'p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'ul', 'ol', 'blockquote', 'hr']);
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', shy: '' };
/** Of a longer document only the beginning is read. */
export const LONGEST_HTML = 2_000_000;

/** A text of a page with the characters that it names. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/giu, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : '';
  });
}

function nameOf(tag: string): string {
  return /^\/?([a-z]\w*)/iu.exec(tag)?.[1]?.toLowerCase() ?? '';
}

/** Where the text after an element that says nothing goes on. */
function afterSilent(html: string, lower: string, name: string, from: number): number {
  const end = lower.indexOf(`</${name}`, from);
  if (end < 0) return html.length;
  const close = html.indexOf('>', end);
  return close < 0 ? html.length : close + 1;
}

/** Where a tag that begins at `start` ends, and what it leaves of the text. */
function passTag(html: string, lower: string, start: number): { readonly next: number; readonly text: string } {
  if (html.startsWith('<!--', start)) {
    const end = html.indexOf('-->', start + 4);
    return { next: end < 0 ? html.length : end + 3, text: '' };
  }
  const end = html.indexOf('>', start);
  if (end < 0) return { next: html.length, text: '' };
  const tag = html.slice(start + 1, end);
  const name = nameOf(tag);
  if (SILENT.has(name) && !tag.startsWith('/') && !tag.endsWith('/')) return { next: afterSilent(html, lower, name, end + 1), text: '' };
  if (name === 'td' || name === 'th') return { next: end + 1, text: tag.startsWith('/') ? '' : '\t' };
  return { next: end + 1, text: BREAKING.has(name) ? '\n' : '' };
}

/**
 * The words of an HTML document, without anything that could run, load or mislead: plain text is shown
 * as plain text. Reads each character once, however broken the markup is.
 */
export function htmlText(document: string): string {
  const html = document.slice(0, LONGEST_HTML);
  const lower = html.toLowerCase();
  const parts: string[] = [];
  for (let at = 0; at < html.length;) {
    const start = html.indexOf('<', at);
    if (start < 0) {
      parts.push(decodeEntities(html.slice(at).replaceAll(/\s+/gu, ' ')));
      break;
    }
    parts.push(decodeEntities(html.slice(at, start).replaceAll(/\s+/gu, ' ')));
    const passed = passTag(html, lower, start);
    parts.push(passed.text);
    at = passed.next;
  }
  return parts
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
}
