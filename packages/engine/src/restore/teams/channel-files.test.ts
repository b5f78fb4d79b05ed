import { onCrashPoint } from '@holdfast/foundation/crash-point';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { channelFilesOfTruth, channelPlaces, type ChannelPlace } from '../../../testing/compare-channel-files.ts';
import { dieAndGoOn, requireOnce } from '../../../testing/die-and-go-on.ts';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { Resource } from '../../ports/item.ts';

afterEach(() => onCrashPoint(undefined));

describe('files of channels that come back', () => {
  let rig: Rig;
  let team: Resource;
  let general: ChannelPlace;
  let leads: ChannelPlace;
  let snapshot: string;
  let wanted: readonly object[];

  /** Who waits lets the time of the service pass as well. */
  function waitingClock() {
    const clock = createHurriedClock();
    const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
      rig.simulator.clock.advance(ms);
      return clock.sleep(ms, signal);
    };
    return Object.freeze({ ...clock, sleep });
  }

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: waitingClock() });
    for await (const group of rig.graph.directory.groups({ teamsOnly: true })) team ??= rig.resource('team', group.id, 'Everyone');
    [general, leads] = (await channelPlaces(rig, team.graphId)) as [ChannelPlace, ChannelPlace];
    await rig.backup(team);
    wanted = await filesIn([general, leads]);
    snapshot = rig.simulator.control.snapshot();
  });
  beforeEach(() => rig.simulator.control.restore(snapshot));
  afterAll(() => rig.close());

  /** Files by their path in the folder of the channel, with hash, time and versions. */
  async function filesIn(places: readonly ChannelPlace[]): Promise<readonly object[]> {
    const files: { readonly path: string }[] = [];
    for (const place of places) {
      for (const { path, kind, sha256, modifiedAt, versions } of (await channelFilesOfTruth(rig, [place])).values()) {
        const inside = path.slice(place.folder.length + 1);
        if (kind === 'file') files.push({ path: `${place.name}: ${inside}`, sha256, modifiedAt, versions } as { readonly path: string });
      }
    }
    return files.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async function placesNow(teamId = team.graphId): Promise<readonly ChannelPlace[]> {
    return channelPlaces(rig, teamId);
  }

  /** Empties the folder of one channel, and takes the other one away. */
  async function wipe(): Promise<void> {
    for (const { id, path } of await rig.truth('drives', general.driveId))
      if (path === 'General/General plan.docx' || path === 'General/General minutes')
        rig.act('drives.purge', { drive: general.driveId, id });
    await rig.graph.teams.deleteChannel({ teamId: team.graphId, channelId: leads.id });
  }

  const keyOf = async (ending: string): Promise<string> => (await rig.items(team)).find(({ name }) => name === ending)?.key ?? '';
  const all = { selection: 'all', collisions: 'skip' } as const;

  it('are what they were: those of a channel that is there, and of one that is made anew and waits for its folder', async () => {
    await wipe();
    rig.simulator.control.setSwitches({ channelFolderMs: 45_000 });
    const { result, lines } = await rig.restore({ source: team, ...all, target: { resource: team } });
    expect(lines.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect(result.status).toBe('successful');
    expect(await filesIn(await placesNow())).toEqual(wanted);
    expect(lines.filter(({ kind, outcome }) => kind === 'file' && outcome === 'restored')).toHaveLength(4);
    expect(rig.outbox()).toEqual([]);
  });

  it.each([
    ['restore.version-uploaded', 2],
    ['restore.folder-made', 1],
    ['restore.after-item', 21],
  ] as const)('are written once, also when the worker dies (%s, %i)', async (point, nth) => {
    await wipe();
    rig.simulator.control.setSwitches({ channelFolderMs: 45_000 });
    requireOnce(await dieAndGoOn(rig, { source: team, collisions: 'skip' }, [point, nth]));
    // Who goes on with a file that was half written gives it all of its versions: some may be in its history twice.
    const current = (files: readonly object[]) => files.map((file) => ({ ...file, versions: [] }));
    expect(current(await filesIn(await placesNow()))).toEqual(current(wanted));
  });

  it('come beside into the channel that stands beside, and into the channel of that name of another team', async () => {
    await rig.restore({ source: team, ...all, target: { resource: team, folder: 'Again' } });
    const beside = (await placesNow()).filter(({ name }) => name.endsWith(' Again'));
    const named = beside.map((place) => ({ ...place, name: place.name.replace(/ Again$/u, '') }));
    expect(await filesIn(named)).toEqual(wanted);
    expect(await filesIn([general, leads])).toEqual(wanted);
    const members: object[] = [];
    for await (const { userId } of rig.graph.teams.members({ teamId: team.graphId }) as AsyncIterable<{ readonly userId?: string }>)
      members.push({
        '@odata.type': '#microsoft.graph.aadUserConversationMember',
        roles: ['owner'],
        'user@odata.bind': `https://graph.microsoft.com/v1.0/users('${userId ?? ''}')`,
      });
    const { teamId } = await rig.graph.teams.createTeam({
      'template@odata.bind': "https://graph.microsoft.com/v1.0/teamsTemplates('standard')",
      displayName: 'Another team',
      members: members.slice(0, 1),
    });
    const other = rig.resource('team', teamId, 'Another team');
    expect((await rig.restore({ source: team, ...all, target: { resource: other } })).result.status).toBe('successful');
    expect(await filesIn(await placesNow(teamId))).toEqual(wanted);
    expect(rig.outbox()).toEqual([]);
  });

  it.each([
    ['skip', 'skipped', 1],
    ['newerWins', 'skipped', 1],
    ['replace', 'replaced', 1],
    ['keepBoth', 'renamed', 2],
  ] as const)('meet what was changed since: %s', async (collisions, outcome, count) => {
    const key = await keyOf('General plan.docx');
    rig.simulator.clock.advance(3_600_000);
    rig.act('drives.edit', { drive: general.driveId, id: key.slice(key.lastIndexOf(':') + 1), content: 'changed' });
    const request = { source: team, selection: [key], target: { resource: team }, collisions };
    expect(await rig.plan(request)).toMatchObject({ items: 1, collisions: 1, byKind: { file: 1 } });
    const before = rig.simulator.simulation.log.total;
    const { lines } = await rig.restore(request);
    expect(lines).toMatchObject([{ key, kind: 'file', outcome }]);
    const files = (await filesIn([general])) as readonly { readonly path: string }[];
    expect(files.filter(({ path }) => path.includes('plan'))).toHaveLength(count);
    const asked = rig.simulator.simulation.log.list({ after: before }).map(({ method, template = '' }) => `${method} ${template}`);
    expect(
      asked.filter((one) => /^(?:PATCH|POST) .*teams|messages/u.test(one)),
      'the team stays as it is',
    ).toEqual([]);
  });

  it('are looked at without being written: a channel that is gone meets nothing', async () => {
    await wipe();
    const before = rig.simulator.simulation.log.total;
    const plan = await rig.plan({ source: team, selection: [`channel:${leads.id}`], collisions: 'skip', target: { resource: team } });
    expect(plan).toMatchObject({ byKind: { file: 2 }, collisions: 0, unknown: 0, missingRoles: [] });
    expect(rig.simulator.simulation.log.list({ after: before }).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('are named when the service does not make their folder, and messages come all the same', async () => {
    await wipe();
    rig.simulator.control.setSwitches({ channelFolderMs: 3_600_000 });
    const { result, lines } = await rig.restore({ source: team, ...all, target: { resource: team } });
    expect(result.status).toBe('defective');
    const failed = lines.filter(({ outcome }) => outcome === 'failed').map(({ kind, code }) => `${kind} ${code ?? ''}`);
    expect(new Set(failed)).toEqual(new Set(['folder restore.files-not-ready', 'file restore.container-failed']));
    expect(lines.some(({ kind, outcome }) => kind === 'post' && outcome === 'restored')).toBe(true);
  });

  it('ask for the roles of files only when files are among what was chosen', async () => {
    const [tenant] = rig.simulator.tenants;
    const roles = (await rig.graph.diagnose()).roles.map(({ role }) => role).filter((role) => role.startsWith('Files.ReadWrite'));
    rig.simulator.control.withdraw(tenant?.tenantId ?? '', roles);
    const without = await createRig({ shared: rig.simulator, catalog: rig.catalog, clockOfEngine: createHurriedClock() });
    const plan = (selection: readonly string[]) =>
      without.plan({ source: team, selection, collisions: 'skip', target: { resource: team } });
    const post = (await rig.items(team)).find(({ kind }) => kind === 'post')?.key ?? '';
    expect((await plan([post])).missingRoles).toEqual([]);
    expect((await plan([`channel:${general.id}`])).missingRoles).toEqual(roles);
    rig.simulator.control.grant(tenant?.tenantId ?? '', roles);
    await without.close();
  });
});
