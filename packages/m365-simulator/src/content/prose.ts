import type { Random } from '@holdfast/foundation/random';
import type { Language } from '../state/directory.ts';
import { firstNames, partners } from '../values/names.ts';
import type { PhraseBook } from './phrase-book.ts';
import { german } from './phrases-de.ts';
import { english } from './phrases-en.ts';
import { between, pick } from '../values/seeded.ts';

const books: Readonly<Record<Language, PhraseBook>> = { en: english, de: german };

/** The words of a language. */
export function phraseBook(language: Language): PhraseBook {
  return books[language];
}

type Filler = (random: Random, book: PhraseBook) => string;

function dateOf(random: Random, book: PhraseBook): string {
  const day = between(random, 1, 28);
  const month = random.below(12);
  return book.language === 'de' ? `${day}. ${book.months[month]}` : `${day} ${book.months[month]}`;
}

function amountOf(random: Random, book: PhraseBook): string {
  const whole = Math.floor(10 ** (1 + random.next() * 4));
  const cents = random.below(100).toString().padStart(2, '0');
  return book.language === 'de' ? `${whole},${cents} €` : `£${whole}.${cents}`;
}

const fillers: Readonly<Record<string, Filler>> = {
  project: (random, book) => pick(random, book.projects),
  topic: (random, book) => pick(random, book.topics),
  document: (random, book) => pick(random, book.documents),
  part: (random, book) => pick(random, book.parts),
  company: (random) => pick(random, partners)[0],
  person: (random, book) => pick(random, firstNames[book.language]),
  city: (random, book) => pick(random, book.cities),
  day: (random, book) => pick(random, book.days),
  month: (random, book) => pick(random, book.months),
  date: dateOf,
  amount: amountOf,
  year: (random) => String(between(random, 2018, 2027)),
  number: (random) => String(Math.floor(10 ** (1 + random.next() * 4))),
  percent: (random) => String(between(random, 2, 48)),
  page: (random) => String(between(random, 2, 60)),
};

/** A template taken apart once: text and slots in turn. */
const compiled = new Map<string, readonly (string | Filler)[]>();

function compile(template: string): readonly (string | Filler)[] {
  const parts = template.split(/\{(\w+)\}/u).map((part, index) => (index % 2 === 0 ? part : (fillers[part] ?? part)));
  compiled.set(template, parts);
  return parts;
}

function fill(template: string, random: Random, book: PhraseBook): string {
  let out = '';
  for (const part of compiled.get(template) ?? compile(template)) out += typeof part === 'string' ? part : part(random, book);
  return out;
}

/** A subject line without prefix. */
export function subjectLine(random: Random, language: Language): string {
  const book = books[language];
  return fill(pick(random, book.subjects), random, book);
}

/** One sentence. */
export function sentence(random: Random, language: Language): string {
  const book = books[language];
  const text = fill(pick(random, book.sentences), random, book);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Some sentences. */
export function paragraph(random: Random, language: Language, count: number): string {
  return Array.from({ length: count }, () => sentence(random, language)).join(' ');
}

/** How a letter begins. */
export function opening(random: Random, language: Language): string {
  const book = books[language];
  return fill(pick(random, book.openings), random, book);
}

/** A name for a document, without extension. */
export function documentName(random: Random, language: Language): string {
  const book = books[language];
  return `${pick(random, book.documents)} ${pick(random, book.projects)} ${between(random, 2019, 2026)}`;
}
