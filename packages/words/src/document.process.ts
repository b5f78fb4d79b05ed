import type { Document } from './part/document-part.ts';
import { readDocument } from './read-document.ts';

/** The reading side, in a process of its own: one document at a time; the starter limits time and memory. */
process.on('message', ({ id, document }: { readonly id: number; readonly document: Document }) => {
  const answer = (message: object): void => void process.send?.({ id, ...message });
  readDocument(document).then(
    (parts) => answer({ parts }),
    (error: unknown) => answer({ problem: error instanceof Error ? error.message : String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
