/** Personal and payment numbers that can be told from other numbers. */
export type SensitiveKind = 'iban' | 'card' | 'taxId' | 'socialSecurity' | 'passport' | 'vat';

/** A number that looks right, before its check digits were computed. */
export interface Candidate {
  readonly value: string;
  /** The text just before it, in lower case. */
  readonly before: string;
  /** Says whether the document has a word of this kind anywhere: a table names its columns once. */
  readonly mentions: (words: RegExp) => boolean;
}

/** Finds one kind of number by its form, then by its check digits and its surroundings. */
export interface Detector {
  readonly kind: SensitiveKind;
  readonly pattern: RegExp;
  /** The number without its separators; undefined when it is something else. */
  readonly read: (candidate: Candidate) => string | undefined;
}

/** No letter or digit comes before a number, not even with a hyphen between: that would be part of a longer code. */
const start = String.raw`(?<![\p{L}\p{N}_+]|[\p{L}\p{N}][-./:])`;
const end = String.raw`(?![\p{L}\p{N}_]|[-.,/:]\p{N}|-\p{L})`;

/** A pattern for something that is not part of a longer word or number. */
export function whole(...forms: readonly RegExp[]): RegExp {
  return new RegExp(`${start}(?:${forms.map((form) => form.source).join('|')})${end}`, 'gu');
}

export function compact(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}<]/gu, '');
}

/** Whether one of these words stands at most `reach` characters before the end, in the same line and without a digit between. */
export function isJustBefore(words: RegExp, before: string, reach: number): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const last = [...line.matchAll(words)].at(-1);
  if (!last) return false;
  const between = line.slice(last.index + last[0].length);
  return between.length <= reach && !/\d/.test(between);
}
