import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { Resource } from '../../ports/item.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
});
afterAll(() => rig.close());

/** Where a drive of each kind is; a library is backed up with its site. */
const KINDS = {
  async drive() {
    for await (const { id, userType } of rig.graph.directory.users())
      if (userType === 'Member') return { of: { user: id }, resource: ['drive', id] as const };
    throw new Error('There is nobody.');
  },
  async site() {
    for await (const { id, displayName } of rig.graph.sites.allSites()) {
      if (displayName !== 'Home') continue;
      for await (const library of rig.graph.drives.siteDrives({ siteId: id }))
        return { of: { drive: library.id }, resource: ['site', id] as const };
    }
    throw new Error('There is no site.');
  },
};

describe.each(['drive', 'site'] as const)('what jobs choose of the folders of a %s', (kind) => {
  let resource: Resource;
  let act: (name: string, input: object) => string;
  let folders: { readonly plans: string; readonly notes: string; readonly inner: string };
  let number = 0;

  /** Files of ours in the newest point. */
  const files = async (): Promise<string[]> =>
    (await rig.items(resource))
      .filter((item) => item.kind === 'file' && item.name.startsWith(`${number} `))
      .map(({ name }) => name.slice(2))
      .toSorted();
  const include = (...paths: readonly string[]) => ({ selection: { include: paths.map((path) => `${number}/${path}`) } });

  beforeEach(async () => {
    number += 1;
    const found = await KINDS[kind]();
    const [of, graphId] = found.resource;
    resource = rig.resource(of, graphId);
    act = (name, input) => String(rig.act(name, { ...found.of, ...input })['id']);
    const top = act('drives.createFolder', { name: `${number}` });
    const plans = act('drives.createFolder', { name: 'Plans', parentId: top });
    const notes = act('drives.createFolder', { name: 'Notes', parentId: top });
    const inner = act('drives.createFolder', { name: 'Inner', parentId: plans });
    folders = { plans, notes, inner };
    for (const [name, parentId] of Object.entries(folders))
      act('drives.createFile', { name: `${number} ${name}`, parentId, sizeBytes: 300 });
  });

  it('is read whole once it is chosen, and leaves the next point once it is not', async () => {
    await rig.backup(resource, include('Plans'));
    expect(await files()).toEqual(['inner', 'plans']);
    await rig.backup(resource, include('Notes'));
    expect(await files()).toEqual(['notes']);
    await rig.backup(resource, include('Plans', 'Notes'));
    expect(await files()).toEqual(['inner', 'notes', 'plans']);
    await rig.backup(resource, { selection: { exclude: [`${number}/plans/INNER`] } });
    expect(await files()).toEqual(['notes', 'plans']);
    await rig.backup(resource);
    expect(await files()).toEqual(['inner', 'notes', 'plans']);
    expect(await rig.backup(resource)).toMatchObject({ segments: 0, bytesRead: 0 });
  });

  it('goes with a folder whose name or place changes, of which the service names the folder alone', async () => {
    await rig.backup(resource, include('Plans'));
    act('drives.move', { id: folders.plans, name: 'Old plans' });
    await rig.backup(resource, include('Plans'));
    expect(await files(), 'renamed out').toEqual([]);
    act('drives.move', { id: folders.notes, name: 'Plans' });
    await rig.backup(resource, include('Plans'));
    expect(await files(), 'renamed in').toEqual(['notes']);
    act('drives.move', { id: folders.inner, parentId: folders.notes });
    await rig.backup(resource, include('Plans'));
    expect(await files(), 'moved in').toEqual(['inner', 'notes']);
    act('drives.move', { id: folders.inner, parentId: folders.plans });
    await rig.backup(resource, include('Plans'));
    expect(await files(), 'moved out').toEqual(['notes']);
    const asked = rig.graph.statistics().requests;
    act('drives.move', { id: folders.inner, name: 'Innermost' });
    await rig.backup(resource, include('Plans'));
    const forOther = rig.graph.statistics().requests - asked;
    await rig.backup(resource, include('Plans'));
    expect(rig.graph.statistics().requests - asked - forOther, 'what stays as it is costs nothing more').toBe(forOther);
  });

  it('is read in the next run when the one that found the folder moved did not end', async () => {
    await rig.backup(resource, include('Plans'));
    act('drives.move', { id: folders.inner, parentId: folders.notes });
    act('drives.move', { id: folders.plans, name: 'Old plans' });
    act('drives.move', { id: folders.notes, name: 'Plans' });
    const again = { method: 'GET', path: '/drives/{id}/root/delta', nth: 2 };
    rig.simulator.control.setFaults([{ match: again, do: 'status', status: 403 }]);
    expect((await rig.backup(resource, { ...include('Plans'), checkpoint: { items: 1, bytes: 1 } })).status).not.toBe('successful');
    rig.simulator.control.setFaults([]);
    expect((await rig.backup(resource, include('Plans'))).status).toBe('successful');
    expect(await files()).toEqual(['inner', 'notes']);
  });

  it('is not missed once nobody chooses it', async () => {
    const id = act('drives.createFile', { name: `${number} damaged`, parentId: folders.notes, sizeBytes: 300 });
    const bytes = ['*/content', '/_layouts/15/download.aspx'];
    rig.simulator.control.setFaults(bytes.map((path) => ({ match: { method: 'GET', path }, do: 'status', status: 400 })));
    expect(await rig.backup(resource, include('Notes'))).toMatchObject({ status: 'defective' });
    rig.simulator.control.setFaults([]);
    expect(await rig.backup(resource, include('Plans'))).toMatchObject({ status: 'successful' });
    act('drives.edit', { id, sizeBytes: 400 });
    expect(await rig.backup(resource, include('Plans'))).toMatchObject({ status: 'successful', counts: { failed: 0 } });
    expect(await files()).toEqual(['inner', 'plans']);
  });
});

it('keeps as many earlier versions as the job that wants most', async () => {
  const { of, resource } = await KINDS.drive();
  const drive = rig.resource(...resource);
  const { id } = rig.act('drives.createFile', { ...of, name: 'Versions', sizeBytes: 300 });
  for (let edit = 1; edit <= 3; edit += 1) rig.act('drives.edit', { ...of, id, sizeBytes: 300 + edit });
  await rig.backup(drive, { selection: { fileVersions: 0 }, beside: [{ fileVersions: 2 }, { fileVersions: 1 }] });
  const file = (await rig.items(drive)).find(({ name }) => name === 'Versions');
  expect(file?.contents.filter(({ role }) => role === 'version')).toHaveLength(2);
});
