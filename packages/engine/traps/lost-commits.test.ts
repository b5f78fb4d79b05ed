import { createMemoryBlobStore, type BlobStore } from '@holdfast/vault';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryCatalog } from '../testing/memory-catalog.ts';
import { mailOfTruth } from '../testing/compare-mail.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import { canonicalJson } from '../src/shared/canonical.ts';
import { catchUpCatalog } from '../src/pipeline/catch-up.ts';
import { fromJournal } from '../src/pipeline/journal-entry.ts';
import { restateLost } from '../src/pipeline/restate.ts';
import type { Resource } from '../src/ports/item.ts';

const SMALL = { items: 5, bytes: 1024 * 1024 };

/** A mailbox in several commits, its store, and the reads of messages from the service. */
async function aMailbox(catalog = createMemoryCatalog()): Promise<{ rig: Rig; store: BlobStore; mailbox: Resource; owner: string }> {
  const store = createMemoryBlobStore();
  const rig = await createRig({ store, catalog });
  onTestFinished(() => rig.close());
  for await (const { id, userType } of rig.graph.directory.users()) {
    if (userType !== 'Member') continue;
    const mailbox = rig.resource('mailbox', id);
    expect(await rig.backup(mailbox, { checkpoint: SMALL })).toMatchObject({ status: 'successful' });
    expect((await rig.vault.journal(mailbox.id).head())?.sequence).toBeGreaterThan(3);
    return { rig, store, mailbox, owner: id };
  }
  throw new Error('There is no member.');
}

/** Damages a commit and its copy: a single one costs nothing. */
async function lose(store: BlobStore, sequence: number, how: 'flip' | 'delete'): Promise<void> {
  for (const folder of ['journal/', 'copies/']) {
    for await (const { name } of store.list(folder)) {
      if (!name.includes(`/${String(sequence).padStart(10, '0')}-`)) continue;
      const data = await store.get(name);
      data[60] = (data[60] ?? 0) ^ 1;
      await (how === 'delete' ? store.delete(name) : store.put(name, [data]));
    }
  }
}

/** The newest state as the journal alone gives it, without a loss. */
async function journalState(rig: Rig, mailbox: Resource): Promise<Map<string, string>> {
  const items = new Map<string, string>();
  for await (const state of rig.vault.journal(mailbox.id).stateAt()) {
    const item = fromJournal(state);
    items.set(item.key, canonicalJson(item as never));
  }
  return items;
}

async function catalogState(rig: Rig, mailbox: Resource): Promise<Map<string, string>> {
  return new Map((await rig.items(mailbox)).map((item) => [item.key, canonicalJson(item as never)]));
}

describe('a backup of a journal that has lost commits', () => {
  it.each([
    ['the first', 'delete', () => 1],
    ['a middle one', 'delete', () => 2],
    ['the newest', 'delete', (head: number) => head],
    ['the newest', 'flip', (head: number) => head],
  ] as const)('states the newest state again after %s was lost (%s), and reads no known message', async (_, how, which) => {
    const { rig, store, mailbox } = await aMailbox();
    const before = await catalogState(rig, mailbox);
    const head = (await rig.vault.journal(mailbox.id).head())?.sequence ?? 0;
    await lose(store, which(head), how);
    const result = await rig.backup(mailbox, { checkpoint: SMALL });
    expect(result).toMatchObject({ status: 'successful', bytesRead: 0, newBytes: 0 });
    expect(result.sequence).toBeGreaterThan(head);
    expect(await catalogState(rig, mailbox)).toEqual(before);
    expect(await journalState(rig, mailbox)).toEqual(before);
    expect(await rig.vault.journal(mailbox.id).tend()).toEqual([]);
    expect(await rig.backup(mailbox)).toMatchObject({ status: 'successful', sequence: result.sequence });
  });

  it('reads again from the service what a rebuilt catalog does not know', async () => {
    const { rig, store, mailbox, owner } = await aMailbox();
    await lose(store, 2, 'delete');
    const rebuilt = createMemoryCatalog();
    const journal = rig.vault.journal(mailbox.id);
    expect(await catchUpCatalog(journal, rebuilt)).toMatchObject({ lost: [2] });
    const second = await createRig({ store, catalog: rebuilt, shared: rig.simulator });
    onTestFinished(() => second.close());
    const result = await second.backup(mailbox);
    expect(result).toMatchObject({ status: 'successful' });
    const state = await catalogState(second, mailbox);
    expect(state).toEqual(await journalState(second, mailbox));
    const messages = (await second.items(mailbox)).filter(({ kind }) => kind === 'message');
    expect(messages).toHaveLength((await mailOfTruth(rig, owner)).size);
  });

  it('compares in parts what it compares at once, whatever of the journal is left', async () => {
    const { rig, store, mailbox } = await aMailbox();
    await lose(store, 2, 'delete');
    const journal = rig.vault.journal(mailbox.id);
    const compared = async (keysAtOnce: number): Promise<string[]> => {
      const restated = await Array.fromAsync(restateLost(journal, rig.catalog, keysAtOnce));
      return restated.map((one) => canonicalJson(one as never)).toSorted();
    };
    const atOnce = await compared(Number.POSITIVE_INFINITY);
    expect(atOnce.length).toBeGreaterThan(3);
    for (const keysAtOnce of [1, 7]) expect(await compared(keysAtOnce)).toEqual(atOnce);
  });

  it('refuses a catalog that is ahead of a journal that lost nothing', async () => {
    const { rig, store, mailbox } = await aMailbox();
    const head = (await rig.vault.journal(mailbox.id).head())?.sequence ?? 0;
    await lose(store, head, 'delete');
    for await (const { name } of store.list('journal/'))
      if (name.endsWith(`${String(head).padStart(10, '0')}.marker`)) await store.delete(name);
    expect(await rig.backup(mailbox)).toMatchObject({ status: 'failed', code: 'catalog.fork' });
  });
});
