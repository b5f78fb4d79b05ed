/** Commits a large resource, loses a part of its journal, and compares the rest with a catalog that holds nothing itself: a process of its own, so that its heap can be limited. */
import { createIds } from '@holdfast/foundation/ids';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import { createMemoryBlobStore, createVault, openVault, type Vault } from '@holdfast/vault';
import { aKeyRing, ORGANISATION } from '@holdfast/vault/testing/builders';
import { restateLost } from '../src/pipeline/restate.ts';
import { toJournal } from '../src/pipeline/journal-entry.ts';
import type { Catalog } from '../src/ports/catalog.ts';
import type { ItemVersion } from '../src/ports/item.ts';

/** What was compared. */
export interface RestateReport {
  readonly restated: number;
}

const COMMIT = 20_000;
const LOST = 2;
/** As long as the ids of messages are. */
const PREFIX = 'AAMkAGI2'.repeat(16);

const items = Number(process.argv[2] ?? '0');

function itemAt(at: number): ItemVersion {
  const key = `${PREFIX}${String(at).padStart(10, '0')}`;
  return {
    key,
    kind: 'message',
    parentKey: null,
    name: `Message ${at}`,
    sizeBytes: 1,
    contentTag: String(at),
    properties: {},
    contents: [],
  };
}

const catalog: Pick<Catalog, 'items' | 'lookup'> = {
  lookup: async (_resourceId, keys) => new Map(keys.map((key) => [key, itemAt(Number(key.slice(PREFIX.length)))])),
  async *items() {
    for (let at = 0; at < items; at += 1) yield itemAt(at);
  },
};

async function commitAll(vault: Vault): Promise<void> {
  const journal = vault.journal('large');
  for (let from = 0; from < items; from += COMMIT) {
    const changes = Array.from({ length: COMMIT }, (_, at) => toJournal(itemAt(from + at)));
    const expectedHead = await journal.head();
    await journal.commit({ expectedHead, fence: 1, runId: 'run', at: '2026-01-01T00:00:00.000Z', cursor: null, changes });
  }
}

const store = createMemoryBlobStore();
const base = { store, keyRing: aKeyRing(), clock: systemClock, ids: createIds(systemClock, secureRandom), logger: silentLogger };
await createVault({ ...base, organisationId: ORGANISATION });
const vault = await openVault(base);
await commitAll(vault);
for (const folder of ['journal/', 'copies/']) {
  for await (const { name } of store.list(folder)) if (name.includes(`/${String(LOST).padStart(10, '0')}-`)) await store.delete(name);
}
// Every checkpoint is gone with its pack: nothing is left to tell the state from but the copies of the commits.
for await (const { name } of store.list('packs/')) await store.delete(name);
let restated = 0;
for await (const _ of restateLost(vault.journal('large'), catalog as Catalog)) restated += 1;
await vault.close();
const report: RestateReport = { restated };
process.stdout.write(JSON.stringify(report));
