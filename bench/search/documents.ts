import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '@holdfast/foundation/clock';
import { createDocumentReader } from '@holdfast/words';

const DOCUMENTS = path.join(import.meta.dirname, '..', '..', 'packages', 'words', 'testing', 'documents');
const ROUNDS = 20;

/** How many documents a second give their words: the same letter, table and slides in every format, each read in the process that may be killed. */
export async function measureDocuments(): Promise<number> {
  const reader = createDocumentReader({ clock: systemClock });
  const documents = readdirSync(DOCUMENTS).map((name) => ({ name, bytes: readFileSync(path.join(DOCUMENTS, name)) }));
  for (const document of documents) await reader.read(document);
  const start = performance.now();
  for (let round = 0; round < ROUNDS; round += 1) for (const document of documents) await reader.read(document);
  const seconds = (performance.now() - start) / 1_000;
  await reader.close();
  return Math.round((documents.length * ROUNDS) / seconds);
}
