import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import type { Resource } from '../src/ports/item.ts';
import type { RestoreLine } from '../src/restore/request.ts';

const MIB = 1024 * 1024;

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

async function aSite(): Promise<{ readonly resource: Resource; readonly driveId: string }> {
  for await (const site of rig.graph.sites.allSites())
    for await (const drive of rig.graph.drives.siteDrives({ siteId: site.id }))
      return { resource: rig.resource('site', site.id), driveId: drive.id };
  throw new Error('The recipe has no site with a library.');
}

function lineOf(lines: readonly RestoreLine[], name: string): RestoreLine {
  const line = lines.find(({ path }) => path.endsWith(name));
  if (!line) throw new Error(`The report does not name ${name}.`);
  return line;
}

describe('a file that is too large for one request', () => {
  async function versionsAt(driveId: string, name: string): Promise<readonly unknown[]> {
    const record = (await rig.truth('drives', driveId)).find(({ path }) => path === name);
    const versions = (record?.metadata['versions'] ?? []) as unknown as readonly { readonly sha256?: string }[];
    return versions.map(({ sha256 }) => sha256);
  }

  it.each(['OneDrive', 'library'])('comes back to a %s with its versions', async (place) => {
    const drive = await aOneDrive();
    const site = await aSite();
    const [source, driveId] = place === 'OneDrive' ? [drive, drive.graphId] : [site.resource, site.driveId];
    const { id } = rig.act('drives.createFile', { drive: driveId, name: 'Large.bin', sizeBytes: 5 * MIB });
    rig.act('drives.edit', { drive: driveId, id, sizeBytes: 6 * MIB });
    rig.act('drives.edit', { drive: driveId, id, sizeBytes: 11 * MIB });
    const before = await versionsAt(driveId, 'Large.bin');
    expect(before).toHaveLength(3);
    expect((await rig.backup(source)).status).toBe('successful');
    rig.act('drives.purge', { drive: driveId, id });
    const key = (await rig.items(source)).find(({ name }) => name === 'Large.bin')?.key ?? '';
    const { result, lines } = await rig.restore({ source, selection: [key], target: { resource: source }, collisions: 'skip' });
    expect([result.status, lineOf(lines, 'Large.bin').outcome]).toEqual(['successful', 'restored']);
    expect(await versionsAt(driveId, 'Large.bin')).toEqual(before);
    const asked = { method: 'POST', path: 'createUploadSession' };
    expect(rig.simulator.simulation.log.list(asked).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

it('names that SharePoint no longer takes come back as near as it takes them, and the report says so', async () => {
  const source = await aOneDrive();
  const drive = source.graphId;
  const folder = rig.act('drives.createFolder', { drive, name: 'Forms' })['id'];
  const made = [
    folder,
    rig.act('drives.createFile', { drive, parentId: folder, name: 'forms' })['id'],
    rig.act('drives.createFile', { drive, name: 'Q1|Q2.txt' })['id'],
    rig.act('drives.createFile', { drive, name: 'COM0' })['id'],
  ];
  await rig.backup(source);
  const keys = (await rig.items(source)).filter(({ key }) => made.some((id) => key.endsWith(String(id)))).map(({ key }) => key);
  for (const id of made.slice(2).concat(folder)) rig.act('drives.purge', { drive, id });
  const request = { source, selection: keys, target: { resource: source }, collisions: 'skip' } as const;
  const { result, lines } = await rig.restore(request);
  expect(result.status).toBe('successful');
  const named = (differences: readonly string[]) => differences.filter((one) => one.startsWith('name '));
  const told = Object.fromEntries(
    lines.map(({ path, ...line }) => [path.slice('OneDrive/'.length), [line.outcome, named(line.differences)]]),
  );
  expect(told).toMatchObject({
    Forms: ['restored', ['name _Forms']],
    'Forms/forms': ['restored', []],
    'Q1|Q2.txt': ['renamed', ['name Q1_Q2.txt']],
    COM0: ['renamed', ['name _COM0']],
  });
  const there = (await rig.truth('drives', drive)).map(({ path }) => path);
  expect(there).toEqual(expect.arrayContaining(['_Forms', '_Forms/forms', 'Q1_Q2.txt', '_COM0']));
  // A second restore finds them by the names that they have now.
  expect((await rig.restore(request)).result.counts.restored).toBe(0);
});

it('a level of permission that Graph cannot give is named in the report', async () => {
  const source = await aOneDrive();
  const drive = source.graphId;
  const { id } = rig.act('drives.createFile', { drive, name: 'Shared.txt' });
  rig.act('drives.share', { drive, id, people: ['ext@example.com'], role: 'sp.full control' });
  await rig.backup(source);
  const key = (await rig.items(source)).find(({ name }) => name === 'Shared.txt')?.key ?? '';
  rig.act('drives.purge', { drive, id });
  const { lines } = await rig.restore({ source, selection: [key], target: { resource: source }, collisions: 'skip' });
  expect(lineOf(lines, 'Shared.txt').differences).toContain('permissionLevel sp.full control');
  expect(rig.outbox()).toEqual([]);
});
