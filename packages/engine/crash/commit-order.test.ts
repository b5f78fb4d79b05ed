import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { createMemoryBlobStore } from '@holdfast/vault';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CatalogSegment } from '../src/ports/catalog.ts';
import { mailOfTruth, mailOfVault } from '../testing/compare-mail.ts';
import { createMemoryCatalog } from '../testing/memory-catalog.ts';
import { createRig, type Rig } from '../testing/rig.ts';

const MAIL_ONLY = { mailbox: { calendars: false, contacts: false, tasks: false } };
const CHECKPOINT = { items: 4, bytes: 1_000_000_000 };
const POINTS = ['backup.before-packs', 'backup.before-segment', 'backup.before-catalog', 'backup.after-catalog'];

/** Ends the run when it passes `name` for the nth time, as a process that dies there. */
function dieAt(name: string, nth: number): () => boolean {
  let passed = 0;
  onCrashPoint((point) => {
    if (point !== name) return;
    passed += 1;
    if (passed === nth) throw new Error(`died at ${name}`);
  });
  return () => passed >= nth;
}

describe('a backup that dies', () => {
  let source: Rig;
  let userId = '';

  beforeAll(async () => {
    source = await createRig({ recipes: ['tiny'] });
    for await (const user of source.graph.directory.users()) if (user.userType === 'Member' && user.accountEnabled) userId = user.id;
  });
  afterEach(() => onCrashPoint(undefined));
  afterAll(() => source.close());

  async function dieAndGoOn(name: string, nth: number): Promise<void> {
    const store = createMemoryBlobStore();
    const catalog = createMemoryCatalog();
    const first = await createRig({ shared: source.simulator, store, catalog, seed: 1 });
    const mailbox = first.resource('mailbox', userId);
    const hasDied = dieAt(name, nth);
    const crashed = await first.backup(mailbox, { selection: MAIL_ONLY, checkpoint: CHECKPOINT });
    expect([hasDied(), crashed.status]).toEqual([true, 'failed']);
    onCrashPoint(undefined);
    await first.close();
    const second = await createRig({ shared: source.simulator, store, catalog, seed: 2 });
    const result = await second.backup(mailbox, { selection: MAIL_ONLY, checkpoint: CHECKPOINT });
    expect(result.status).toBe('successful');
    expect(await mailOfVault(second, mailbox)).toEqual(await mailOfTruth(second, userId));
    expect((await second.backup(mailbox, { selection: MAIL_ONLY })).segments).toBe(0);
    await second.close();
  }

  for (const name of POINTS) {
    for (const nth of [1, 2, 3]) {
      it(`at ${name}, passing ${nth}, is gone on with and loses nothing`, () => dieAndGoOn(name, nth));
    }
  }

  it('with its catalog lost as well is gone on with from the vault alone', async () => {
    const store = createMemoryBlobStore();
    const first = await createRig({ shared: source.simulator, store, seed: 1 });
    const mailbox = first.resource('mailbox', userId);
    dieAt('backup.before-catalog', 3);
    await first.backup(mailbox, { selection: MAIL_ONLY, checkpoint: CHECKPOINT });
    onCrashPoint(undefined);
    await first.close();
    const second = await createRig({ shared: source.simulator, store, seed: 2 });
    const before = second.graph.statistics().bytesReceived;
    await second.backup(mailbox, { selection: MAIL_ONLY, checkpoint: CHECKPOINT });
    expect(second.graph.statistics().bytesReceived).toBeGreaterThan(before);
    expect(await mailOfVault(second, mailbox)).toEqual(await mailOfTruth(second, userId));
    await second.close();
  });

  it('tells what it brought with its segments, so that nothing of it is lost with the worker', async () => {
    const brought = async (dies: boolean): Promise<number> => {
      const catalog = createMemoryCatalog();
      let bytes = 0;
      const counting = {
        ...catalog,
        async apply(segment: CatalogSegment) {
          bytes += segment.newBytes;
          await catalog.apply(segment);
        },
      };
      const store = createMemoryBlobStore();
      const first = await createRig({ shared: source.simulator, store, catalog: counting, seed: 1 });
      const mailbox = first.resource('mailbox', userId);
      if (dies) dieAt('backup.after-catalog', 2);
      const result = await first.backup(mailbox, { selection: MAIL_ONLY, checkpoint: CHECKPOINT });
      onCrashPoint(undefined);
      await first.close();
      expect(result.status).toBe(dies ? 'failed' : 'successful');
      const second = await createRig({ shared: source.simulator, store, catalog: counting, seed: 2 });
      await second.backup(mailbox, { selection: MAIL_ONLY, checkpoint: CHECKPOINT });
      await second.close();
      return bytes;
    };
    const undisturbed = await brought(false);
    expect(undisturbed).toBeGreaterThan(0);
    expect(await brought(true)).toBe(undisturbed);
  });

  it('because it lost its lease commits nothing more', async () => {
    const rig = await createRig({ shared: source.simulator, seed: 1 });
    const mailbox = rig.resource('mailbox', userId);
    onCrashPoint((point) => {
      if (point === 'backup.before-segment') rig.lease.steal(mailbox.id);
    });
    const result = await rig.backup(mailbox, { selection: MAIL_ONLY });
    onCrashPoint(undefined);
    expect(result.status).toBe('failed');
    expect(await rig.vault.journal(mailbox.id).head()).toBeNull();
    expect((await rig.backup(mailbox, { selection: MAIL_ONLY })).status).toBe('successful');
    await rig.close();
  });

  it('because it was cancelled keeps what was committed, and goes on there', async () => {
    const rig = await createRig({ shared: source.simulator, seed: 1 });
    const mailbox = rig.resource('mailbox', userId);
    const controller = new AbortController();
    let commits = 0;
    onCrashPoint((point) => {
      if (point === 'backup.after-catalog') commits += 1;
      if (commits === 2) controller.abort(new Error('cancelled'));
    });
    const result = await rig.backup(mailbox, { selection: MAIL_ONLY, checkpoint: CHECKPOINT, signal: controller.signal });
    onCrashPoint(undefined);
    expect(result.status).toBe('cancelled');
    expect((await rig.vault.journal(mailbox.id).head())?.sequence).toBe(2);
    expect(await rig.catalog.points(mailbox.id)).toEqual([]);
    expect((await rig.backup(mailbox, { selection: MAIL_ONLY })).status).toBe('successful');
    expect(await mailOfVault(rig, mailbox)).toEqual(await mailOfTruth(rig, userId));
    await rig.close();
  });
});
