import { createMemoryBlobStore } from '@holdfast/vault';
import { createSeededRandom, type Random } from '@holdfast/foundation/random';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resource } from '../src/ports/item.ts';
import { mailOfTruth, mailOfVault } from '../testing/compare-mail.ts';
import { createMemoryCatalog } from '../testing/memory-catalog.ts';
import { createPowerCut, darknesses } from '../testing/power-cut.ts';
import { createRig, type Rig } from '../testing/rig.ts';

const RUN = {
  selection: { mailbox: { calendars: false, contacts: false, tasks: false } },
  checkpoint: { items: 3, bytes: 1_000_000_000 },
};
const CUTS = 100;
/** After so many cuts a run is left alone and everything is looked at. */
const LOOKED_AT_EVERY = 20;
/** About as many operations as a run has of each. */
const LATEST = { worker: 24, database: 8, store: 16 } as const;

describe(`${CUTS} power cuts at random operations of a worker, its database and its store`, () => {
  let source: Rig;
  let userId = '';
  const store = createMemoryBlobStore();
  const catalog = createMemoryCatalog();

  beforeAll(async () => {
    source = await createRig({ recipes: ['tiny'] });
    for await (const user of source.graph.directory.users()) if (user.userType === 'Member' && user.accountEnabled) userId = user.id;
  });
  afterAll(() => source.close());

  /** What people do between two lives of a worker. */
  async function live(random: Random, turn: number): Promise<void> {
    for (let count = 1 + random.below(5); count > 0; count -= 1)
      source.act('mail.deliver', { user: userId, subject: `Turn ${turn}, message ${count}` });
    const messages = [...(await mailOfTruth(source, userId)).keys()];
    const id = messages[random.below(messages.length)];
    if (random.below(2) === 0) source.act('mail.flag', { user: userId, id, status: 'flagged' });
    else if (random.below(3) === 0) source.act('mail.purge', { user: userId, id });
  }

  /** Everything is there once, what the catalog says is what the journal says, and every byte can be read. */
  async function requireWhole(resource: Resource, seed: number): Promise<void> {
    const last = await createRig({ shared: source.simulator, store, catalog, seed });
    expect((await last.backup(resource, RUN)).status).toBe('successful');
    expect(await mailOfVault(last, resource)).toEqual(await mailOfTruth(source, userId));
    const rebuilt = await createRig({ shared: source.simulator, store, seed: seed + 1 });
    await rebuilt.backup(resource, RUN);
    expect(await rebuilt.items(resource)).toEqual(await last.items(resource));
    expect(await rebuilt.catalog.points(resource.id)).toEqual(await last.catalog.points(resource.id));
    expect((await last.vault.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
    await rebuilt.close();
    await last.close();
  }

  it('lose nothing, double nothing and leave nothing half done', async () => {
    const random = createSeededRandom(8_128);
    const resource = source.resource('mailbox', userId);
    await (await createRig({ shared: source.simulator, store, catalog, seed: 1 })).close();
    const seen = new Map<string, number>();
    const ended: (readonly [isCut: boolean, status: string | undefined])[] = [];
    let cuts = 0;
    for (let turn = 1; cuts < CUTS; turn += 1) {
      await live(random, turn);
      const what = darknesses[turn % darknesses.length] ?? 'worker';
      const cut = createPowerCut({ store, catalog }, { what, nth: 1 + random.below(LATEST[what]), isAfter: random.below(2) === 0 });
      const life = await createRig({ shared: source.simulator, store: cut.store, catalog: cut.catalog, seed: turn + 1 }).catch(
        () => undefined,
      );
      const result = await life?.backup(resource, RUN);
      await life?.close().catch(() => undefined);
      ended.push([cut.hasHappened, result?.status]);
      if (!cut.hasHappened) continue;
      cuts += 1;
      seen.set(what, (seen.get(what) ?? 0) + 1);
      if (cuts % LOOKED_AT_EVERY === 0) await requireWhole(resource, 10_000 + turn * 2);
    }
    expect(ended.filter(([isCut, status]) => !isCut && status !== 'successful')).toEqual([]);
    expect(Math.min(...darknesses.map((what) => seen.get(what) ?? 0))).toBeGreaterThan(CUTS / 10);
  }, 120_000);
});
