import type { FieldName } from './fields.ts';

/** A place in the text of a query: from the first character to behind the last. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Words or a phrase, in one field or, without a field, in every text and in the people of an item. */
export interface TextTerm {
  readonly kind: 'text';
  readonly field: FieldName | null;
  /** `exactly` compares the whole value, `contains` looks for its words in a row. */
  readonly match: 'contains' | 'exactly';
  readonly text: string;
  /** Any characters may come before the first or after the last word. */
  readonly openStart: boolean;
  readonly openEnd: boolean;
}

/** A value from a list: a choice, a flag, an identifier. */
export interface ValueTerm {
  readonly kind: 'value';
  readonly field: FieldName;
  readonly value: string;
}

/** The field has no value at all: `cc:""`. */
export interface EmptyTerm {
  readonly kind: 'empty';
  readonly field: FieldName;
}

export type Bound = string | null;

/** A time, size or number between two bounds as they were written; null is an open end. `resolveTime` makes moments of them. */
export interface RangeTerm {
  readonly kind: 'range';
  readonly field: FieldName;
  readonly low: Bound;
  readonly high: Bound;
  /** Whether the bound itself belongs to the range; a bound that is a whole day or month counts as a whole. */
  readonly withLow: boolean;
  readonly withHigh: boolean;
}

export type Term = TextTerm | ValueTerm | EmptyTerm | RangeTerm;

/** Operands near each other in one part: `gaps[i]` binds `operands[i]` to `operands[i + 1]`. */
export interface NearNode {
  readonly kind: 'near';
  readonly operands: readonly Query[];
  readonly gaps: readonly { readonly distance: number; readonly isOrdered: boolean }[];
}

export type Query =
  | { readonly kind: 'everything' }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Query[] }
  | { readonly kind: 'not'; readonly of: Query }
  | NearNode
  | Term;
