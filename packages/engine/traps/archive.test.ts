import { sha256Hex } from '@holdfast/foundation/bytes';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { channelPlaces } from '../testing/compare-channel-files.ts';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import { readCoverage } from '../src/coverage/read-coverage.ts';
import type { ItemVersion, Resource } from '../src/ports/item.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
});
afterEach(() => rig.close());

async function aOneDrive(): Promise<Resource> {
  for await (const user of rig.graph.directory.users())
    if (user.userType === 'Member' && user.accountEnabled)
      return rig.resource('drive', (await rig.graph.drives.userDrive({ userId: user.id })).id);
  throw new Error('The recipe has no OneDrive.');
}

async function named(resource: Resource, name: string): Promise<ItemVersion | undefined> {
  return (await rig.items(resource)).find((item) => item.name === name);
}

const gaps = async (resource: Resource) => Array.fromAsync(readCoverage(rig.catalog, resource));
/** Requests for the content of a file since the log had so many. */
const readsSince = (after: number) =>
  rig.simulator.simulation.log.list({ method: 'GET', after }).filter(({ template }) => template === '/drives/{id}/items/{id}/content');

describe('a file in Microsoft 365 Archive', () => {
  it('stays protected when it was stored before, without a word', async () => {
    const drive = await aOneDrive();
    const { id } = rig.act('drives.createFile', { drive: drive.graphId, name: 'Minutes.txt', content: 'one' });
    await rig.backup(drive);
    const before = await named(drive, 'Minutes.txt');
    rig.act('drives.archive', { drive: drive.graphId, id });
    expect(await rig.backup(drive)).toMatchObject({ status: 'successful', counts: { excluded: 0, failed: 0, removed: 0 } });
    expect((await named(drive, 'Minutes.txt'))?.contents).toEqual(before?.contents);
    expect((await gaps(drive)).map(({ code }) => code)).not.toContain('graph.file-archived');
  });

  it('is listed once as not protected when it never was, asked for once a run, and read when it is reactivated', async () => {
    const drive = await aOneDrive();
    const { id } = rig.act('drives.createFile', { drive: drive.graphId, name: 'Minutes.txt', content: 'one' });
    rig.act('drives.archive', { drive: drive.graphId, id });
    const first = await rig.backup(drive);
    expect([first.status, first.counts.excluded, first.counts.failed]).toEqual(['successful', 1, 0]);
    expect(rig.problems.all).toMatchObject([{ path: 'OneDrive/Minutes.txt', code: 'graph.file-archived', advice: 'reactivate' }]);
    const line = { code: 'graph.file-archived', path: 'OneDrive/Minutes.txt', kind: 'file' };
    expect(await gaps(drive)).toEqual([line]);

    const since = rig.simulator.simulation.log.total;
    expect((await rig.backup(drive)).status).toBe('successful');
    expect(await gaps(drive)).toEqual([line]);
    expect(rig.problems.all).toHaveLength(1);
    const asked = rig.simulator.simulation.log.list({ method: 'GET', after: since });
    expect(asked.filter(({ template }) => template === '/drives/{id}/items/{id}')).toHaveLength(1);
    expect(readsSince(since)).toEqual([]);

    rig.act('drives.archive', { drive: drive.graphId, id, status: 'reactivating' });
    await rig.backup(drive);
    expect(await gaps(drive)).toEqual([line]);
    rig.act('drives.archive', { drive: drive.graphId, id, status: 'active' });
    expect((await rig.backup(drive)).status).toBe('successful');
    expect((await named(drive, 'Minutes.txt'))?.contents.map(({ ref }) => ref.sha256)).toEqual([sha256Hex(Buffer.from('one'))]);
    expect(await gaps(drive)).toEqual([]);
  });

  it('keeps the older content when it has changed before it was archived', async () => {
    const drive = await aOneDrive();
    const { id } = rig.act('drives.createFile', { drive: drive.graphId, name: 'Minutes.txt', content: 'one' });
    await rig.backup(drive);
    rig.act('drives.edit', { drive: drive.graphId, id, content: 'two' });
    rig.act('drives.archive', { drive: drive.graphId, id });
    expect((await rig.backup(drive)).status).toBe('successful');
    expect((await named(drive, 'Minutes.txt'))?.contents.map(({ ref }) => ref.sha256)).toEqual([sha256Hex(Buffer.from('one'))]);
    expect((await gaps(drive)).map(({ code }) => code)).toEqual(['graph.file-archived']);
  });

  it('is recognised by itself when the listing does not say so', async () => {
    const drive = await aOneDrive();
    const { id } = rig.act('drives.createFile', { drive: drive.graphId, name: 'Minutes.txt', content: 'one' });
    rig.act('drives.archive', { drive: drive.graphId, id });
    const { file: _file, ...silent } = await rig.graph.drives.item({ driveId: drive.graphId, itemId: String(id) });
    const result = await rig.backup(drive, {
      seenAs: (graph) => ({
        ...graph,
        drives: {
          ...graph.drives,
          async *delta(...given) {
            for await (const step of graph.drives.delta(...given)) {
              if (step.kind !== 'page') yield step;
              else
                yield {
                  ...step,
                  entries: step.entries.map((entry) =>
                    entry.kind === 'present' && entry.id === id ? { ...entry, item: { ...silent, file: {} } } : entry,
                  ),
                };
            }
          },
        },
      }),
    });
    expect([result.status, result.counts.failed]).toEqual(['successful', 0]);
    expect((await gaps(drive)).map(({ code }) => code)).toEqual(['graph.file-archived']);
  });

  it('is told from one that somebody edits', async () => {
    const drive = await aOneDrive();
    rig.act('drives.createFile', { drive: drive.graphId, name: 'Minutes.txt', content: 'one' });
    rig.simulator.control.setFaults([{ match: { method: 'GET', host: 'sharepoint' }, do: 'status', status: 423, code: 'resourceLocked' }]);
    expect((await rig.backup(drive)).status).toBe('defective');
    expect(new Set(rig.problems.all.map(({ code, advice }) => `${code} ${advice}`))).toEqual(new Set(['graph.locked unlockItem']));
  });
});

describe('a site in Microsoft 365 Archive', () => {
  it('is excluded with its reason, keeps its restore points, and is read again when it is reactivated', async () => {
    let site: Resource | undefined;
    for await (const one of rig.graph.sites.allSites()) site ??= rig.resource('site', one.id);
    if (!site) throw new Error('The recipe has no site.');
    expect((await rig.backup(site)).status).toBe('successful');
    const points = await rig.catalog.points(site.id);
    rig.act('sites.archive', { site: site.graphId });
    for (let run = 0; run < 2; run += 1)
      expect(await rig.backup(site)).toMatchObject({ status: 'excluded', code: 'graph.site-archived', counts: { failed: 0 } });
    expect(rig.problems.all.map(({ code, advice, outcome }) => [code, advice, outcome])).toEqual(
      Array.from({ length: 2 }, () => ['graph.site-archived', 'reactivate', 'excluded']),
    );
    expect(await rig.catalog.points(site.id)).toEqual(points);
    rig.act('sites.archive', { site: site.graphId, archived: false });
    expect((await rig.backup(site)).status).toBe('successful');
  });

  it('keeps the files of its team from being protected, and not the messages', async () => {
    let team: Resource | undefined;
    for await (const group of rig.graph.directory.groups({ teamsOnly: true })) team ??= rig.resource('team', group.id);
    if (!team) throw new Error('The recipe has no team.');
    const [channel] = await channelPlaces(rig, team.graphId);
    for await (const site of rig.graph.sites.allSites())
      for await (const drive of rig.graph.drives.siteDrives({ siteId: site.id }))
        if (drive.id === channel?.driveId) rig.act('sites.archive', { site: site.id });
    expect(await rig.backup(team)).toMatchObject({ status: 'successful', counts: { failed: 0 } });
    expect((await rig.items(team)).some(({ kind }) => kind === 'post')).toBe(true);
    const archived = (await gaps(team)).filter(({ code }) => code === 'graph.site-archived');
    expect(archived.map(({ kind }) => kind)).toContain('channel');
  });
});
