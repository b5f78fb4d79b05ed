import type { TruthRecord } from '@holdfast/m365-simulator';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import { textOf } from '../../pipeline/text.ts';
import type { ItemVersion, Resource } from '../../ports/item.ts';

describe('a list that is restored more than once', () => {
  let rig: Rig;
  let site: Resource;
  let listId: string;
  let snapshot: string;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const one of rig.graph.sites.allSites()) if (one.displayName === 'Home') site = rig.resource('site', one.id, 'Home');
    const siteId = site.graphId;
    const records = await rig.truth('sites', siteId);
    const plain = records.find(
      ({ kind, metadata: { isSystem, template } }) => kind === 'list' && isSystem !== true && template !== 'documentLibrary',
    );
    listId = plain?.id ?? '';
    for (let count = 0; count < 2; count += 1) await rig.graph.sites.createItem({ siteId, listId }, { fields: { Title: 'Call Lee' } });
    await rig.backup(site);
    snapshot = rig.simulator.control.snapshot();
  });
  beforeEach(() => rig.simulator.control.restore(snapshot));
  afterAll(() => rig.close());

  const rows = async (): Promise<readonly TruthRecord[]> =>
    (await rig.truth('sites', site.graphId)).filter(({ kind }) => kind === 'listItem');
  /** What the rows say; their numbers are the service's. */
  const said = async (): Promise<readonly unknown[]> =>
    (await rows())
      .map(
        ({ path, metadata }) =>
          `${path.slice(0, path.lastIndexOf('/'))} ${textOf((metadata['fields'] as ItemVersion['properties'])['Title'])}`,
      )
      .toSorted();
  const stored = async (): Promise<readonly ItemVersion[]> => (await rig.items(site)).filter(({ kind }) => kind === 'listItem');
  const restored = async (selection: 'all' | readonly string[], folder?: string) => {
    const target = { resource: site, ...(folder === undefined ? {} : { folder }) };
    const { result, lines } = await rig.restore({ source: site, selection, target, collisions: 'skip' });
    expect(result.status).toBe('successful');
    return lines.filter(({ kind }) => kind === 'listItem').map(({ outcome }) => outcome);
  };
  const remove = (item: ItemVersion): Promise<void> =>
    rig.graph.sites.deleteItem({ siteId: site.graphId, listId, itemId: textOf(item.properties['itemId']) });

  it('has in another place what it had, however often it is put there', async () => {
    const before = await said();
    const outcomes = await restored('all', 'Again');
    expect(new Set(outcomes)).toEqual(new Set(['restored']));
    const once = await said();
    expect(once).toHaveLength(before.length + outcomes.length);
    expect(new Set(await restored('all', 'Again'))).toEqual(new Set(['skipped']));
    expect(await said()).toEqual(once);
  });

  it('has again what was deleted, however often it is restored', async () => {
    const before = await said();
    const own = (await stored()).filter(({ parentKey }) => parentKey === `list:${listId}`);
    for (const item of own) await remove(item);
    expect((await said()).length).toBe(before.length - own.length);
    expect((await restored('all')).filter((outcome) => outcome === 'restored')).toHaveLength(own.length);
    expect(await said()).toEqual(before);
    expect(new Set(await restored('all'))).toEqual(new Set(['skipped']));
    expect(await said()).toEqual(before);
  });

  it('gets one of two alike back that was deleted', async () => {
    const before = await said();
    const lost = (await stored()).find(({ parentKey, name }) => parentKey === `list:${listId}` && name === 'Call Lee');
    if (!lost) throw new Error('The row is not in the vault.');
    await remove(lost);
    expect(await said()).not.toEqual(before);
    expect(await restored([lost.key])).toEqual(['restored']);
    expect(await said()).toEqual(before);
    expect(await restored([lost.key])).toEqual(['skipped']);
    expect(await said()).toEqual(before);
  });
});
