import { retentionEventBody } from '@holdfast/contract/retention';
import type { RetentionEventBody } from '@holdfast/contract/retention';
import Papa from 'papaparse';

/** The columns of a file with events, in whichever order. */
export const eventColumns = ['subject', 'kind', 'date', 'description'] as const;

/** The fault of a line whose kind of event nobody knows. */
export const unknownKind = 'validation.retentionEventKind';

/** What is wrong with a line of the file: the key of a phrase. Lines are counted as spreadsheets do, the titles first. */
export interface LineFault {
  readonly line: number;
  readonly fault: string;
}

export interface EventFile {
  readonly events: readonly RetentionEventBody[];
  /** Titles that the file does not have. */
  readonly missing: readonly string[];
  readonly faults: readonly LineFault[];
}

const germanDay = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/u;

/** `30.06.2026` as spreadsheets write it in German. */
function dayOf(written: string): string {
  const [, day, month, year] = germanDay.exec(written.trim()) ?? [];
  return day === undefined || month === undefined ? written : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Reads events of a csv file. `kindOf` knows the kinds by the words that the reader has for them. */
export function readEvents(text: string, kindOf: ReadonlyMap<string, RetentionEventBody['kind']>): EventFile {
  const { data, meta } = Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (title) => title.trim().toLowerCase(),
  });
  const missing = eventColumns.filter((column) => meta.fields?.includes(column) !== true);
  if (missing.length > 0) return { events: [], missing, faults: [] };
  const events: RetentionEventBody[] = [];
  const faults: LineFault[] = [];
  for (const [at, { subject = '', kind = '', date = '', description = '' }] of data.entries()) {
    const known = kindOf.get(kind.trim().toLowerCase());
    if (known === undefined) {
      faults.push({ line: at + 2, fault: unknownKind });
      continue;
    }
    const read = retentionEventBody.safeParse({ kind: known, subject, date: dayOf(date), description });
    if (read.success) events.push(read.data);
    else faults.push({ line: at + 2, fault: read.error.issues[0]?.message ?? 'validation.required' });
  }
  return { events, missing, faults };
}
