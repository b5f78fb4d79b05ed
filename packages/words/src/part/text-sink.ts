import type { SensitivityLabel } from '@holdfast/foundation/sensitivity-labels';
import type { Invoice } from './invoice.ts';
import type { Document } from './document-part.ts';
import { PartError } from './document-part.ts';
import { MOST_CHARACTERS, MOST_UNPACKED } from './limits.ts';

/** What a document and everything inside it may still use. */
export interface Budget {
  characters: number;
  unpackedBytes: number;
  parts: number;
}

/** Takes what a format finds. */
export interface TextSink {
  /** The next piece of the document's text. */
  text(piece: string): void;
  /** A document inside this one. */
  inside(document: Document): void;
  /** What the document says as an electronic invoice, where it is one. */
  invoice(invoice: Invoice | undefined): void;
  /** Its sensitivity labels; null where nobody can tell. Formats that have none say nothing. */
  labels(labels: readonly SensitivityLabel[] | null): void;
  /** Bytes that are about to be unpacked. */
  unpack(bytes: number): void;
}

export function createBudget(parts: number): Budget {
  return { characters: MOST_CHARACTERS, unpackedBytes: MOST_UNPACKED, parts };
}

/** What was found in one document. */
export interface Found {
  readonly found: () => string;
  readonly documents: readonly Document[];
  readonly invoiced: () => Invoice | undefined;
  /** Undefined where the format has said nothing. */
  readonly labelled: () => readonly SensitivityLabel[] | null | undefined;
}

/** A sink that fails the part as too large when the budget is used up. */
export function createTextSink(budget: Budget): TextSink & Found {
  const pieces: string[] = [];
  const documents: Document[] = [];
  let said: Invoice | undefined;
  let labels: readonly SensitivityLabel[] | null | undefined;
  return {
    text(piece) {
      budget.characters -= piece.length;
      if (budget.characters < 0) throw new PartError('tooLarge', 'it has more text than is read');
      pieces.push(piece);
    },
    inside: (document) => void documents.push(document),
    invoice: (invoice) => void (said = invoice),
    labels: (found) => void (labels = found),
    unpack(bytes) {
      budget.unpackedBytes -= bytes;
      if (budget.unpackedBytes < 0) throw new PartError('tooLarge', 'it is too large when unpacked');
    },
    found: () => pieces.join(''),
    invoiced: () => said,
    labelled: () => labels,
    documents,
  };
}
