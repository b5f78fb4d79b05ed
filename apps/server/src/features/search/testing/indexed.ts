import type { Database, Scope } from '@holdfast/database';
import type { ItemFacts, ItemWords } from '@holdfast/engine';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { aResource, testIds, type Ground } from '../../../testing/rows.ts';
import { createCatalog } from '../../../storage/index.ts';
import { slicesOf } from '../lexemes.ts';
import { createSearchIndexStore, nothingSaid } from '../search-index.store.ts';

/** A mailbox whose messages are in the catalog and in the index, by their subjects. */
export interface IndexedMailbox {
  readonly resourceId: string;
  /** Commits a restore point with these messages, by key, and reads their words. */
  receive(subjects: Readonly<Record<string, string>>, at?: string): Promise<void>;
}

const MAY = '2024-05-17T10:00:00.000Z';

function wordsOf(title: string, at: string, labels: ItemFacts['labels']): ItemWords {
  const nobody = { from: [], to: [], cc: [], bcc: [], attachments: [], attachmentTexts: [] };
  return { title, ...nobody, text: title, at, state: 'indexed', facts: { ...nothingSaid, labels } };
}

/** What is written at once, as the indexer does. */
const BATCH = 100;

/** Reads the words of everything that is unread: those of messages are their subjects, by key; nobody can tell the labels of the others. */
export async function readWords(
  database: Database,
  scope: Scope,
  subjects: Readonly<Record<string, string>>,
  { at = MAY, labels = {} }: { readonly at?: string | undefined; readonly labels?: Readonly<Record<string, ItemFacts['labels']>> } = {},
): Promise<void> {
  const store = createSearchIndexStore(database);
  const common = { kind: 'message', name: 'm', contentHash: null, sizeBytes: 1, sensitive: [], language: null, changedAt: at };
  for (let unread = await store.unread(scope, 2_000); unread.length > 0; unread = await store.unread(scope, 2_000)) {
    const read = unread.map((of) => {
      const words = wordsOf(subjects[of.itemKey] ?? '', at, labels[of.itemKey] ?? null);
      return { ...common, of, words, slices: slicesOf(words) };
    });
    for (let from = 0; from < read.length; from += BATCH) await store.write(scope, read.slice(from, from + BATCH));
  }
}

export async function anIndexedMailbox(database: Database, ground: Ground, name: string): Promise<IndexedMailbox> {
  const { scope, locationId } = ground;
  const resourceId = await aResource(database, ground, { name });
  const catalog = createCatalog({ database, scope, locationId, ids: testIds });
  let sequence = 0;
  return {
    resourceId,
    async receive(subjects, at) {
      sequence += 1;
      const put = Object.keys(subjects).map((key) => anItem(key));
      await catalog.apply(aSegment(resourceId, sequence, { put }));
      await readWords(database, scope, subjects, { at });
    },
  };
}
