import type { SensitivityLabel } from '@holdfast/foundation/sensitivity-labels';

/** The largest file or attachment whose words are read. */
export const DOCUMENT_LIMIT = 100 * 1024 * 1024;

/** As many documents of one item are read: more of them are an attack on their reader. */
export const DOCUMENTS_LIMIT = 10_000;

/** How far the contents of an item can be searched; of several parts, the first of this order that one of them has. */
export const wordsStates = ['failed', 'encrypted', 'tooLarge', 'unsupported', 'indexed', 'noText'] as const;
export type WordsState = (typeof wordsStates)[number];

/** What an electronic invoice says in its fields. */
export interface InvoiceWords {
  readonly number: string;
  readonly seller: string;
  readonly vatId: string;
  /** `2026-05-31`. */
  readonly date: string | null;
  readonly total: string | null;
  readonly currency: string;
  readonly iban: string;
}

/** What was read of a file, an attachment or something inside of one. */
export interface DocumentWords {
  /** Names from the document of the item to the one inside of it that this is. */
  readonly path: readonly string[];
  readonly text: string;
  readonly state: WordsState;
  readonly invoice?: InvoiceWords;
  /** Its sensitivity labels; absent where nobody can tell. */
  readonly labels?: readonly SensitivityLabel[];
  /** SHA-256 of a document of the item that has no text and may show some. */
  readonly scan?: string;
}

/** Reads the words of documents; what it cannot read comes with its state. */
export interface DocumentWordsReader {
  read(document: { readonly name: string; readonly bytes: Uint8Array }): Promise<readonly DocumentWords[]>;
}
