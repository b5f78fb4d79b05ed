import type { FieldName } from '@holdfast/contract/query/fields';
import type { NearNode, Query, RangeTerm, TextTerm, ValueTerm } from '@holdfast/contract/query/tree';
import { spellingsOf, wordsOf } from '@holdfast/contract/query/words';
import type { ItemWords } from '@holdfast/engine';

/** The slow reading of a query that the index is held against. It shares the words with it, and nothing else. */
export interface NaiveItem {
  readonly words: ItemWords;
  /** As the query language calls it. */
  readonly kind: string;
  readonly sizeBytes: number;
  readonly fileType: string;
  readonly contentHash: string | null;
  readonly sensitive: readonly string[];
}

interface PartWords {
  readonly part: string;
  readonly words: readonly string[];
}

function partsOf({ words: item }: NaiveItem): PartWords[] {
  const part = (name: string, values: readonly string[]): PartWords[] =>
    values.flatMap((value) => {
      const halves = /^(.*)<([^<>]+)>$/.exec(value);
      const pieces = halves && name !== 'subject' && name !== 'attachment' ? [halves[1]?.trim() ?? '', halves[2] ?? ''] : [value];
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
  ];
}

const groups: Readonly<Record<string, readonly string[]>> = {
  recipients: ['to', 'cc', 'bcc'],
  participants: ['from', 'to', 'cc', 'bcc'],
};

function isIn(part: string, field: FieldName | null): boolean {
  return field === null || (groups[field] ?? [field]).includes(part);
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

function hasValue(item: NaiveItem, { field, value }: ValueTerm): boolean {
  const isUnread = ['encrypted', 'unsupported', 'tooLarge', 'failed'].includes(item.words.state);
  const values: Readonly<Partial<Record<FieldName, readonly string[]>>> = {
    kind: [item.kind],
    filetype: [item.fileType],
    hash: item.contentHash === null ? [] : [item.contentHash],
    sensitive: item.sensitive,
    hasattachment: [String(item.words.attachments.length > 0)],
    partial: [String(isUnread)],
  };
  const known = values[field];
  if (!known) throw new Error(`The naive reading does not know the values of ${field}.`);
  return known.includes(value);
}

/** Times are compared as they are written, as far as the bound goes; sizes and numbers as numbers. */
function isInRange(item: NaiveItem, { field, low, high, withLow, withHigh }: RangeTerm): boolean {
  const at = item.words.at ?? '';
  const number = field === 'size' ? item.sizeBytes : item.words.attachments.length;
  const compare = (bound: string): number =>
    field === 'received' ? at.slice(0, bound.length).localeCompare(bound) : Math.sign(number - Number(bound));
  const isAbove = low === null || compare(low) > 0 || (withLow && compare(low) === 0);
  return isAbove && (high === null || compare(high) < 0 || (withHigh && compare(high) === 0));
}

const groupOf = (field: FieldName): readonly string[] => groups[field] ?? [field];

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
      return parts.some((part) => isIn(part.part, query.field) && placesIn(part, query).length > 0);
    case 'value':
      return hasValue(item, query);
    case 'range':
      return isInRange(item, query);
  }
}

export function naiveMatch(item: NaiveItem, query: Query): boolean {
  return holds(item, partsOf(item), query);
}
