import type { DocumentWordsReader } from '@holdfast/engine';

/** What a picture or a scanned document says; undefined while nobody has recognised it. */
export type TextOfScan = (hash: string, bytes: Uint8Array) => Promise<string | undefined>;

/** Reads documents together with what their pages show, as far as that is known. */
export function withScans(documents: DocumentWordsReader, textOf: TextOfScan): DocumentWordsReader {
  return {
    async read(document) {
      const parts = [];
      for (const part of await documents.read(document)) {
        const text = part.scan === undefined ? undefined : await textOf(part.scan, document.bytes);
        parts.push(text === undefined || text.trim() === '' ? part : { ...part, text, state: 'indexed' as const });
      }
      return parts;
    },
  };
}
