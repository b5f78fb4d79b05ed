import type { FieldName } from '@holdfast/contract/query/fields';
import type { NearNode, Query, RangeTerm, TextTerm, ValueTerm } from '@holdfast/contract/query/tree';
import { spellingsOf, wordsOf } from '@holdfast/contract/query/words';
import type { ItemWords } from '@holdfast/engine';

/** What is on an item, by its names: those that somebody may see. */
export type NaiveMarks = Readonly<Record<'hold' | 'policy' | 'case' | 'tag' | 'note', readonly string[]>>;
export const unmarked: NaiveMarks = { hold: [], policy: [], case: [], tag: [], note: [] };

/** The slow reading of a query that the index is held against. It shares the words with it, and nothing else. */
export interface NaiveItem {
  readonly words: ItemWords;
  /** As the query language calls it. */
  readonly kind: string;
  readonly sizeBytes: number;
  readonly fileType: string;
  readonly contentHash: string | null;
  readonly sensitive: readonly string[];
  readonly language: string | null;
  readonly marks: NaiveMarks;
  /** What Microsoft 365 calls it. */
  readonly key: string;
  /** The folders that it is in, from the top one down. */
  readonly folders: readonly { readonly key: string; readonly name: string }[];
}

interface PartWords {
  readonly part: string;
  readonly words: readonly string[];
}

const people = ['from', 'to', 'cc', 'bcc', 'envelope'];
/** Parts that are found by their own field alone. */
const isOwn = (part: string): boolean => part === 'envelope' || part === 'link' || part.startsWith('header.');

function partsOf({ words: item }: NaiveItem): PartWords[] {
  const part = (name: string, values: readonly string[]): PartWords[] =>
    values.flatMap((value) => {
      const halves = /^(.*)<([^<>]+)>$/.exec(value);
      const pieces = halves && people.includes(name) ? [halves[1]?.trim() ?? '', halves[2] ?? ''] : [value];
      return pieces.filter((piece) => piece !== '').map((piece) => ({ part: name, words: [...wordsOf(piece)] }));
    });
  return [
    ...part('subject', [item.title]),
    ...part('from', item.from),
    ...part('to', item.to),
    ...part('cc', item.cc),
    ...part('bcc', item.bcc),
    ...part('attachment', item.attachments),
    { part: 'body', words: [...wordsOf(item.text)] },
    ...item.attachmentTexts.map(({ text }) => ({ part: 'attachmenttext', words: [...wordsOf(text)] })),
    ...part('envelope', item.facts?.envelope ?? []),
    ...part('link', (item.facts?.links ?? []).map(decodeURIComponent)),
    ...(item.facts?.headers ?? []).flatMap(([name, value]) => part(`header.${name.toLowerCase()}`, [value])),
  ];
}

const groups: Readonly<Record<string, readonly string[]>> = {
  recipients: ['to', 'cc', 'bcc'],
  participants: ['from', 'to', 'cc', 'bcc'],
};

function isIn(part: string, field: FieldName | null): boolean {
  return field === null ? !isOwn(part) : (groups[field] ?? [field]).includes(part);
}

function matchesWord(word: string, wanted: string, open: { start: boolean; end: boolean }): boolean {
  if (open.start && open.end) return word.includes(wanted);
  if (open.start) return word.endsWith(wanted);
  return open.end ? word.startsWith(wanted) : word === wanted;
}

/** Where a term is in a part: the places of its first and last word. */
function placesIn({ words }: PartWords, term: TextTerm): { first: number; last: number }[] {
  return spellingsOf(term.text).flatMap((text) => {
    const wanted = [...wordsOf(text)];
    if (wanted.length === 0) return [];
    return words.flatMap((_, first) => {
      const isHere = wanted.every((one, index) => {
        const word = words[first + index];
        const open = { start: term.openStart && index === 0, end: term.openEnd && index === wanted.length - 1 };
        return word !== undefined && matchesWord(word, one, open);
      });
      const isWhole = wanted.length === words.length;
      return isHere && (term.match === 'contains' || isWhole) ? [{ first, last: first + wanted.length - 1 }] : [];
    });
  });
}

function operandPlaces(part: PartWords, node: Query): { first: number; last: number }[] {
  if (node.kind === 'or') return node.of.flatMap((one) => operandPlaces(part, one));
  return node.kind === 'text' && isIn(part.part, node.field) ? placesIn(part, node) : [];
}

function isNear(parts: readonly PartWords[], { operands, gaps }: NearNode): boolean {
  const [left, right] = operands;
  const [gap] = gaps;
  if (!left || !right || !gap) return false;
  return parts.some((part) =>
    operandPlaces(part, left).some((a) =>
      operandPlaces(part, right).some((b) => {
        const behind = b.first - a.last - 1;
        const before = a.first - b.last - 1;
        return (behind >= 0 && behind <= gap.distance) || (!gap.isOrdered && before >= 0 && before <= gap.distance);
      }),
    ),
  );
}

/** Message IDs are written with angle brackets and without, hashes in either case; everything else is compared as it is. */
function plainIdentifier(field: FieldName, value: string): string {
  if (field === 'attachmenthash' || field === 'itemclass') return value.toLowerCase();
  return field === 'messageid' || field === 'inreplyto' ? value.replace('<', '').replace('>', '') : value;
}

function isIdentified({ words, key }: NaiveItem, field: FieldName, value: string): boolean {
  const own = (words.facts?.identifiers ?? []).filter((one) => one.field === field).map((one) => one.value);
  const all = field === 'id' ? [...own, key] : own;
  return all.some((one) => plainIdentifier(field, one) === plainIdentifier(field, value));
}

/** Whether it is where a query says; unless that is meant exactly, in a folder below as well. */
function isPlaced(item: NaiveItem, { field, match, text }: TextTerm): boolean {
  const { folders } = item;
  const wanted = text.toLowerCase();
  const names = folders.map(({ name }) => name.toLowerCase());
  const near = <Value>(all: readonly Value[]): readonly Value[] => (match === 'exactly' ? all.slice(-1) : all);
  if (field === 'folderid') return near(folders).some(({ key }) => key === text) || isIdentified(item, field, text);
  if (field === 'folder') return near(names).some((name) => (match === 'exactly' ? name === wanted : name.includes(wanted)));
  const paths = names.map((_, index) => names.slice(0, index + 1).join('/'));
  return near(paths).includes(wanted);
}

function isLabelled({ words }: NaiveItem, value: string): boolean {
  return (words.facts?.labels ?? []).some(({ labelId, name }) => labelId === value || name.toLowerCase() === value);
}

function hasValue(item: NaiveItem, { field, value }: ValueTerm): boolean {
  const { facts } = item.words;
  const known = (state: string | boolean | null | undefined): readonly string[] =>
    state === null || state === undefined ? [] : [String(state)];
  if (['messageid', 'inreplyto', 'conversation', 'attachmenthash', 'id', 'version', 'itemclass'].includes(field))
    return isIdentified(item, field, value);
  if (field === 'label') return isLabelled(item, value.toLowerCase());
  const isUnread = ['encrypted', 'unsupported', 'tooLarge', 'failed'].includes(item.words.state);
  const values: Readonly<Partial<Record<FieldName, readonly string[]>>> = {
    kind: [item.kind],
    filetype: [item.fileType],
    hash: item.contentHash === null ? [] : [item.contentHash],
    importance: known(facts?.importance),
    language: known(item.language),
    journaled: [String(facts?.isJournaled ?? false)],
    isread: known(facts?.isRead),
    signed: known(facts?.isSigned),
    encrypted: known(facts?.isEncrypted),
    sensitive: item.sensitive,
    hasattachment: [String(item.words.attachments.length > 0)],
    partial: [String(isUnread)],
  };
  const own = values[field];
  if (!own) throw new Error(`The naive reading does not know the values of ${field}.`);
  return own.includes(value);
}

/** How a value of an item compares with a bound: times as they are written, as far as the bound goes, sizes and numbers as numbers. */
function compared({ words, sizeBytes }: NaiveItem, field: FieldName): ((bound: string) => number) | undefined {
  if (field === 'size' || field === 'attachments') {
    const number = field === 'size' ? sizeBytes : words.attachments.length;
    return (bound) => Math.sign(number - Number(bound));
  }
  const moments: Readonly<Partial<Record<FieldName, string | null | undefined>>> = {
    received: words.at,
    sent: words.facts?.sentAt,
    archived: words.facts?.archivedAt,
  };
  const at = moments[field];
  return typeof at === 'string' ? (bound) => at.slice(0, bound.length).localeCompare(bound) : undefined;
}

function isInRange(item: NaiveItem, { field, low, high, withLow, withHigh }: RangeTerm): boolean {
  const compare = compared(item, field);
  if (!compare) return false;
  const isAbove = low === null || compare(low) > 0 || (withLow && compare(low) === 0);
  return isAbove && (high === null || compare(high) < 0 || (withHigh && compare(high) === 0));
}

/** A mark is a text of its own, and nothing else is looked for in it. */
function isMarked(item: NaiveItem, term: TextTerm): boolean {
  const names = item.marks[term.field as keyof NaiveMarks];
  const isFlag = term.field === 'hold' && term.match === 'contains' && !term.openStart && !term.openEnd;
  if (isFlag && (term.text === 'true' || term.text === 'false')) return names.length > 0 === (term.text === 'true');
  return names.some((name) => placesIn({ part: '', words: [...wordsOf(name)] }, term).length > 0);
}

const groupOf = (field: FieldName): readonly string[] => groups[field] ?? [field];

function hasText(parts: readonly PartWords[], term: TextTerm): boolean {
  return parts.some((part) => isIn(part.part, term.field) && placesIn(part, term).length > 0);
}

function hasTerm(item: NaiveItem, parts: readonly PartWords[], term: TextTerm): boolean {
  if (term.field !== null && term.field in item.marks) return isMarked(item, term);
  return term.field !== null && ['folder', 'folderid', 'path'].includes(term.field) ? isPlaced(item, term) : hasText(parts, term);
}

function holds(item: NaiveItem, parts: readonly PartWords[], query: Query): boolean {
  switch (query.kind) {
    case 'everything':
      return true;
    case 'and':
      return query.of.every((one) => holds(item, parts, one));
    case 'or':
      return query.of.some((one) => holds(item, parts, one));
    case 'not':
      return !holds(item, parts, query.of);
    case 'near':
      return isNear(parts, query);
    case 'empty':
      return !parts.some(({ part }) => groupOf(query.field).includes(part));
    case 'text':
      return hasTerm(item, parts, query);
    case 'value':
      return hasValue(item, query);
    case 'range':
      return isInRange(item, query);
  }
}

/** The words of an item are read once, however many queries it is asked by. */
const read = new WeakMap<NaiveItem, PartWords[]>();

export function naiveMatch(item: NaiveItem, query: Query): boolean {
  const parts = read.get(item) ?? partsOf(item);
  read.set(item, parts);
  return holds(item, parts, query);
}
