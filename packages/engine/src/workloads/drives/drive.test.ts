import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driveOfTruth, driveOfVault } from '../../../testing/compare-drive.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { Resource } from '../../ports/item.ts';

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
