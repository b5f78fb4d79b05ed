import { card } from './card.ts';
import { codeRuns } from './code-runs.ts';
import type { Detector, SensitiveKind } from './detector.ts';
import { iban } from './iban.ts';
import { passport } from './passport.ts';
import { socialSecurity } from './social-security.ts';
import { taxId } from './tax-id.ts';
import { vat } from './vat.ts';

/** A number in a text. Its value is personal: only `sumSensitive` may leave the process that reads. */
interface SensitiveFinding {
  readonly kind: SensitiveKind;
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

/** How many different numbers of a kind there are, and one of them with its middle hidden. */
export interface SensitiveSum {
  readonly kind: SensitiveKind;
  readonly count: number;
  readonly sample: string;
}

/** The more certain a kind is, the earlier it is looked for: what one has found is left out by the next. */
const detectors: readonly Detector[] = [iban, passport, card, socialSecurity, taxId, vat];
const BEFORE = 60;
/** A list of a hundred thousand cards needs no exact count. */
const MOST_VALUES = 10_000;

/** What stands beside a number decides whether it is part of something longer. */
const BESIDE = 2;

/** Finds personal and payment numbers whose check digits are right. */
export function* findSensitive(text: string): Generator<SensitiveFinding> {
  let lower: string | undefined;
  const mentions = (words: RegExp): boolean => words.test((lower ??= text.toLowerCase()));
  for (const run of codeRuns(text)) {
    const start = Math.max(0, run.from - BESIDE);
    const piece = text.slice(start, run.to + BESIDE);
    const taken = new Set<number>();
    for (const { kind, pattern, read } of detectors) {
      for (const match of piece.matchAll(pattern)) {
        const { index, 0: found } = match;
        const from = start + index;
        if (taken.has(from)) continue;
        const before = text.slice(Math.max(0, from - BEFORE), from).toLowerCase();
        const value = read({ value: found, before, mentions });
        if (value === undefined) continue;
        taken.add(from);
        yield { kind, value, from, to: from + found.length };
      }
    }
  }
}

/** Keeps the first and the last two characters. */
function masked(value: string): string {
  return `${value.slice(0, 2)}…${value.slice(-2)}`;
}

/** Counts the different numbers in some texts, by kind. */
export function sumSensitive(texts: Iterable<string>): SensitiveSum[] {
  const values = new Map<SensitiveKind, Set<string>>();
  for (const text of texts) {
    for (const { kind, value } of findSensitive(text)) {
      const known = values.get(kind) ?? new Set();
      if (known.size < MOST_VALUES) known.add(value);
      values.set(kind, known);
    }
  }
  return [...values].map(([kind, known]) => {
    const [first = ''] = known;
    return { kind, count: known.size, sample: masked(first) };
  });
}
