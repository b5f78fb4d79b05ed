import type { SensitivityLabel } from '@holdfast/foundation/sensitivity-labels';
import type { Invoice } from './invoice.ts';

/** How reading a part ended. Whatever is not `indexed` is counted and shown: nothing is left out in silence. */
export const partStates = ['indexed', 'noText', 'encrypted', 'unsupported', 'tooLarge', 'failed'] as const;
export type PartState = (typeof partStates)[number];

/** A document, or one that it carries: a file of a zip, an attachment of a mail, an invoice inside a PDF. */
export interface DocumentPart {
  /** Names from the outermost document to this one. */
  readonly path: readonly string[];
  readonly state: PartState;
  readonly text: string;
  /** What it says as an electronic invoice. */
  readonly invoice?: Invoice;
  /**
   * SHA-256 of a document of an item that is a picture, or has pages without text: what it says can only be recognised.
   * Documents inside of documents have none.
   */
  readonly scan?: string;
  /** Its sensitivity labels, none where its format has none; absent where nobody can tell. */
  readonly labels?: readonly SensitivityLabel[];
  /** Why it could not be read, in plain English for the log. */
  readonly reason?: string;
}

/** A document as it is kept. */
export interface Document {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Ends the reading of one part; the others are read. */
export class PartError extends Error {
  readonly state: Exclude<PartState, 'indexed' | 'noText'>;

  constructor(state: PartError['state'], reason: string) {
    super(reason);
    this.state = state;
  }
}
