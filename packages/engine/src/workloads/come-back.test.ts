import type { DeltaCursor, DeltaEntry, DriveEntry, GraphClient, Listing } from '@holdfast/m365';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHurriedClock } from '../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../testing/rig.ts';
import type { ItemVersion, Resource } from '../ports/item.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
});
afterAll(() => rig.close());

async function* none(): AsyncGenerator<never, void, undefined> {
  // Items in a recycle bin are not listed.
}
const nothing = <T>(): Listing<T> => none();

const contentsOf = (items: readonly ItemVersion[]) =>
  items.map(({ key, name, contents }) => `${key} ${name} ${contents.map(({ ref }) => ref.sha256).join()}`).toSorted();

/** Backs up, again while things are in a recycle bin, and once more when they have been taken out of it with their ids. */
async function expectAllBack(resource: Resource, inBin: (graph: GraphClient) => GraphClient): Promise<void> {
  await rig.backup(resource);
  const before = contentsOf(await rig.items(resource));
  expect(await rig.backup(resource, { seenAs: inBin })).toMatchObject({ status: 'successful' });
  expect((await rig.items(resource)).length).toBeLessThan(before.length);
  expect(await rig.backup(resource)).toMatchObject({ status: 'successful' });
  expect(contentsOf(await rig.items(resource))).toEqual(before);
  expect(await rig.backup(resource), 'nothing has changed since').toMatchObject({ segments: 0, bytesRead: 0 });
}

test('the libraries and lists of a site that come back from the recycle bin are read whole', async () => {
  for await (const site of rig.graph.sites.allSites()) {
    if (site.displayName !== 'Home') continue;
    await expectAllBack(rig.resource('site', site.id), (graph) => ({
      ...graph,
      drives: { ...graph.drives, siteDrives: nothing },
      sites: { ...graph.sites, lists: nothing },
    }));
  }
});

test('the channels of a team that are restored after their deletion are read whole, with their files', async () => {
  for await (const group of rig.graph.directory.groups({ teamsOnly: true }))
    await expectAllBack(rig.resource('team', group.id), (graph) => ({ ...graph, teams: { ...graph.teams, channels: nothing } }));
});

test('a contact folder that comes back under its id is read whole', async () => {
  for await (const user of rig.graph.directory.users()) {
    if (user.userType !== 'Member') continue;
    await expectAllBack(rig.resource('mailbox', user.id), (graph) => {
      const { contacts } = graph.exchange;
      return { ...graph, exchange: { ...graph.exchange, contacts: { ...contacts, contactFolders: nothing } } };
    });
    return;
  }
});

test('a folder that comes back from the recycle bin is read with its files, though nothing but the folder is named', async () => {
  for await (const user of rig.graph.directory.users()) {
    if (user.userType !== 'Member') continue;
    const drive = rig.resource('drive', user.id);
    await rig.backup(drive);
    const items = await rig.items(drive);
    const before = contentsOf(items);
    const { id: driveId } = await rig.graph.drives.userDrive({ userId: user.id });
    const folder = items.find(({ kind, key }) => kind === 'folder' && items.some(({ parentKey }) => parentKey === key));
    const itemId = folder?.key.split(':').at(-1) ?? '';
    const entry = await rig.graph.drives.item({ driveId, itemId });
    expect(entry.folder?.childCount).toBeGreaterThan(0);
    /** The changes of a round are nothing but this; all of the drive is what it is. */
    const changes = (named: DeltaEntry<DriveEntry>) => (graph: GraphClient) => ({
      ...graph,
      drives: {
        ...graph.drives,
        async *delta(ref: Parameters<GraphClient['drives']['delta']>[0], cursor?: DeltaCursor) {
          for await (const step of graph.drives.delta(ref, cursor))
            yield step.kind === 'page' && !step.full ? { ...step, entries: [named] } : step;
        },
      },
    });
    await rig.backup(drive, { seenAs: changes({ kind: 'removed', id: itemId, reason: 'deleted' }) });
    expect((await rig.items(drive)).length).toBeLessThan(before.length - 1);
    expect(await rig.backup(drive, { seenAs: changes({ kind: 'present', id: itemId, item: entry }) })).toMatchObject({
      status: 'successful',
    });
    expect(contentsOf(await rig.items(drive))).toEqual(before);
    expect(await rig.backup(drive), 'nothing has changed since').toMatchObject({ segments: 0, bytesRead: 0 });
    return;
  }
});

test('somebody whose OneDrive was made anew has the files of the new one, and an earlier point keeps the others', async () => {
  const [first, second] = (await Array.fromAsync(rig.graph.directory.users())).filter(({ userType }) => userType === 'Member');
  const drive = { ...rig.resource('drive', first?.id ?? ''), id: rig.ids.uuid() };
  await rig.backup(drive);
  const before = contentsOf(await rig.items(drive));
  const [old] = await rig.catalog.points(drive.id);
  const another = rig.resource('drive', second?.id ?? '');
  await rig.backup(another);
  const seenAs = (graph: GraphClient): GraphClient => ({
    ...graph,
    drives: { ...graph.drives, userDrive: () => graph.drives.userDrive({ userId: another.graphId }) },
  });
  expect(await rig.backup(drive, { seenAs })).toMatchObject({ status: 'successful' });
  expect(contentsOf(await rig.items(drive))).toEqual(contentsOf(await rig.items(another)));
  expect(contentsOf(await rig.items(drive, old?.sequence))).toEqual(before);
  expect(await rig.backup(drive, { seenAs }), 'nothing has changed since').toMatchObject({ segments: 0, bytesRead: 0 });
  expect(await rig.backup(drive)).toMatchObject({ status: 'successful' });
  expect(contentsOf(await rig.items(drive))).toEqual(before);
});
