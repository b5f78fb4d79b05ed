import { fieldNames, fieldOf, kindOf } from './fields.ts';
import { valuesOf } from './rows.ts';

/** What can be written at a place of a query, in place of what is there. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly options: readonly string[];
}

const times = ['today', 'yesterday', '"this week"', '"last week"', '"this month"', '"last month"', '"this year"', '"last year"', '-30d'];
/** The piece that is being written: a word with what may stand right before its value. */
const piece = /^-?([A-Za-z][A-Za-z0-9.-]*)(?:(<>|>=|<=|[:=><])("?[\w.-]*))?$/;

/** What stands after the last gap or bracket: the pattern begins there, and reads no query twice. */
const lastPiece = (before: string): string => before.split(/[\s(]/).at(-1) ?? '';

function fieldsLike(begun: string): readonly string[] {
  if (begun.length < 2) return [];
  return fieldNames.filter((name) => name.startsWith(begun.toLowerCase())).map((name) => `${name}:`);
}

function valuesLike(name: string, begun: string): readonly string[] {
  const field = fieldOf(name);
  if (field === undefined) return [];
  const known = kindOf(field) === 'time' ? times : valuesOf(field);
  return known.filter((value) => value.startsWith(begun.toLowerCase()) && value !== begun);
}

/** Inside of a phrase everything is text. */
function isInPhrase(before: string): boolean {
  return (before.split('"').length - 1) % 2 === 1;
}

/** Fields that begin like the word before a place of a query, or the values that its field has; undefined where there are none. */
export function completionsAt(query: string, at: number): Completion | undefined {
  const [, name = '', operator, value = ''] = piece.exec(lastPiece(query.slice(0, at))) ?? [];
  const begun = operator === undefined ? name : value;
  const options = operator === undefined ? fieldsLike(name) : valuesLike(name, value);
  if (options.length === 0 || isInPhrase(query.slice(0, at - begun.length))) return undefined;
  return { from: at - begun.length, to: at, options };
}

/** The query with an option in place of what was begun; a value is followed by a space. */
export function completed(query: string, { from, to }: Completion, option: string): string {
  const rest = query.slice(to);
  const gap = option.endsWith(':') || rest.startsWith(' ') ? '' : ' ';
  return `${query.slice(0, from)}${option}${gap}${rest}`;
}
