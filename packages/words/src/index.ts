/**
 * Turns documents into words: Office in its newer and older formats, OpenDocument, PDF, rich text, web pages, XML, mail,
 * zip, calendars, contact cards and plain text, and whatever is inside of them.
 *
 * It promises that every part ends in a state that can be shown, and that no document stops, fills or poisons the program
 * that asks: documents are read in a process that is ended when it takes too long or too much.
 *
 * What pages show without text is recognised by Tesseract, where somebody asks for it.
 *
 * It guesses the language of a text from its words.
 *
 * It also finds personal and payment numbers in a text, by their form, their check digits and what is around them.
 */
export type { Document, DocumentPart, PartState } from './part/document-part.ts';
export type { Invoice } from './part/invoice.ts';
export { createDocumentReader, type DocumentReader, type DocumentReaderOptions } from './create-document-reader.ts';
export type { ScanProblem, ScanText } from './scans/scan-text.ts';
export { createScanReader, type ScanReader, type ScanReaderOptions } from './scans/create-scan-reader.ts';
export { MOST_BYTES as MOST_DOCUMENT_BYTES } from './part/limits.ts';
export { languageOf } from './language-of.ts';
export { sumSensitive, type SensitiveSum } from './detectors/find-sensitive.ts';
