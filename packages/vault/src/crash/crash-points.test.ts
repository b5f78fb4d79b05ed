import { AsyncLocalStorage } from 'node:async_hooks';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { createFakeClock, type FakeClock } from '@holdfast/foundation/testing/fake-clock';
import { aFolder, collectAll } from '../../testing/builders.ts';
import { compareWithModel, crashKeyRing, openScenario, RESOURCE, runRound } from '../../testing/crash-scenario.ts';
import { loseAndRestate, loseCopy } from '../../testing/lose-segment.ts';
import { createFilesystemBlobStore } from '../blob/filesystem.ts';
import { createMemoryBlobStore } from '../blob/memory.ts';
import type { BlobStore } from '../blob/blob-store.ts';
import type { Vault } from '../vault.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ROUNDS = 6;

/** Names in the source, so that a new one without a proof fails here. Those of S3 are passed where its servers are. */
function namesInSource(): string[] {
  const folder = path.join(import.meta.dirname, '..');
  const names = new Set<string>();
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.ts') || entry.endsWith('.test.ts')) continue;
    for (const match of readFileSync(path.join(folder, entry), 'utf8').matchAll(/crashPoint\('([^']+)'\)/g)) names.add(match[1] as string);
  }
  return [...names].filter((name) => !name.startsWith('vault.s3.')).toSorted();
}

interface World {
  readonly store: BlobStore;
  readonly copy: BlobStore;
  /** Where a segment is kept that the vault has lost. */
  readonly aside: BlobStore;
  readonly clock: FakeClock;
  /** The scenario has damaged packs and not repaired them yet. */
  isDamaged: boolean;
}

const onDisk = (folder: string): BlobStore => createFilesystemBlobStore({ root: folder, sync: false });

async function repair(vault: Vault, world: World): Promise<void> {
  const report = await vault.maintenance.verify({ depth: 'data' });
  await vault.maintenance.repair({ report, secondCopy: world.copy });
}

/** A whole life: writing, losing a lease, rotating, pruning, copying, repairing. Each step may be repeated. */
async function live(world: World): Promise<void> {
  const { store, copy, clock } = world;
  const vault = await openScenario(store, { clock });
  const journal = vault.journal(RESOURCE);
  const nowIso = (): string => new Date(clock.nowMs()).toISOString();
  const cursor = async (): Promise<number> => ((await journal.head())?.cursor as number | undefined) ?? 0;
  while ((await cursor()) < ROUNDS) await runRound(vault, nowIso());
  const lost = { fence: 1, runId: 'lost', at: nowIso(), cursor: await cursor(), changes: [], isLeaseHeld: async () => false };
  await journal.commit({ expectedHead: await journal.head(), ...lost }).catch(() => undefined);
  await vault.maintenance.rotateMasterKey({ keyRing: crashKeyRing });
  await loseCopy(vault, store, RESOURCE);
  await loseAndRestate(vault, { store, aside: world.aside, at: nowIso() });
  await vault.maintenance.copyTo({ target: copy });
  for (let pass = 0; pass < 3; pass += 1) {
    await clock.advance(2 * DAY_MS);
    const policy = { keepsPoint: (point: { sequence: number }) => point.sequence > 3 + pass };
    await vault.maintenance.prune({ policy, repackBelow: 0.95 });
  }
  await vault.maintenance.copyTo({ target: copy });
  const packs = await collectAll(store.list('packs/'));
  const broken = [...packs.slice(0, 2), packs.at(-1)];
  for (const [at, pack] of broken.entries()) {
    if (!pack) continue;
    const data = await store.get(pack.name);
    world.isDamaged = true;
    await store.put(pack.name, [data.subarray(0, data.byteLength - 5)]);
    if (at === 0) await copy.delete(pack.name);
  }
  await repair(vault, world);
  world.isDamaged = false;
  await vault.close();
}

const lives = new AsyncLocalStorage<{ isOver: boolean }>();
const never = new Promise<void>(() => undefined);

/** Runs until the `nth` passing of `name`, which never ends. Nothing of that life passes any point after it, as if the process were gone. */
async function liveUntil(name: string, nth: number, life: () => Promise<void>): Promise<boolean> {
  const own = { isOver: false };
  let passed = 0;
  const stalled = new Promise<'stalled'>((resolve) => {
    onCrashPoint((passing) => {
      if (lives.getStore()?.isOver) return never;
      if (lives.getStore() !== own || passing !== name) return undefined;
      passed += 1;
      if (passed < nth) return undefined;
      own.isOver = true;
      resolve('stalled');
      return never;
    });
  });
  const outcome = await Promise.race([stalled, lives.run(own, life).then(() => 'lived' as const)]);
  return outcome === 'stalled';
}

afterEach(() => onCrashPoint(undefined));

describe('crash points', () => {
  const names = namesInSource();

  it('stand around every durable step', () => {
    expect(names.length).toBeGreaterThan(25);
  });

  it.each(names)(
    'lose nothing at %s',
    async (name) => {
      let reached = 0;
      for (const nth of [1, 4]) {
        const { folder, remove } = aFolder();
        const clock = createFakeClock(Date.now());
        const inMemory = name.startsWith('vault.filesystem.') ? undefined : createMemoryBlobStore({ clock });
        const world: World = {
          store: inMemory ?? onDisk(folder),
          copy: createMemoryBlobStore(),
          aside: createMemoryBlobStore(),
          clock,
          isDamaged: false,
        };
        if (await liveUntil(name, nth, () => live(world))) reached += 1;
        const again: World = { ...world, store: inMemory ?? onDisk(folder) };
        const resumed = await openScenario(again.store, { clock });
        if (world.isDamaged) await repair(resumed, again);
        expect(await compareWithModel(resumed), `${name} at passing ${nth}`).toEqual([]);
        await resumed.close();
        await live(again);
        const last = await openScenario(again.store, { clock });
        expect(await compareWithModel(last)).toEqual([]);
        expect((await last.journal(RESOURCE).head())?.cursor).toBe(ROUNDS);
        expect((await last.maintenance.verify({ depth: 'data' })).damages).toEqual([]);
        await last.close();
        remove();
      }
      expect(reached, `${name} is never passed`).toBeGreaterThan(0);
    },
    120_000,
  );
});
