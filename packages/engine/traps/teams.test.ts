import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { teamOfTruth, teamOfVault } from '../testing/compare-team.ts';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import type { Resource } from '../src/ports/item.ts';

describe('traps of Teams', () => {
  let rig: Rig;
  let team: Resource;

  beforeEach(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const group of rig.graph.directory.groups({ teamsOnly: true }))
      team ??= rig.resource('team', group.id, group.displayName ?? '');
    team = rig.resource('team', team.graphId);
  });
  afterEach(async () => {
    onCrashPoint(undefined);
    await rig.close();
  });

  it('28: the first backup has what lies beyond the edge of change tracking', async () => {
    rig.simulator.control.setSwitches({ channelDeltaMonths: 1, channelDeltaFlake: 0.3 });
    expect((await rig.backup(team)).status).toBe('successful');
    const wanted = (await teamOfTruth(rig, team.graphId)).filter((post) => !post.isDeleted).map((post) => post.id);
    const found = new Set((await teamOfVault(rig, team)).map((post) => post.id));
    expect(wanted.filter((id) => !found.has(id))).toEqual([]);
  });

  it('28: a thread of more answers than a page can carry is whole', async () => {
    const root = (await rig.truth('teams', team.graphId)).find(
      ({ kind, metadata }) => kind === 'chatMessage' && metadata['rootId'] === null && metadata['deletedAt'] === null,
    );
    const [post] = (await teamOfTruth(rig, team.graphId)).filter((one) => one.id === root?.id);
    for (let answer = 0; answer < 1_010; answer += 1)
      rig.act('teams.post', { channel: post?.channel, rootId: post?.id, content: `<p>Answer ${answer}</p>` });
    expect((await rig.backup(team)).status).toBe('successful');
    const answers = (await teamOfVault(rig, team)).filter((one) => /^<p>Answer \d+<\/p>$/u.test(one.body)).map((one) => one.body);
    expect(new Set(answers).size).toBe(1_010);
    expect(answers).toHaveLength(1_010);
  });

  it('29: a restore that dies inside a migration is completed by the next one, and doubles nothing', async () => {
    await rig.backup(team);
    const request = {
      source: team,
      selection: 'all' as const,
      target: { resource: team, folder: 'Restored' },
      collisions: 'skip' as const,
    };
    const before = (await teamOfTruth(rig, team.graphId)).length;
    let imports = 0;
    onCrashPoint((name) => {
      if (name === 'restore.before-import') imports += 1;
      if (imports === 5) throw new Error('died inside the migration');
    });
    await rig.restore(request).catch(() => undefined);
    onCrashPoint(undefined);
    expect((await rig.restore(request)).result.status).toBe('successful');
    const channels = (await rig.truth('teams', team.graphId)).filter((record) => record.kind === 'channel');
    expect(channels.map((channel) => channel.metadata['migrationMode'])).not.toContain('inProgress');
    const importable = (await rig.items(team)).filter(
      (item) =>
        (item.kind === 'post' || item.kind === 'reply') &&
        item.properties['messageType'] === 'message' &&
        item.properties['deletedDateTime'] === undefined,
    );
    const said = (await teamOfTruth(rig, team.graphId)).filter((post) => !post.body.includes('(deleted)'));
    expect(said.length - before).toBe(importable.length);
  });

  it('29: an import that meets a taken millisecond goes on with the next one', async () => {
    await rig.backup(team);
    rig.simulator.control.setFaults([
      { match: { method: 'POST', path: '/teams/{id}/channels/{id}/messages', nth: 2 }, do: 'status', status: 409, code: 'Conflict' },
    ] as never);
    const { result, lines } = await rig.restore({
      source: team,
      selection: 'all',
      target: { resource: team, folder: 'Restored' },
      collisions: 'skip',
    });
    expect(result.counts.failed).toBe(0);
    expect(lines.filter((line) => line.differences.includes('createdDateTime'))).toHaveLength(1);
  });
});
