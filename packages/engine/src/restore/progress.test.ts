import { silentLogger } from '@holdfast/foundation/logger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../../testing/hurried-clock.ts';
import { createMemoryReport } from '../../testing/memory-report.ts';
import { createRig, type Rig } from '../../testing/rig.ts';
import type { Resource } from '../ports/item.ts';
import type { ProgressReport } from '../ports/progress.ts';
import { createRestore } from './create-restore.ts';
import type { EarlierWork, RestoreSelection } from './request.ts';

describe('the progress of a restore', () => {
  let rig: Rig;
  let mailbox: Resource;
  let team: Resource;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users())
      if (user.userType === 'Member') mailbox ??= rig.resource('mailbox', user.id, 'Mailbox');
    for await (const { id } of rig.graph.directory.groups({ teamsOnly: true })) team ??= rig.resource('team', id, 'Team');
    await rig.backup(mailbox);
    await rig.backup(team);
  });
  afterAll(() => rig.close());

  async function reportsOf(source: Resource, selection: RestoreSelection, earlier?: EarlierWork) {
    const reports: ProgressReport[] = [];
    const progress = { report: (state: ProgressReport) => void reports.push(state) };
    const report = createMemoryReport();
    const { vault, graph, catalog, clock } = rig;
    const restore = createRestore({ vault, graph, catalog, progress, report, clock, logger: silentLogger });
    const sequence = (await catalog.points(source.id)).at(-1)?.sequence ?? 0;
    const request = { runId: 'run', source, sequence, selection, target: { resource: source }, collisions: 'skip' } as const;
    await restore.run({ ...request, ...(earlier ? { earlier } : {}) }, new AbortController().signal);
    return { reports, lines: report.lines };
  }

  it.each(['mailbox', 'team'] as const)('names the total before the first item and ends at it (%s)', async (kind) => {
    const { reports, lines } = await reportsOf(kind === 'mailbox' ? mailbox : team, 'all');
    expect(lines.length).toBeGreaterThan(10);
    expect(reports.find(({ stage }) => stage === 'restoring')).toMatchObject({ processed: 0, total: lines.length });
    expect(new Set(reports.filter(({ stage }) => stage === 'restoring').map(({ total }) => total))).toEqual(new Set([lines.length]));
    expect(reports.at(-1)).toMatchObject({ stage: 'finished', processed: lines.length, total: lines.length });
  });

  it('counts what was chosen alone', async () => {
    const [folder] = (await rig.items(mailbox)).filter(({ kind }) => kind === 'calendar');
    const { reports, lines } = await reportsOf(mailbox, [folder?.key ?? '']);
    expect(reports.at(-1)).toMatchObject({ processed: lines.length, total: lines.length });
  });

  it('begins where an earlier worker of the run has ended', async () => {
    const done = new Map(
      (await rig.items(mailbox)).filter(({ kind }) => kind === 'message').map(({ key }) => [key, { outcome: 'skipped' }]),
    );
    const earlier = {
      counts: { skipped: done.size },
      begun: new Map(),
      uploads: new Map(),
      told: async (keys: readonly string[]) => new Map([...done].filter(([key]) => keys.includes(key))),
      targets: async () => new Set(),
    } as unknown as EarlierWork;
    const { reports, lines } = await reportsOf(mailbox, 'all', earlier);
    const total = done.size + lines.length;
    expect(reports.find(({ stage }) => stage === 'restoring')).toMatchObject({ processed: done.size, total });
    expect(reports.at(-1)).toMatchObject({ processed: total, total });
  });
});
