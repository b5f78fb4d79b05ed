import { createItemReader, type ItemVersion, type ItemWords } from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import type { VaultReader } from '@holdfast/vault';
import { createDocumentReader } from '@holdfast/words';

/** Reads what items say, by the code that the search reads it with. */
export interface WordsReader {
  read(reader: VaultReader, version: ItemVersion): Promise<ItemWords>;
  close(): Promise<void>;
}

/** Its processes start with the first item and end when it is closed. */
export function createWordsReader(clock: Clock): WordsReader {
  let isClosed = false;
  let open:
    | { readonly items: ReturnType<typeof createItemReader>; readonly documents: ReturnType<typeof createDocumentReader> }
    | undefined;
  return Object.freeze<WordsReader>({
    async read(reader, version) {
      // What begins after the end would start processes that nobody ends.
      if (isClosed) throw new Error('The export is no longer read.');
      open ??= { items: createItemReader(clock), documents: createDocumentReader({ clock }) };
      return open.items.words(reader, version, open.documents);
    },
    async close() {
      isClosed = true;
      await Promise.all([open?.items.close(), open?.documents.close()]);
    },
  });
}

function* headOf({ title, from, to, cc, bcc, at, attachments }: ItemWords): Generator<string, void, undefined> {
  const lines = [
    ['From', from],
    ['To', to],
    ['Cc', cc],
    ['Bcc', bcc],
    ['Date', at === null ? [] : [at]],
    ['Attachments', attachments],
  ] as const;
  if (title !== '') yield `${title}\r\n`;
  for (const [name, values] of lines) if (values.length > 0) yield `${name}: ${values.join('; ')}\r\n`;
}

/** The text file of an item for review tools: what it says, and what is in its attachments. */
export function* textOf(words: ItemWords): Generator<Uint8Array, void, undefined> {
  yield Buffer.from('\uFEFF');
  for (const line of headOf(words)) yield Buffer.from(line);
  yield Buffer.from(`\r\n${words.text}\r\n`);
  for (const { name, text } of words.attachmentTexts) yield Buffer.from(`\r\n--- ${name} ---\r\n${text}\r\n`);
}
