import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createHurriedClock } from '../../testing/hurried-clock.ts';
import { mailOfTruth, mailOfVault } from '../../testing/compare-mail.ts';
import { createRig, type Rig } from '../../testing/rig.ts';
import type { Resource } from '../ports/item.ts';
import { createRetention } from './create-retention.ts';
import type { PointKeepers } from './disposition.ts';

const MAIL_ONLY = { selection: { mailbox: { calendars: false, contacts: false, tasks: false } } };
const UTC = { timeZone: 'UTC' };
const DAY_MS = 86_400_000;
/** The first commit of a resource that has nothing in it. */
const FIRST = { expectedHead: null, fence: 1, runId: 'first', cursor: null, changes: [] };

describe('deleting restore points', () => {
  let rig: Rig;
  let mailbox: Resource;

  beforeEach(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users()) if (user.userType === 'Member') mailbox ??= rig.resource('mailbox', user.id);
    mailbox = rig.resource('mailbox', mailbox.graphId);
    for (let point = 0; point < 4; point += 1) {
      rig.act('mail.deliver', { user: mailbox.graphId, subject: `For point ${point}` });
      await rig.backup(mailbox, MAIL_ONLY);
    }
  });
  afterEach(() => rig.close());

  /** What each listed point shows can be read, and the vault has let none of them go. */
  async function everyPointIsWhole(): Promise<void> {
    const points = await rig.catalog.points(mailbox.id);
    const { points: forgotten } = await rig.vault.maintenance.forgottenPoints(mailbox.id);
    expect(points.filter(({ sequence }) => forgotten.includes(sequence))).toEqual([]);
    for (const { sequence } of points) expect((await mailOfVault(rig, mailbox, sequence)).size).toBeGreaterThan(0);
  }

  function retention(keepersOf?: (resourceId: string) => Promise<PointKeepers>) {
    return createRetention({ vault: rig.vault, catalog: rig.catalog, clock: rig.clock, ...(keepersOf ? { keepersOf } : {}) });
  }

  it('previews without changing anything', async () => {
    const preview = await retention().preview({ resourceId: mailbox.id, rule: { keepLast: 2, ...UTC } });
    expect(preview).toMatchObject({ keep: 2, remove: 2, held: 0 });
    expect(await rig.catalog.points(mailbox.id)).toHaveLength(4);
  });

  it('gives up what the rule lets go; what is kept is whole', async () => {
    const result = await retention().run([{ resourceId: mailbox.id, rule: { keepLast: 2, ...UTC } }], new AbortController().signal);
    expect(result).toMatchObject({ removed: 2, kept: 2 });
    const points = await rig.catalog.points(mailbox.id);
    expect(points).toHaveLength(2);
    expect(await mailOfVault(rig, mailbox)).toEqual(await mailOfTruth(rig, mailbox.graphId));
    expect((await mailOfVault(rig, mailbox, points[0]?.sequence)).size).toBe((await mailOfTruth(rig, mailbox.graphId)).size - 1);
    expect((await rig.backup(mailbox, MAIL_ONLY)).status).toBe('successful');
  });

  it('changes nothing under a hold', async () => {
    const held = retention(async (resourceId) => ({
      holds: resourceId === mailbox.id ? [{ name: 'case 7' }] : [],
      awaited: [],
      minimums: [],
    }));
    const result = await held.run([{ resourceId: mailbox.id, rule: { keepLast: 1, ...UTC } }], new AbortController().signal);
    expect(result).toMatchObject({ removed: 0, kept: 4 });
    expect(await rig.catalog.points(mailbox.id)).toHaveLength(4);
  });

  it('keeps in the vault, while single items are on hold, every point that the catalog does not list', async () => {
    const catalog = { ...rig.catalog, points: async (id: string) => (await rig.catalog.points(id)).slice(2) };
    const rules = [{ resourceId: mailbox.id, rule: { keepLast: 1, ...UTC } }];
    const { vault, clock } = rig;
    const held = async () => ({ holds: [{ name: 'Contracts', sequences: new Set<number>() }], awaited: [], minimums: [] });
    await createRetention({ vault, catalog, clock, keepersOf: held }).run(rules, new AbortController().signal);
    // The first two may have the items: only a complete catalog can tell. The third is listed, and has none of them.
    expect((await vault.maintenance.forgottenPoints(mailbox.id)).points).toEqual([3]);
  });

  it('keeps in the vault, while a policy keeps versions of files, every point that the catalog does not list, and lets go when it is over', async () => {
    const catalog = { ...rig.catalog, points: async (id: string) => (await rig.catalog.points(id)).slice(2) };
    const rules = [{ resourceId: mailbox.id, rule: { keepLast: 1, ...UTC } }];
    const { vault, clock } = rig;
    const keptUntil = (untilMs: number) => async () => ({
      holds: [],
      awaited: [],
      minimums: [{ name: 'Contracts', fromSequence: 9, sequences: new Set([9]), untilMs }],
    });
    await createRetention({ vault, catalog, clock, keepersOf: keptUntil(clock.nowMs() + DAY_MS) }).run(rules, new AbortController().signal);
    expect((await vault.maintenance.forgottenPoints(mailbox.id)).points).toEqual([3]);
    await createRetention({ vault, catalog, clock, keepersOf: keptUntil(clock.nowMs()) }).run(rules, new AbortController().signal);
    expect((await vault.maintenance.forgottenPoints(mailbox.id)).points).toEqual([1, 2, 3]);
  });

  it('keeps the points that an archive has yet to take in, and tells who waits', async () => {
    const awaited = [{ name: 'Archive', fromSequence: 2, toSequence: 2 }];
    const waiting = retention(async () => ({ holds: [], awaited, minimums: [] }));
    const result = await waiting.run([{ resourceId: mailbox.id, rule: { keepLast: 1, ...UTC } }], new AbortController().signal);
    expect(result).toMatchObject({ removed: 2, kept: 2, awaited: [{ resourceId: mailbox.id, points: 1, by: ['Archive'] }] });
    expect((await rig.catalog.points(mailbox.id)).map(({ sequence }) => sequence)).toEqual([2, 4]);
    expect((await rig.vault.maintenance.forgottenPoints(mailbox.id)).points).toEqual([1, 3]);
    await everyPointIsWhole();
  });

  it('keeps the points that the minimum of a policy needs, listed in the catalog and in the vault', async () => {
    const minimums = [{ name: 'Letters', fromSequence: 2, untilMs: rig.clock.nowMs() + DAY_MS }];
    const keeping = retention(async () => ({ holds: [], awaited: [], minimums }));
    const rules = [{ resourceId: mailbox.id, rule: { keepLast: 1, ...UTC } }];
    expect(await keeping.run(rules, new AbortController().signal)).toMatchObject({ removed: 1, kept: 3 });
    expect((await rig.catalog.points(mailbox.id)).map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
    expect((await rig.vault.maintenance.forgottenPoints(mailbox.id)).points).toEqual([1]);
    await everyPointIsWhole();
  });

  it('obeys a hold that is placed while it runs', async () => {
    let asked = 0;
    const keepersOf = async (): Promise<PointKeepers> => {
      asked += 1;
      return { holds: [{ name: 'placed just now' }], awaited: [], minimums: [] };
    };
    const rule = { resourceId: mailbox.id, rule: { keepLast: 1, ...UTC } };
    expect(await retention(keepersOf).run([rule], new AbortController().signal)).toMatchObject({ removed: 0, kept: 4 });
    expect(asked).toBeGreaterThan(0);
    expect(await rig.catalog.points(mailbox.id)).toHaveLength(4);
  });

  it('keeps every point that a backup makes while it runs', async () => {
    const second = rig.resource('drive', 'another');
    await rig.vault.journal(second.id).commit({ ...FIRST, at: new Date(rig.clock.nowMs()).toISOString() });
    const backingUp = async (resourceId: string): Promise<PointKeepers> => {
      if (resourceId !== second.id) return { holds: [], awaited: [], minimums: [] };
      for (const subject of ['Meanwhile', 'And again']) {
        rig.act('mail.deliver', { user: mailbox.graphId, subject });
        await rig.backup(mailbox, MAIL_ONLY);
      }
      return { holds: [], awaited: [], minimums: [] };
    };
    const rules = [mailbox.id, second.id].map((resourceId) => ({ resourceId, rule: { keepLast: 1, ...UTC } }));
    expect(await retention(backingUp).run(rules, new AbortController().signal)).toMatchObject({ removed: 3 });
    expect((await rig.catalog.points(mailbox.id)).map(({ sequence }) => sequence)).toEqual([4, 5, 6]);
    expect((await rig.vault.maintenance.forgottenPoints(mailbox.id)).points).toEqual([1, 2, 3]);
    await everyPointIsWhole();
  });

  it.each(['retention.before-forget', 'retention.before-prune'])('that dies at %s is finished by the next run', async (point) => {
    onTestFinished(() => onCrashPoint(undefined));
    onCrashPoint((name) => {
      if (name === point) throw new Error(`died at ${name}`);
    });
    const rules = [{ resourceId: mailbox.id, rule: { keepLast: 2, ...UTC } }];
    await expect(retention().run(rules, new AbortController().signal)).rejects.toThrow('died at');
    onCrashPoint(undefined);
    await everyPointIsWhole();
    await retention().run(rules, new AbortController().signal);
    expect((await rig.catalog.points(mailbox.id)).map(({ sequence }) => sequence)).toEqual([3, 4]);
    expect((await rig.vault.maintenance.forgottenPoints(mailbox.id)).points).toEqual([1, 2]);
    await everyPointIsWhole();
  });

  it('takes nothing from the vault because the catalog does not list it', async () => {
    const catalog = { ...rig.catalog, points: async (id: string) => (await rig.catalog.points(id)).slice(-1) };
    const rules = [{ resourceId: mailbox.id, rule: { keepLast: 2, ...UTC } }];
    const { vault, clock } = rig;
    await createRetention({ vault, catalog, clock }).run(rules, new AbortController().signal);
    expect((await vault.maintenance.forgottenPoints(mailbox.id)).points).toEqual([]);
    await everyPointIsWhole();
  });

  it('keeps in the vault what the catalog spares at the last moment', async () => {
    const catalog = {
      ...rig.catalog,
      forgetPoints: (id: string, sequences: readonly number[]) =>
        rig.catalog.forgetPoints(
          id,
          sequences.filter((sequence) => sequence !== 1),
        ),
    };
    const rules = [{ resourceId: mailbox.id, rule: { keepLast: 2, ...UTC } }];
    const { vault, clock } = rig;
    const result = await createRetention({ vault, catalog, clock }).run(rules, new AbortController().signal);
    expect(result).toMatchObject({ removed: 1, kept: 3 });
    expect((await vault.maintenance.forgottenPoints(mailbox.id)).points).toEqual([2]);
    await everyPointIsWhole();
  });

  it('keeps all of a resource that is not named', async () => {
    expect(await retention().run([], new AbortController().signal)).toMatchObject({ removed: 0, kept: 0 });
    expect(await rig.catalog.points(mailbox.id)).toHaveLength(4);
    expect((await rig.vault.maintenance.forgottenPoints(mailbox.id)).points).toEqual([]);
    await everyPointIsWhole();
  });
});
