import type { Clock } from '@holdfast/foundation/clock';
import { createKillableProcess, ProcessEnded } from '@holdfast/foundation/killable-process';
import type { Document, DocumentPart } from './part/document-part.ts';
import { MOST_BYTES, MOST_HEAP_MB, MOST_MS } from './part/limits.ts';

/** Reads documents in a process of its own: one that breaks it, or takes for ever, fails alone. */
export interface DocumentReader {
  /** The parts of a document, the document itself first. Never throws for what is in it. */
  read(document: Document): Promise<readonly DocumentPart[]>;
  close(): Promise<void>;
}

export interface DocumentReaderOptions {
  readonly clock: Clock;
  /** How long one document may take. */
  readonly mostMs?: number;
}

const program = new URL('./document.process.ts', import.meta.url);

/** Why a document was not read, as a sentence about it. */
function reasonOf(error: unknown): string {
  if (error instanceof ProcessEnded) return `reading ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** A reader whose process starts with the first document and is replaced when it ends. */
export function createDocumentReader({ clock, mostMs = MOST_MS }: DocumentReaderOptions): DocumentReader {
  const reading = createKillableProcess<Document, readonly DocumentPart[]>({ clock, program, mostMs, mostHeapMb: MOST_HEAP_MB });
  return Object.freeze<DocumentReader>({
    async read(document) {
      const path = [document.name];
      if (document.bytes.byteLength > MOST_BYTES) return [{ path, state: 'tooLarge', text: '', reason: 'it is too large' }];
      try {
        return await reading.ask(document);
      } catch (error) {
        return [{ path, state: 'failed', text: '', reason: reasonOf(error) }];
      }
    },
    close: () => reading.close(),
  });
}
