import type { Place } from './tree.ts';

/** Everything that can be wrong with a query; each has a sentence in every language. */
export const faultCodes = [
  'unclosed-quote',
  'unclosed-parenthesis',
  'unexpected-parenthesis',
  'empty-group',
  'missing-operand',
  'unknown-field',
  'missing-value',
  'bad-date',
  'bad-number',
  'bad-choice',
  'bad-range',
  'wrong-comparison',
  'lone-wildcard',
  'short-wildcard',
  'bad-near',
  'near-operand',
  'nested-field',
  'no-words',
  'no-words-beside',
  'too-complex',
] as const;
export type FaultCode = (typeof faultCodes)[number];

/** What a reader should know about a query that runs all the same. */
export const warningCodes = ['lower-case-operator', 'same-field-or', 'single-character'] as const;
export type WarningCode = (typeof warningCodes)[number];

export interface QueryFault extends Place {
  readonly code: FaultCode;
  /** The piece of the query that the sentence quotes. */
  readonly text: string;
  /** What to write instead, where it can be guessed. */
  readonly suggestion: string | null;
  /** The values that are known, for a choice. */
  readonly known?: readonly string[];
}

export interface QueryWarning extends Place {
  readonly code: WarningCode;
  readonly text: string;
}
