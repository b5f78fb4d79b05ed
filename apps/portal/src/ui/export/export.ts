import { exportMaxWorksheets, exportSheetNameLength } from '@holdfast/contract/limits';
import type { Translate } from '../../i18n/phrase-key.ts';

/** A value in a cell of an export. */
export type ExportValue = string | number | boolean | null;
/** Rows are plain objects; each has the same members, in the order of the columns. */
export type ExportRow = Readonly<Record<string, ExportValue>>;

export const outputTypes = ['xlsx', 'csv'] as const;
export type OutputType = (typeof outputTypes)[number];

export interface ExportRequest {
  readonly rows: readonly ExportRow[];
  /** Of file and sheet. */
  readonly name: string;
  /** The header row is skipped unless titles are given. */
  readonly titles?: readonly string[];
  readonly output: string;
}

export interface ExportedFile {
  readonly name: string;
  readonly blob: Blob;
}

/** What Excel itself can take; the specification's constants are one more for the name. */
const excelSheetNameLength = exportSheetNameLength - 1;
const excelMaxRows = 1_048_576;

/** File and sheet carry the given name with slashes changed to underscores. */
export function fileNameFor(name: string, output: OutputType): string {
  return `${name.replaceAll('/', '_')}.${output}`;
}

/** The sheet's name: what Excel refuses becomes an underscore too, and it is cut to what Excel accepts. */
export function sheetNameFor(name: string, position: number): string {
  const safe = name.replaceAll(/[\\/?*[\]:]/g, '_') || 'Sheet';
  const suffix = position === 0 ? '' : ` (${position + 1})`;
  return safe.slice(0, excelSheetNameLength - suffix.length) + suffix;
}

/** A text that a spreadsheet would take for a formula gets an apostrophe before it. */
export function withoutFormula(text: string): string {
  // oxlint-disable-next-line no-control-regex -- tab, return and NUL are among what starts a formula
  return /^[=+\-@\t\r\u0000]/.test(text) ? `'${text}` : text;
}

function csvField(value: ExportValue): string {
  if (value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = withoutFormula(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Comma between fields, newline between rows, UTF-8 with byte order mark. */
export function csvText(rows: readonly ExportRow[], titles: readonly string[] = []): string {
  const lines = rows.map((row) => Object.values(row).map(csvField).join(','));
  const head = titles.length === 0 ? [] : [titles.map(csvField).join(',')];
  return `\uFEFF${[...head, ...lines].join('\n')}`;
}

/** Rows in sheets that Excel can hold. */
export function sheetsOf<Row>(rows: readonly Row[], perSheet = excelMaxRows): readonly (readonly Row[])[] {
  const sheets: Row[][] = [];
  for (let start = 0; start < Math.max(rows.length, 1); start += perSheet) sheets.push(rows.slice(start, start + perSheet));
  if (sheets.length > exportMaxWorksheets) throw new RangeError(`More than ${exportMaxWorksheets} worksheets.`);
  return sheets;
}

type Cell =
  | { readonly value: string; readonly type: StringConstructor }
  | { readonly value: number; readonly type: NumberConstructor }
  | null;

/** Strings are written as strings, never as formulas. */
function cellOf(value: ExportValue): Cell {
  if (value === null) return null;
  if (typeof value === 'number') return { value, type: Number };
  return { value: withoutFormula(String(value)), type: String };
}

async function xlsxBlob({ rows, name, titles = [] }: ExportRequest): Promise<Blob> {
  const { default: writeXlsxFile } = await import('write-excel-file/browser');
  const perSheet = excelMaxRows - (titles.length === 0 ? 0 : 1);
  const head = titles.length === 0 ? [] : [titles.map(cellOf)];
  const sheets = sheetsOf(rows, perSheet).map((part, position) => ({
    sheet: sheetNameFor(name, position),
    data: [...head, ...part.map((row) => Object.values(row).map(cellOf))],
  }));
  return await writeXlsxFile(sheets as never).toBlob();
}

/** One sheet of a workbook: its name, the titles of its columns, its rows. */
export interface Sheet {
  readonly name: string;
  readonly titles: readonly string[];
  readonly rows: readonly (readonly ExportValue[])[];
}

/** A workbook of several sheets, each under a name of its own. */
export async function workbookFile(name: string, sheets: readonly Sheet[]): Promise<ExportedFile> {
  const { default: writeXlsxFile } = await import('write-excel-file/browser');
  const used = new Map<string, number>();
  const book = sheets.map((one) => {
    const position = used.get(one.name) ?? 0;
    used.set(one.name, position + 1);
    return { sheet: sheetNameFor(one.name, position), data: [one.titles.map(cellOf), ...one.rows.map((row) => row.map(cellOf))] };
  });
  return { name: fileNameFor(name, 'xlsx'), blob: await writeXlsxFile(book as never).toBlob() };
}

/** Makes the file of an export. An output or book type that nobody knows is an error in the reader's language. */
export async function exportFile(request: ExportRequest, text: Translate): Promise<ExportedFile> {
  const { output, name, rows, titles } = request;
  if (output === 'csv') {
    return { name: fileNameFor(name, 'csv'), blob: new Blob([csvText(rows, titles)], { type: 'text/csv;charset=utf-8' }) };
  }
  if (output === 'xlsx') return { name: fileNameFor(name, 'xlsx'), blob: await xlsxBlob(request) };
  throw new Error(text('kit.unknownOutputType'));
}

/** Book types are what spreadsheet programs can be asked for: a workbook or comma-separated values. */
export function outputTypeOf(bookType: string, text: Translate): OutputType {
  const known = outputTypes.find((type) => type === bookType);
  if (known === undefined) throw new Error(text('kit.unknownBookType'));
  return known;
}
