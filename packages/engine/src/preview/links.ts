import type { ParsedMail } from '../mime/parsed-mail.ts';
import type { Json, JsonObject } from '../ports/item.ts';
import { decodeEntities, LONGEST_HTML } from '../shared/html-text.ts';

const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/giu;
const ADDRESS = /\bhttps?:\/\/[^\s<>"'“”„«»]+/giu;
/** What ends a sentence around an address and not the address. */
const SENTENCE_END = /[.,;:!?)\]}]$/u;

/** Links of Defender lead to a check first, which names where they were meant to lead. */
function meant(link: string): string {
  if (!/^https:\/\/[a-z0-9]+\.safelinks\.protection\.outlook\.com\//iu.test(link) || !URL.canParse(link)) return link;
  return new URL(link).searchParams.get('url') ?? link;
}

function withoutSentence(address: string): string {
  let end = address.length;
  while (end > 0 && SENTENCE_END.test(address.slice(0, end))) end -= 1;
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

/** The addresses that an item links to, each once and in their order: those behind words, and those that are written out. */
export function linksOf(mail: Pick<ParsedMail, 'html' | 'text'> | undefined, stored: JsonObject | undefined): readonly string[] {
  const texts = mail
    ? [mail.html ?? '', mail.text ?? '']
    : ['body', 'attachments', 'canvasLayout'].flatMap((name) => textsOf(stored?.[name]));
  const links = texts.flatMap(linksInText).map(meant);
  return [...new Set(links)].filter((link) => /^https?:\/\/./iu.test(link));
}
