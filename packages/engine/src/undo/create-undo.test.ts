import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { silentLogger } from '@holdfast/foundation/logger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SUBJECTS, type Subject } from '../../testing/changed-subjects.ts';
import { dieAt } from '../../testing/die-and-go-on.ts';
import { createHurriedClock } from '../../testing/hurried-clock.ts';
import { createMemoryReport, type MemoryReport } from '../../testing/memory-report.ts';
import { createRig, type Rig } from '../../testing/rig.ts';
import { isContainer, type ItemVersion, type Resource } from '../ports/item.ts';
import { silentProgress } from '../ports/progress.ts';
import type { CollisionPolicy } from '../restore/request.ts';
import { createUndo } from './create-undo.ts';
import type { UndoLine, UndoReport, UndoResult } from './request.ts';

/** What is kept of an undo between its workers. */
interface Kept {
  readonly lines: MemoryReport;
  readonly back: MemoryReport;
}

const kept = (): Kept => ({ lines: createMemoryReport(), back: createMemoryReport() });

async function* each<One>(items: readonly One[]): AsyncGenerator<One> {
  yield* items;
}

interface Undoing {
  /** What the restore has noted. */
  readonly of: MemoryReport;
  readonly home: Resource;
  readonly before?: number;
  readonly keep?: Kept;
  readonly isResumed?: boolean;
}

async function undone(rig: Rig, { of, home, before, keep = kept(), isResumed = false }: Undoing) {
  const { lines, back } = keep;
  const report: UndoReport = { begin: (key, made) => lines.begin(key, made), tell: (some) => lines.tell(some as never) };
  const items = of.written.map((thing) => ({ ...thing, path: thing.name }));
  const engine = createUndo({ graph: rig.graph, progress: silentProgress, report, clock: rig.clock, logger: silentLogger });
  const result: UndoResult = await engine.run(
    {
      runId: rig.ids.uuid(),
      home,
      items: each(items.filter(({ kind }) => !isContainer(kind))),
      containers: each(items.filter(({ kind }) => isContainer(kind)).toReversed()),
      total: items.length,
      ...(before === undefined ? {} : { before: { vault: rig.vault, catalog: rig.catalog, sequence: before } }),
      back: { report: back, ...(isResumed ? { earlier: back.earlier() } : {}) },
      wasPutBack: async () => new Set<string>(),
      ...(isResumed ? { earlier: lines.earlier() } : {}),
    },
    new AbortController().signal,
  );
  return { result, lines: lines.lines as unknown as readonly UndoLine[] };
}

/** What Holdfast can compare with what a backup holds, and so put back. */
const RETURNING = new Set(['message', 'event', 'contact', 'task', 'file']);

describe.each(Object.entries(SUBJECTS))('a restored %s whose restore is undone', (kind, prepare) => {
  let rig: Rig;
  let subject: Subject;
  let home: Resource;
  let item: ItemVersion;
  let original: readonly string[];
  let changed: readonly string[];
  let snapshot: string;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    subject = await prepare(rig);
    home = rig.resource(subject.kind, subject.owner);
    await rig.backup(home);
    original = (await subject.state()).toSorted();
    item = (await rig.items(home)).find((one) => one.kind === kind && one.key.endsWith(subject.id)) as ItemVersion;
    rig.simulator.clock.advance(3_600_000);
    subject.change();
    await rig.backup(home);
    changed = (await subject.state()).toSorted();
    rig.simulator.clock.advance(3_600_000);
    snapshot = rig.simulator.control.snapshot();
  });
  afterAll(() => rig.close());

  async function restored(collisions: CollisionPolicy): Promise<MemoryReport> {
    rig.simulator.control.restore(snapshot);
    const report = createMemoryReport();
    await rig.restore({ source: home, sequence: 1, selection: [item.key], target: { resource: home }, collisions }, report);
    return report;
  }

  it('is taken away again when it was made, and nothing else is', async () => {
    const of = await restored('keepBoth');
    expect((await subject.state()).toSorted()).not.toEqual(changed);
    const { lines } = await undone(rig, { of, home, before: 2 });
    expect(lines.map(({ key, outcome }) => [key, outcome])).toEqual([[item.key, 'removed']]);
    expect((await subject.state()).toSorted()).toEqual(changed);
  });

  it('stays, and is named, when somebody has changed it since', async () => {
    const of = await restored('keepBoth');
    rig.simulator.clock.advance(3_600_000);
    subject.change(of.written[0]?.targetId);
    const state = (await subject.state()).toSorted();
    const { lines } = await undone(rig, { of, home, before: 2 });
    expect(lines).toMatchObject([{ key: item.key, outcome: 'skipped', code: 'undo.changed' }]);
    expect((await subject.state()).toSorted()).toEqual(state);
  });

  it('gives way to what it had replaced when a backup holds that, and stays when it is of a kind that none can compare', async () => {
    const of = await restored('replace');
    expect((await subject.state()).toSorted()).toEqual(original);
    const { lines, result } = await undone(rig, { of, home, before: 2 });
    const isReturning = RETURNING.has(kind);
    const wanted = isReturning ? { outcome: 'putBack' } : { outcome: 'notPossible', code: 'undo.not-kept' };
    expect(lines).toMatchObject(of.written.length === 0 ? [] : [{ key: item.key, ...wanted }]);
    expect((await subject.state()).toSorted()).toEqual(isReturning ? changed : original);
    expect(result.status).toBe('successful');
  });

  it('changes nothing when it is undone twice', async () => {
    const of = await restored('replace');
    await undone(rig, { of, home, before: 2 });
    const state = (await subject.state()).toSorted();
    const { lines } = await undone(rig, { of, home, before: 2 });
    expect(lines.filter(({ outcome }) => outcome === 'removed' || outcome === 'putBack')).toEqual([]);
    expect((await subject.state()).toSorted()).toEqual(state);
  });

  it('stays when no backup holds what it had replaced', async () => {
    const of = await restored('replace');
    const without = await undone(rig, { of, home });
    const older = await undone(rig, { of, home, before: 1 });
    for (const { lines } of [without, older]) {
      expect(lines.every(({ outcome, code }) => outcome === 'notPossible' && code === 'undo.not-kept')).toBe(true);
    }
    expect((await subject.state()).toSorted()).toEqual(original);
  });

  it.each(['undo.before-remove', 'undo.removed', 'undo.put-back'])(
    'is undone once by the worker that follows one that died at %s',
    async (point) => {
      const of = await restored(RETURNING.has(kind) ? 'replace' : 'keepBoth');
      const keep = kept();
      const hasDied = dieAt(point, 1);
      await undone(rig, { of, home, before: 2, keep }).catch(() => undefined);
      // Files keep their place, and what was made has replaced nothing: nothing is put back beside them.
      expect(hasDied()).toBe(point !== 'undo.put-back' || (kind !== 'file' && RETURNING.has(kind)));
      onCrashPoint(undefined);
      const { lines } = await undone(rig, { of, home, before: 2, keep, isResumed: true });
      expect(lines.map(({ key, outcome }) => [key, outcome])).toEqual([[item.key, RETURNING.has(kind) ? 'putBack' : 'removed']]);
      expect((await subject.state()).toSorted()).toEqual(changed);
    },
  );
});

describe.each([
  ['mailbox', ['mail', 'calendar', 'contacts', 'todo']],
  ['drive', ['drives']],
  ['site', ['sites']],
] as const)('a whole %s that was restored into a folder', (kind, truths) => {
  let rig: Rig;
  let home: Resource;
  let of: MemoryReport;
  let before: readonly string[];
  let snapshot: string;

  async function names(
    all: AsyncIterable<{ readonly displayName?: string | null; readonly name?: string | null }>,
  ): Promise<readonly string[]> {
    return (await Array.fromAsync(all)).map(({ displayName, name }) => displayName ?? name ?? '');
  }

  /** Everything that is there, without what waits in a bin for being deleted. */
  async function state(): Promise<readonly string[]> {
    const records = (await Promise.all(truths.map((truth) => rig.truth(truth, home.graphId)))).flat();
    const there = records.filter(({ path }) => !path.startsWith('Deleted Items') && !path.startsWith('Gelöschte Elemente'));
    const { mail, calendar, contacts, todo } = rig.graph.exchange;
    const userId = home.graphId;
    const containers =
      kind === 'mailbox'
        ? [...(await names(mail.folders({ userId }))), ...(await names(calendar.calendars({ userId })))].concat(
            await names(contacts.contactFolders({ userId })),
            await names(todo.lists({ userId })),
          )
        : [];
    return [...there.map((record) => `${record.kind} ${record.path}`), ...containers].toSorted();
  }

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    const subject = await SUBJECTS[kind === 'mailbox' ? 'task' : kind === 'drive' ? 'file' : 'page'](rig);
    home = rig.resource(kind, subject.owner);
    await rig.backup(home);
    before = await state();
    of = createMemoryReport();
    await rig.restore({ source: home, selection: 'all', target: { resource: home, folder: 'Brought back' }, collisions: 'keepBoth' }, of);
    snapshot = rig.simulator.control.snapshot();
  });
  afterAll(() => rig.close());

  it('leaves nothing behind when that is undone', async () => {
    expect(await state()).not.toEqual(before);
    const { lines, result } = await undone(rig, { of, home, before: 1 });
    expect(lines.filter(({ outcome }) => outcome !== 'removed')).toEqual([]);
    expect(result.counts.removed).toBe(of.written.length);
    expect(await state()).toEqual(before);
    expect(rig.outbox()).toEqual([]);
  });

  it('leaves a folder in which somebody has put something since', async () => {
    rig.simulator.control.restore(snapshot);
    const wanted = { mailbox: 'mailFolder', drive: 'folder', site: 'list' } as const;
    const own = of.written.find((thing) => thing.kind === wanted[kind]);
    const { mail } = rig.graph.exchange;
    const [userId, folderId] = [home.graphId, own?.targetId ?? ''];
    if (own?.kind === 'mailFolder') await mail.createMessage({ userId, folderId }, { subject: 'Mine' });
    if (own?.kind === 'folder') {
      const content = { sizeBytes: 1, open: () => each([Buffer.from('x')]) };
      const target = { parentId: folderId, name: 'Mine.txt' };
      await rig.graph.drives.upload({ driveId: own.place }, { target, conflict: 'fail' }, content);
    }
    if (own?.kind === 'list') await rig.graph.sites.createItem({ siteId: home.graphId, listId: folderId }, { fields: { Title: 'Mine' } });
    const { lines } = await undone(rig, { of, home, before: 1 });
    expect(lines.filter(({ outcome }) => outcome !== 'removed')).toMatchObject([
      { key: own?.key, outcome: 'skipped', code: 'undo.not-empty' },
    ]);
  });
});
