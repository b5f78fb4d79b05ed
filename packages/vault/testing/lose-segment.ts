import { sha256Hex } from '@holdfast/foundation/bytes';
import type { BlobStore, Vault } from '../src/index.ts';
import { copyName } from '../src/journal/segment-names.ts';
import { anItem, collectAll } from './builders.ts';

const RESOURCE = 'lost';

/** The names of the segment of this hash: its own and that of its copy. */
async function namesOf(store: BlobStore, hash: string): Promise<string[]> {
  for (const { name } of await collectAll(store.list('journal/'))) {
    if (sha256Hex(await store.get(name)) === hash) return [name, copyName(name)];
  }
  return [];
}

/**
 * Loses the second segment of a journal together with its copy, has the third one restate it, and puts the lost one
 * back, as a repair from elsewhere would. Each step may be repeated after a crash.
 */
export async function loseAndRestate(
  vault: Vault,
  { store, aside, at }: { store: BlobStore; aside: BlobStore; at: string },
): Promise<void> {
  const journal = vault.journal(RESOURCE);
  const commit = async (lost: readonly number[]): Promise<void> => {
    const expectedHead = await journal.head();
    const changes = [anItem('item', {}, { after: expectedHead?.sequence ?? 0 })];
    await journal.commit({
      expectedHead,
      fence: 1,
      runId: 'run',
      at,
      cursor: null,
      changes,
      restates: { lost, isComplete: lost.length > 0 },
    });
  };
  while ((await journal.tend()).length === 0 && ((await journal.head())?.sequence ?? 0) < 2) await commit([]);
  const head = await journal.head();
  if (head?.sequence === 2) {
    const names = await namesOf(store, head.hash);
    for (const name of names) await aside.put(name, [await store.get(name)]);
    for (const name of names) await store.delete(name);
  }
  const lost = await journal.tend();
  if (lost.length > 0) await commit(lost.map(({ sequence }) => sequence));
  for (const folder of ['journal/', 'copies/']) {
    for (const { name } of await collectAll(aside.list(folder))) await store.put(name, [await aside.get(name)]);
  }
}

/** Loses the copy of a segment, and has it written again. */
export async function loseCopy(vault: Vault, store: BlobStore, resourceId: string): Promise<void> {
  const head = await vault.journal(resourceId).head();
  const [, copy] = head ? await namesOf(store, head.hash) : [];
  if (copy !== undefined) await store.delete(copy);
  await vault.journal(resourceId).tend();
}
