import { once } from '@holdfast/foundation/streams';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { driveOfTruth, driveOfVault } from '../testing/compare-drive.ts';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import { readCoverage } from '../src/coverage/read-coverage.ts';
import type { Resource } from '../src/ports/item.ts';

describe('traps of drives', () => {
  let rig: Rig;
  let drive: Resource;
  let owner: string;

  beforeEach(async () => {
    rig = await createRig({ recipes: ['contoso'], seed: 3, clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users()) {
      const records = user.userType === 'Member' ? await rig.truth('drives', user.id) : [];
      if (records.some((record) => record.metadata['malware'] !== undefined)) owner = user.id;
    }
    drive = rig.resource('drive', owner);
  });
  afterEach(() => rig.close());

  it('16: a wrong listed hash raises no alarm and no endless repeat', async () => {
    rig.simulator.control.setFaults([{ match: { method: 'GET' }, do: 'staleHash' }] as never);
    expect((await rig.backup(drive)).status).toBe('successful');
    expect(await rig.backup(drive)).toMatchObject({ status: 'successful', segments: 0, bytesRead: 0 });
    expect(await driveOfVault(rig, drive)).toEqual(await driveOfTruth(rig, owner));
  });

  it('16: Office files that the service rewrites come back as successful, and the report says so', async () => {
    await rig.backup(drive);
    rig.simulator.control.setSwitches({ rewriteOffice: true });
    const { result, lines } = await rig.restore({
      source: drive,
      selection: 'all',
      target: { resource: drive, folder: 'Restored' },
      collisions: 'skip',
    });
    expect(result.status).toBe('successful');
    const rewritten = lines.filter((line) => line.differences.includes('officeRewritten'));
    expect(rewritten.every((line) => /\.(docx|xlsx|pptx)$/u.test(line.path))).toBe(true);
    expect(lines.filter((line) => line.differences.includes('content'))).toEqual([]);
  });

  it('17: malware and notebooks that are not listed are excluded once, with a reason, and the status stays successful', async () => {
    expect((await rig.backup(drive)).status).toBe('successful');
    const told = rig.problems.all.length;
    expect(told).toBeGreaterThan(0);
    expect(rig.problems.all.every((problem) => problem.outcome === 'excluded')).toBe(true);
    expect((await rig.backup(drive)).status).toBe('successful');
    expect(rig.problems.all).toHaveLength(told);
    const lines = await Array.fromAsync(readCoverage(rig.catalog, drive));
    expect(lines.map((line) => line.code)).toContain('graph.malware');
  });

  it('22: a large file comes back once, also when the restore before it ended in the middle or its worker died there', async () => {
    const { id } = rig.act('drives.createFile', { user: owner, name: 'film.mp4', sizeBytes: 24_000_000 });
    expect((await rig.backup(drive)).status).toBe('successful');
    rig.act('drives.purge', { user: owner, id });
    const film = (await rig.items(drive)).find((item) => item.name === 'film.mp4');
    const request = { source: drive, selection: [film?.key ?? ''], target: { resource: drive }, collisions: 'skip' } as const;
    const fragments = { host: 'sharepoint', method: 'PUT' };

    // The service refuses the third fragment: what was begun is given up, and its name is free.
    rig.simulator.control.setFaults([{ match: { ...fragments, nth: 3 }, do: 'status', status: 400, code: 'invalidRequest' }]);
    expect((await rig.restore(request)).result.status).toBe('defective');
    rig.simulator.control.setFaults([]);
    // A worker that dies gives up nothing: its session stays open on the name.
    const { id: rootId } = await rig.graph.drives.root({ driveId: film?.key.slice(0, film.key.lastIndexOf(':')) ?? '' });
    const left = rig.graph.drives.upload(
      { driveId: film?.key.slice(0, film.key.lastIndexOf(':')) ?? '' },
      { target: { parentId: rootId, name: 'film.mp4' }, conflict: 'fail', onProgress: () => Promise.reject(new Error('died')) },
      { sizeBytes: 24_000_000, open: () => once(Buffer.alloc(24_000_000)) },
    );
    await expect(left).rejects.toThrow('died');

    expect((await rig.restore(request)).result).toMatchObject({ status: 'successful', counts: { restored: 1 } });
    const found = (await rig.truth('drives', owner)).filter((record) => record.path.includes('film'));
    const stored = film?.contents.find((content) => content.role === 'file')?.ref;
    expect(found.map(({ path, sha256 }) => [path, sha256])).toEqual([['film.mp4', stored?.sha256]]);
  });

  it('27: grants come back once, nobody is told, and the owner is untouched', async () => {
    await rig.backup(drive);
    const shared = (await rig.truth('drives', owner)).filter(
      (record) => (record.metadata['permissions'] as readonly unknown[]).length > 0 && record.kind === 'file',
    );
    expect(shared.length).toBeGreaterThan(0);
    const grants = (records: Awaited<ReturnType<Rig['truth']>>, path: string) =>
      (
        (records.find((record) => record.path === path)?.metadata['permissions'] ?? []) as readonly {
          readonly role: string;
          readonly people: readonly string[];
          readonly link?: { readonly type: string; readonly scope: string };
        }[]
      )
        .map(({ role, people, link }) => JSON.stringify([role, people.toSorted(), link?.type, link?.scope]))
        .toSorted();
    const before = await rig.truth('drives', owner);
    for (const record of shared) rig.act('drives.purge', { user: owner, id: record.id });
    for (let round = 0; round < 2; round += 1)
      await rig.restore({ source: drive, selection: 'all', target: { resource: drive }, collisions: 'skip' });
    const after = await rig.truth('drives', owner);
    for (const record of shared) expect(grants(after, record.path), record.path).toEqual(grants(before, record.path));
    expect(rig.outbox()).toEqual([]);
  });
});
