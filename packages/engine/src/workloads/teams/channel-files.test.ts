import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelFilesOfTruth, channelFilesOfVault, channelPlaces, type ChannelPlace } from '../../../testing/compare-channel-files.ts';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { graphError, type GraphClient } from '@holdfast/m365';
import { createRig, type Rig } from '../../../testing/rig.ts';
import { readCoverage } from '../../coverage/read-coverage.ts';
import type { Resource } from '../../ports/item.ts';

describe('the files of the channels of a team', () => {
  let rig: Rig;
  let team: Resource;
  let places: readonly ChannelPlace[];
  let general: ChannelPlace;
  let leads: ChannelPlace;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const group of rig.graph.directory.groups({ teamsOnly: true })) team ??= rig.resource('team', group.id);
    places = await channelPlaces(rig, team.graphId);
    [general, leads] = places as [ChannelPlace, ChannelPlace];
  });
  afterAll(() => rig.close());

  async function expectAll(of = places): Promise<void> {
    expect(await channelFilesOfVault(rig, team)).toEqual(await channelFilesOfTruth(rig, of));
  }

  /** An item of the library of a channel, by the end of its path. */
  async function idOf({ driveId }: ChannelPlace, path: string): Promise<string> {
    return (await rig.truth('drives', driveId)).find((record) => record.path.endsWith(path))?.id ?? '';
  }

  it('are in the vault with versions and times, and what else the site has is not', async () => {
    expect(await rig.backup(team)).toMatchObject({ status: 'successful' });
    await expectAll();
    const files = [...(await channelFilesOfVault(rig, team)).values()];
    const held = files.filter(({ kind }) => kind === 'file').map(({ path, versions }) => `${path} ${versions.length}`);
    expect(held.toSorted()).toEqual([
      'General/General minutes/First meeting.txt 0',
      'General/General plan.docx 2',
      'Leads/Leads minutes/First meeting.txt 0',
      'Leads/Leads plan.docx 2',
    ]);
    expect((await rig.truth('drives', general.driveId)).length).toBeGreaterThan(5);
  });

  it('are all of a library whose root is the folder of a channel', async () => {
    const root = await rig.graph.drives.root({ driveId: leads.driveId });
    const seenAs = (graph: GraphClient): GraphClient => ({
      ...graph,
      teams: {
        ...graph.teams,
        filesFolder: (channel) =>
          channel.channelId === leads.id
            ? Promise.resolve({ id: root.id, name: 'root', parentReference: { driveId: leads.driveId } })
            : graph.teams.filesFolder(channel),
      },
    });
    const other = rig.resource('team', team.graphId, 'seen otherwise');
    const apart = { ...other, id: rig.ids.uuid() };
    expect(await rig.backup(apart, { seenAs })).toMatchObject({ status: 'successful' });
    const items = await rig.items(apart);
    const truth = await rig.truth('drives', leads.driveId);
    const read = items.filter(({ kind, key }) => kind === 'file' && key.startsWith(leads.driveId));
    const hashes = new Set(read.map(({ contents }) => contents[0]?.ref.sha256));
    expect(hashes).toEqual(new Set(truth.flatMap(({ kind, sha256 }) => (kind === 'file' ? [sha256] : []))));
    expect(read).toHaveLength(truth.filter(({ kind }) => kind === 'file').length);
    expect(items.find(({ key }) => key === `${leads.driveId}:${root.id}`)?.parentKey).toBe(`channel:${leads.id}`);
    expect(await rig.backup(apart, { seenAs })).toMatchObject({ segments: 0, bytesRead: 0 });
  });

  it('are told not to be protected while the service says that the channel has no folder, and protected when it has one', async () => {
    const seenAs = (graph: GraphClient): GraphClient => ({
      ...graph,
      teams: {
        ...graph.teams,
        filesFolder: (channel) =>
          channel.channelId === leads.id ? Promise.reject(graphError('graph.item-gone', {})) : graph.teams.filesFolder(channel),
      },
    });
    const apart = { ...rig.resource('team', team.graphId), id: rig.ids.uuid() };
    const told = async () => (await Array.fromAsync(readCoverage(rig.catalog, apart))).filter(({ kind }) => kind === 'channel');
    const drives = async () => new Set((await rig.items(apart)).flatMap(({ kind, key }) => (kind === 'file' ? [key.split(':')[0]] : [])));
    expect(await rig.backup(apart, { seenAs })).toMatchObject({ status: 'successful', counts: { excluded: 1 } });
    expect(await told()).toEqual([
      { code: 'coverage.channel-without-folder', kind: 'channel', path: expect.stringContaining('Leads') as string },
    ]);
    expect(await drives()).toEqual(new Set([general.driveId]));
    expect(await rig.backup(apart, { seenAs }), 'nothing new to tell').toMatchObject({ segments: 0 });
    expect(await rig.backup(apart)).toMatchObject({ status: 'successful' });
    expect(await told()).toEqual([]);
    expect(await drives()).toEqual(new Set([general.driveId, leads.driveId]));
    expect(await rig.backup(apart, { seenAs }), 'a folder that is known stays').toMatchObject({ segments: 0 });
  });

  it('cost one request a library when nothing has changed', async () => {
    const before = rig.simulator.simulation.log.total;
    expect(await rig.backup(team)).toMatchObject({ segments: 0, bytesRead: 0 });
    const asked = rig.simulator.simulation.log.list({ after: before }).map(({ template }) => template);
    expect(asked.filter((template) => template?.includes('/drives/'))).toHaveLength(2);
  });

  it('are followed through edits, new folders, renames of files and of channels, and deletions', async () => {
    const drive = general.driveId;
    rig.act('drives.edit', { drive, id: await idOf(general, 'General plan.docx'), content: 'another plan' });
    rig.act('drives.move', { drive, id: await idOf(general, 'First meeting.txt'), name: 'Renamed.txt' });
    const { id } = rig.act('drives.createFolder', { drive, parentId: general.folderId, name: 'New folder' });
    rig.act('drives.createFile', { drive, parentId: id, name: 'New file.txt' });
    rig.act('drives.delete', { drive: leads.driveId, id: await idOf(leads, 'Leads plan.docx') });
    rig.act('teams.renameChannel', { channel: leads.id, name: 'Board' });
    expect(await rig.backup(team)).toMatchObject({ status: 'successful' });
    await expectAll();
    expect((await rig.items(team)).find(({ key }) => key === `channel:${leads.id}`)?.name).toBe('Board');
  });

  it('are found when a folder full of files comes in from elsewhere on the site, and given up when it leaves', async () => {
    const drive = general.driveId;
    const { id } = rig.act('drives.createFolder', { drive, name: 'Elsewhere' });
    const { id: inner } = rig.act('drives.createFolder', { drive, parentId: id, name: 'Deeper' });
    for (const parentId of [id, inner]) rig.act('drives.createFile', { drive, parentId, name: 'Moved in.txt' });
    await rig.backup(team);
    await expectAll();
    rig.act('drives.move', { drive, id, parentId: general.folderId });
    await rig.backup(team);
    await expectAll();
    expect([...(await channelFilesOfVault(rig, team)).values()].filter(({ path }) => path.endsWith('Moved in.txt'))).toHaveLength(2);
    const root = (await rig.graph.drives.root({ driveId: drive })).id;
    rig.act('drives.move', { drive, id, parentId: root });
    await rig.backup(team);
    await expectAll();
  });

  it('keep their item when they move from one channel to another', async () => {
    const { id } = await rig.graph.teams.createChannel({ teamId: team.graphId }, { displayName: 'Plans', membershipType: 'standard' });
    places = await channelPlaces(rig, team.graphId);
    const plans = places.find((place) => place.id === id) as ChannelPlace;
    const moved = await idOf(general, 'General plan.docx');
    rig.act('drives.move', { drive: general.driveId, id: moved, parentId: plans.folderId });
    expect(await rig.backup(team)).toMatchObject({ status: 'successful', bytesRead: 0 });
    await expectAll();
    expect((await rig.items(team)).find(({ key }) => key.endsWith(moved))?.parentKey).toBe(`${plans.driveId}:${plans.folderId}`);
  });

  it('are those of the chosen channels alone', async () => {
    const alone = rig.resource('team', team.graphId.toUpperCase());
    const one = { ...alone, graphId: team.graphId };
    await rig.backup(one, { selection: { channels: [general] } });
    expect(await channelFilesOfVault(rig, one)).toEqual(await channelFilesOfTruth(rig, [general]));
    await rig.backup(one, { selection: { channels: [leads] } });
    expect(await channelFilesOfVault(rig, one)).toEqual(await channelFilesOfTruth(rig, [leads]));
    await rig.backup(one);
    expect(await channelFilesOfVault(rig, one)).toEqual(await channelFilesOfTruth(rig, places));
  });

  it('go with their channel', async () => {
    await rig.graph.teams.deleteChannel({ teamId: team.graphId, channelId: leads.id });
    await rig.backup(team);
    places = places.filter(({ id }) => id !== leads.id);
    await expectAll();
  });

  it('that can not be read are named with their channels, and messages come all the same', async () => {
    rig.act('teams.post', { channel: general.id, content: 'still here' });
    const kept = await channelFilesOfVault(rig, team);
    const before = rig.problems.all.length;
    rig.simulator.control.setFaults([{ match: { method: 'GET', path: `*/drives/${general.driveId}/root/*` }, do: 'status', status: 503 }]);
    expect(await rig.backup(team)).toMatchObject({ status: 'defective', counts: { added: 1 } });
    rig.simulator.control.setFaults([]);
    expect(rig.problems.all.slice(before).map(({ kind, path }) => [kind, path])).toEqual([
      ['channel', expect.stringContaining('General')],
      ['channel', expect.stringContaining('Plans')],
    ]);
    expect(await channelFilesOfVault(rig, team)).toEqual(kept);
    expect(await rig.backup(team)).toMatchObject({ status: 'successful', counts: { failed: 0 } });
  });

  it('are told not to be protected while the role for files is missing', async () => {
    const [tenant] = rig.simulator.tenants;
    const roles = (await rig.graph.diagnose()).roles.map(({ role }) => role).filter((role) => /^(?:Files|Sites)\./u.test(role));
    const coverage = async () => (await Array.fromAsync(readCoverage(rig.catalog, team))).filter(({ kind }) => kind === 'channel');
    rig.simulator.control.withdraw(tenant?.tenantId ?? '', roles);
    const without = await createRig({ shared: rig.simulator, catalog: rig.catalog, clockOfEngine: createHurriedClock() });
    const other = without.resource('team', team.graphId);
    expect(await without.backup(other)).toMatchObject({ status: 'successful' });
    const told = (await Array.fromAsync(readCoverage(without.catalog, other))).map(({ code, path }) => [code, path]);
    expect(told).toContainEqual(['graph.permission-missing', expect.stringContaining('General')]);
    expect((await without.items(other)).some(({ kind }) => kind === 'post')).toBe(true);
    rig.simulator.control.grant(tenant?.tenantId ?? '', roles);
    await without.close();
    expect(await rig.backup(team)).toMatchObject({ status: 'successful' });
    expect(await coverage()).toEqual([]);
  });
});
