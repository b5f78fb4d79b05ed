import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driveOfTruth, driveOfVault } from '../../../testing/compare-drive.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import { silentLogger } from '@holdfast/foundation/logger';
import type { Resource } from '../../ports/item.ts';
import { silentProgress } from '../../ports/progress.ts';
import { createRestore } from '../../restore/create-restore.ts';
import { pointOf } from '../../restore/point.ts';

describe('a OneDrive in a vault', () => {
  let rig: Rig;
  let drive: Resource;
  let owner: string;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['contoso'], seed: 3 });
    for await (const user of rig.graph.directory.users()) {
      const records = user.userType === 'Member' ? await rig.truth('drives', user.id) : [];
      if (records.length > 10) {
        owner = user.id;
        break;
      }
    }
    drive = rig.resource('drive', owner);
  });
  afterAll(() => rig.close());

  it('has every file, version, folder and time, byte for byte', async () => {
    const result = await rig.backup(drive);
    expect(result.status).toBe('successful');
    expect(await driveOfVault(rig, drive)).toEqual(await driveOfTruth(rig, owner));
  });

  it('writes nothing and asks once when nothing has changed', async () => {
    const before = rig.graph.statistics().requests;
    expect(await rig.backup(drive)).toMatchObject({ segments: 0, bytesRead: 0 });
    expect(rig.graph.statistics().requests - before).toBeLessThanOrEqual(2);
  });

  it('follows edits, renames, moves of whole folders and deletions', async () => {
    const records = await rig.truth('drives', owner);
    const files = records.filter((record) => record.kind === 'file');
    const folder = records.find((record) => record.kind === 'folder');
    rig.act('drives.edit', { user: owner, id: files[0]?.id });
    rig.act('drives.move', { user: owner, id: files[1]?.id, name: 'renamed.bin' });
    rig.act('drives.delete', { user: owner, id: files[2]?.id });
    rig.act('drives.move', { user: owner, id: folder?.id, name: 'Other name' });
    rig.act('drives.createFile', { user: owner, name: 'new file.txt' });
    const result = await rig.backup(drive);
    expect(result.status).toBe('successful');
    expect(await driveOfVault(rig, drive)).toEqual(await driveOfTruth(rig, owner));
  });

  it('names what it can not protect', () => {
    for (const problem of rig.problems.all) expect(problem).toMatchObject({ outcome: 'excluded' });
  });

  it('is told before a restore what of it is there already, by name as the restore sees it', async () => {
    const records = (await rig.truth('drives', owner)).filter((record) => record.path !== '');
    const files = records.filter((record) => record.kind === 'file' && !record.path.includes('/'));
    const folder = records.find(
      ({ path, kind }) => kind === 'folder' && records.some((record) => record.kind === 'file' && record.path.startsWith(`${path}/`)),
    );
    const [renamed, gone] = files;
    rig.act('drives.move', { user: owner, id: renamed?.id, name: 'has another name now.bin' });
    rig.act('drives.purge', { user: owner, id: gone?.id });
    rig.act('drives.createFile', { user: owner, name: gone?.path, sizeBytes: 10 });
    rig.act('drives.move', { user: owner, id: folder?.id, name: 'Has another name now' });
    const { vault, graph, catalog, clock } = rig;
    const nothing = () => Promise.resolve();
    const report = { begin: nothing, uploading: nothing, tell: nothing };
    const restore = createRestore({ vault, graph, catalog, progress: silentProgress, report, clock, logger: silentLogger });
    const { sequence } = await pointOf(catalog, drive);
    const request = { source: drive, sequence, selection: 'all', target: { resource: drive }, collisions: 'skip' } as const;
    const plan = await restore.plan({ runId: 'plan', ...request }, new AbortController().signal);
    const { lines } = await rig.restore(request);
    const outcomes = lines.filter((line) => line.kind === 'file').map((line) => line.outcome);
    expect(outcomes).toContain('restored');
    expect(plan.collisions).toBe(outcomes.filter((outcome) => outcome === 'skipped').length);
    await rig.backup(drive);
  });

  it('comes back into an empty drive with content, versions, times and nobody told', async () => {
    const before = await driveOfTruth(rig, owner);
    for (const record of await rig.truth('drives', owner))
      if (!record.path.includes('/')) rig.act('drives.purge', { user: owner, id: record.id });
    expect((await driveOfTruth(rig, owner)).size).toBe(0);
    const { result, lines } = await rig.restore({ source: drive, selection: 'all', target: { resource: drive }, collisions: 'skip' });
    expect(lines.filter((line) => line.outcome === 'failed')).toEqual([]);
    expect(result.counts.failed).toBe(0);
    const after = await driveOfTruth(rig, owner);
    const plain = (files: typeof before) =>
      [...files.values()]
        .filter((file) => file.kind === 'file')
        .sort((a, b) => (a.path < b.path ? -1 : 1))
        .map(({ path, sha256, modifiedAt, versions }) => ({ path, sha256, modifiedAt, versions }));
    expect(plain(after)).toEqual(plain(before));
    expect(rig.outbox()).toEqual([]);
  });
});
