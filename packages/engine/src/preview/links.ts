import type { ParsedMail } from '../mime/parsed-mail.ts';
import type { ItemVersion, Json, JsonObject } from '../ports/item.ts';
import { decodeEntities, LONGEST_HTML } from '../shared/html-text.ts';

const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/giu;
const ADDRESS = /\bhttps?:\/\/[^\s<>"'“”„«»]+/giu;
/** What ends a sentence around an address and not the address. */
const SENTENCE_END = '.,;:!?)]}';

/** Links of Defender lead to a check first, which names where they were meant to lead. */
function meant(link: string): string {
  if (!/^https:\/\/[a-z0-9]+\.safelinks\.protection\.outlook\.com\//iu.test(link) || !URL.canParse(link)) return link;
  return new URL(link).searchParams.get('url') ?? link;
}

function withoutSentence(address: string): string {
  let end = address.length;
  while (end > 0 && SENTENCE_END.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}

const addressesIn = (text: string): readonly string[] =>
  [...text.slice(0, LONGEST_HTML).matchAll(ADDRESS)].map(([found]) => withoutSentence(found));

function hrefsIn(html: string): readonly string[] {
  return [...html.slice(0, LONGEST_HTML).matchAll(HREF)].map(([, double, single, plain]) =>
    decodeEntities(double ?? single ?? plain ?? '').trim(),
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that is a page where it has a tag. */
const linksInText = (text: string): readonly string[] => [
  ...hrefsIn(text),
  ...addressesIn(decodeEntities(text.replaceAll(/<[^>]*>/gu, ' '))),
];

/** The texts of what the service keeps as JSON: the body of a post, an event or a task, and the sections of a page. */
function textsOf(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsOf);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    (name === 'innerHtml' || name === 'content' || name === 'contentUrl') && typeof part === 'string' ? [part] : textsOf(part),
  );
}

/**
 * What is the same in all addresses of one file: the id that a page of Office names, the token of a sharing link, or the path. Undefined for
 * what is no address.
 */
export function addressKeyOf(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { protocol, hostname, pathname, searchParams } = new URL(link);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const id = /^\{?([0-9a-f-]{36})\}?$/iu.exec(searchParams.get('sourcedoc') ?? '')?.[1];
  if (id !== undefined) return `${hostname} ${id.toLowerCase()}`;
  // Tokens of sharing links tell capitals from small letters; paths do not.
  if (/^\/:[a-z]:\//u.test(pathname)) return `${hostname} ${pathname}`;
  let path = pathname;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    // An address that is encoded wrongly is what it is.
  }
  return `${hostname} ${path.replace(/\/$/u, '').toLowerCase()}`;
}

/** The addresses that lead to a file: its own, and those of the links with which it was shared. */
export function addressesOf({ kind, properties }: ItemVersion): readonly string[] {
  if (kind !== 'file') return [];
  const permissions = (Array.isArray(properties['permissions']) ? properties['permissions'] : []) as readonly {
    readonly link?: { readonly webUrl?: Json };
  }[];
  const links = [properties['webUrl'], ...permissions.map((one) => one.link?.webUrl)];
  return [...new Set(links.flatMap((link) => (typeof link === 'string' ? (addressKeyOf(link) ?? []) : [])))];
}

/** The addresses that an item links to, each once and in their order: those behind words, and those that are written out. */
export function linksOf(mail: Pick<ParsedMail, 'html' | 'text'> | undefined, stored: JsonObject | undefined): readonly string[] {
  const texts = mail
    ? [mail.html ?? '', mail.text ?? '']
    : ['body', 'attachments', 'canvasLayout'].flatMap((name) => textsOf(stored?.[name]));
  const links = texts.flatMap(linksInText).map(meant);
  return [...new Set(links)].filter((link) => /^https?:\/\/./iu.test(link));
}
