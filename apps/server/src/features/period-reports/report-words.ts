import { isErrorCode } from '@holdfast/contract/errors';
import type { Block, TableBlock, Verdict } from '@holdfast/contract/paper';
import { fill, phrasesOf, reasonText, type Language } from '../../http/language.ts';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** Texts, numbers and times as the readers of a report write them. */
export interface ReportWords {
  readonly phrases: ReturnType<typeof phrasesOf>;
  readonly own: ReturnType<typeof phrasesOf>['periodReports'];
  readonly count: (value: number) => string;
  readonly size: (bytes: number) => string;
  /** A day of a chart: 3 Oct. */
  readonly day: (date: string) => string;
  readonly date: (at: string) => string;
  /** The name of a month, from 1 for January. */
  readonly month: (number: number) => string;
  readonly moment: (at: string) => string;
  /** Why, in a sentence; nothing without a reason. */
  readonly reason: (code: string | null) => string;
}

/** Which of the units a size is written in. */
function powerOf(bytes: number): number {
  return bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
}

export function reportWords(language: Language, timeZone: string): ReportWords {
  const locale = language === 'de' ? 'de-DE' : 'en-GB';
  const phrases = phrasesOf(language);
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: language === 'de' ? 'numeric' : 'short', timeZone: 'UTC' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  const month = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return Object.freeze<ReportWords>({
    phrases,
    own: phrases.periodReports,
    count: (value) => number.format(value),
    size: (bytes) => `${number.format(bytes / 1024 ** powerOf(bytes))} ${UNITS[powerOf(bytes)]}`,
    day: (at) => day.format(new Date(`${at}T00:00:00Z`)),
    date: (at) => date.format(new Date(at)),
    month: (at) => month.format(Date.UTC(2000, at - 1)),
    moment: (at) => moment.format(new Date(at)),
    reason(code) {
      if (code === null) return '';
      return reasonText(code, language) ?? (isErrorCode(code) ? phrases.errors[code] : code);
    },
  });
}

/** A column of a table: what stands over it, what is in it, and how wide it is beside the others. */
export interface ReportColumn<Row> {
  readonly title: string;
  readonly of: (row: Row) => string;
  readonly width?: number;
  /** The number that it shows, for spreadsheets. */
  readonly number?: (row: Row) => number;
  /** The list of what it counts; without it, the cell leads where its row does. */
  readonly link?: (row: Row) => string;
}

export interface ReportRows<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  /** How many there are in all, where `rows` is cut. */
  readonly total?: number;
  readonly empty: string;
  readonly more?: string;
  /** The list of all of them, where `rows` is cut. */
  readonly moreLink?: string;
  readonly link?: (row: Row) => string;
}

/** A table of rows, with a line for those that it has no room for. */
export function tableOf<Row>(
  { title, rows, total = rows.length, empty, more = '', moreLink, link }: ReportRows<Row>,
  columns: readonly ReportColumn<Row>[],
): TableBlock {
  return {
    kind: 'table',
    title,
    empty,
    columns: columns.map(({ title: name, width = 2, number }) => ({ title: name, width, isNumber: number !== undefined })),
    rows: rows.map((row) => ({
      cells: columns.map(({ of }) => of(row)),
      values: columns.map(({ number }) => number?.(row) ?? null),
      ...(link ? { link: link(row) } : {}),
      ...(columns.some((column) => column.link) ? { links: columns.map((column) => column.link?.(row) ?? null) } : {}),
    })),
    ...(total > rows.length ? { more: fill(more, { count: total - rows.length }), ...(moreLink === undefined ? {} : { moreLink }) } : {}),
  };
}

type Figure = Extract<Block, { kind: 'figures' }>['figures'][number];

export function figure(label: string, value: string, link?: string): Figure {
  return { label, value, ...(link === undefined ? {} : { link }) };
}

type Part = NonNullable<Verdict['parts']>[number];

/** A sentence in pieces, in which each number leads to the list of what it counts. */
export function linkedParts(phrase: string, values: Readonly<Record<string, Part>>): Part[] {
  return phrase
    .split(/(\{\{\w+\}\})/)
    .filter((piece) => piece !== '')
    .map((piece) => values[piece.slice(2, -2)] ?? { text: piece });
}
