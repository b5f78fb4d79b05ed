import type { Database } from '@holdfast/database';
import type { ItemWords } from '@holdfast/engine';
import { slicesOf } from '../../apps/server/src/features/search/lexemes.ts';
import type { MadeOfWords } from '../../apps/server/src/features/search/made-of-words.ts';
import { createSearchIndexStore, type Read } from '../../apps/server/src/features/search/search-index.store.ts';
import { scopeOf } from '../catalog/fill.ts';
import { keyOf, sourceOf } from './ground.ts';
import { wordsOf, type createListMail } from './list-mail.ts';

const BATCH = 200;

interface Words {
  readonly words: ItemWords;
  readonly sizeBytes: number;
  readonly made: MadeOfWords;
}

/** An item of the index as the indexer hands it over. */
export function readOf(number: number, mailboxes: number, { words, sizeBytes, made }: Words): Read {
  const sourceId = sourceOf(number % mailboxes);
  const of = { sourceId, locationId: '', resourceId: sourceId, itemKey: keyOf(number), fromPoint: 1, sequence: 1 };
  const at = words.at ?? new Date(0).toISOString();
  return { of, kind: 'message', name: words.title, contentHash: null, sizeBytes, words, ...made, changedAt: at };
}

interface Filling {
  readonly database: Database;
  readonly from: number;
  readonly to: number;
  readonly mailboxes: number;
  readonly list: ReturnType<typeof createListMail>;
}

/** Fills the index with the words of list mail, newest first, as the indexer does. */
export async function fillIndex({ database, from, to, mailboxes, list }: Filling): Promise<{ readonly perSecond: number }> {
  const store = createSearchIndexStore(database);
  const start = performance.now();
  for (let number = to - 1; number >= from; number -= BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, number - from + 1) }, (_, index) => number - index);
    await store.write(
      scopeOf,
      batch.map((one) => {
        const words = wordsOf(list.mail(one));
        return readOf(one, mailboxes, { words, sizeBytes: 4_000, made: { slices: slicesOf(words), sensitive: [], language: null } });
      }),
    );
  }
  return { perSecond: Math.round((to - from) / ((performance.now() - start) / 1_000)) };
}
