import { choicesOf, kindOf, nearest, type FieldName } from './fields.ts';
import type { FaultCode } from './faults.ts';
import { identifierOf } from './identifiers.ts';

/** A value that cannot be read, as the fault that says so. */
export interface BadValue {
  readonly code: FaultCode;
  readonly suggestion: string | null;
  readonly known?: readonly string[];
}

const units: Record<string, number> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };
const named = ['today', 'yesterday', 'this week', 'last week', 'this month', 'last month', 'this year', 'last year'];

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** A day, month, year, name or number of days back in its one spelling; undefined where it is none of them. */
function timeValue(text: string): string | undefined {
  const value = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (named.includes(value) || /^-\d{1,5}d$/.test(value)) return value;
  const parts = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(value);
  if (!parts) return undefined;
  const [, year = '', month, day] = parts;
  return isDay(Number(year), Number(month ?? 1), Number(day ?? 1)) ? value : undefined;
}

/** A day as Germans and Britons write it, for the suggestion alone: it is never guessed at. */
function guessedDay(text: string): string | null {
  const parts = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text.trim());
  if (!parts) return null;
  const [day, month, year] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (month < 1 || month > 12) return null;
  const last = Math.min(Math.max(day, 1), daysIn(year, month));
  return `${year}-${String(month).padStart(2, '0')}-${String(last).padStart(2, '0')}`;
}

function sizeValue(text: string): string | undefined {
  const parts = /^(\d{1,12}(?:\.\d{1,3})?)\s?([kmg]?b)?$/i.exec(text.trim());
  const unit = units[(parts?.[2] ?? '').toLowerCase()];
  if (!parts || unit === undefined) return undefined;
  return String(Math.round(Number(parts[1]) * unit));
}

function numberValue(text: string): string | undefined {
  return /^\d{1,12}(\.\d{1,4})?$/.test(text.trim()) ? text.trim() : undefined;
}

/** A bound of a time, size or number in its one spelling, or why it is none. */
export function boundValue(field: FieldName, text: string): string | BadValue {
  const kind = kindOf(field);
  if (kind === 'time') return timeValue(text) ?? { code: 'bad-date', suggestion: guessedDay(text) };
  return (kind === 'size' ? sizeValue(text) : numberValue(text)) ?? { code: 'bad-number', suggestion: null };
}

/** What a choice is called elsewhere. */
const alsoCalled: Readonly<Record<string, string>> = { socialinsurance: 'socialsecurity' };

/** A value of a choice, flag or identifier, or why it is none. */
export function plainValue(field: FieldName, text: string): string | BadValue {
  const value = text.trim();
  const kind = kindOf(field);
  const known = kind === 'flag' ? ['true', 'false'] : choicesOf(field);
  if (known.length === 0) return identifierOf(field, value);
  const written = value.toLowerCase();
  const found = known.find((one) => one === written || one === alsoCalled[written]);
  return found ?? { code: 'bad-choice', suggestion: nearest(value, known) ?? null, known };
}

/** Whether a range ends before it begins, where that can be told without knowing the day. */
export function endsBeforeItBegins(field: FieldName, low: string, high: string): boolean {
  if (kindOf(field) !== 'time') return Number(low) > Number(high);
  const length = Math.min(low.length, high.length);
  const isWritten = /^\d{4}/.test(low) && /^\d{4}/.test(high);
  return isWritten && low.slice(0, length) > high.slice(0, length);
}
