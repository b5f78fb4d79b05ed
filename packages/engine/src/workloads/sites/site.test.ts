import { once } from '@holdfast/foundation/streams';
import type { TruthRecord } from '@holdfast/m365-simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import { canonicalJson } from '../../shared/canonical.ts';
import { textOf } from '../../pipeline/text.ts';
import type { Json, Resource } from '../../ports/item.ts';

/** The content type of the site: each list has a child of it. */
function siteTypeOf({ metadata }: TruthRecord): string {
  return textOf(metadata['contentTypeId']).slice(0, -'00'.length - 32);
}

/** Without columns that the service fills from others, or that point to what only the service numbers. */
function plainFields(record: TruthRecord): string {
  const fields = Object.entries(record.metadata['fields'] ?? {}).filter(([name]) =>
    ['Title', 'Notes', 'Effort', 'Budget', 'Approved', 'Due', 'Status', 'Topics', 'ResponsibleLookupId'].includes(name),
  );
  return canonicalJson({ ...Object.fromEntries<Json>(fields), contentType: siteTypeOf(record) });
}

describe('a site in a vault', () => {
  let rig: Rig;
  let site: Resource;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const one of rig.graph.sites.allSites()) if (one.displayName === 'Home') site = rig.resource('site', one.id, 'Home');
  });
  afterAll(() => rig.close());

  async function rowsOfTruth(): Promise<TruthRecord[]> {
    const records = await rig.truth('sites', site.graphId);
    const own = records.filter(
      (record) => record.kind === 'list' && record.metadata['isSystem'] !== true && record.metadata['template'] !== 'documentLibrary',
    );
    return records.filter((record) => record.kind === 'listItem' && own.some((list) => record.path.startsWith(`${list.path}/`)));
  }

  it('has its libraries, its lists with every item, and its pages', async () => {
    expect((await rig.backup(site)).status).toBe('successful');
    const items = await rig.items(site);
    const rows = items.filter((item) => item.kind === 'listItem');
    const truth = await rowsOfTruth();
    expect(rows.map((row) => textOf(row.properties['itemId'])).toSorted()).toEqual(truth.map((record) => record.id).toSorted());
    for (const record of truth) {
      const row = rows.find((one) => one.properties['itemId'] === record.id);
      expect((row?.properties['fields'] as { readonly Title?: string } | undefined)?.Title).toBe(
        (record.metadata['fields'] as { readonly Title?: string }).Title,
      );
    }
    expect(items.filter((item) => item.kind === 'page')).toHaveLength(
      (await rig.truth('sites', site.graphId)).filter((record) => record.kind === 'page').length,
    );
  });

  it('writes nothing when nothing has changed', async () => {
    expect(await rig.backup(site)).toMatchObject({ segments: 0, bytesRead: 0 });
  });

  it('comes back into new places with all that the service lets an application set, and names the rest', async () => {
    const before = await rowsOfTruth();
    const target = { resource: site, folder: 'Restored' };
    const { result, lines } = await rig.restore({ source: site, selection: 'all', target, collisions: 'skip' });
    expect(lines.filter((line) => line.outcome === 'failed')).toEqual([]);
    expect(result.status).toBe('successful');
    const added = (await rowsOfTruth()).filter((record) => !before.some((known) => known.path === record.path));
    expect(added.map(plainFields).toSorted()).toEqual(before.map(plainFields).toSorted());
    expect(new Set(added.map(siteTypeOf)).size).toBe(2);
    const told = lines.filter((line) => line.kind === 'listItem').map((line) => line.differences);
    expect(told.every((differences) => differences.includes('createdBy') && !differences.includes('contentType'))).toBe(true);
    expect(rig.outbox()).toEqual([]);
  });

  it('keeps the files of the site itself, which are in a library that no list has unless it is asked for', async () => {
    const { graph, simulator } = rig;
    const snapshot = simulator.control.snapshot();
    const siteId = site.graphId;
    await graph.sites.createList({ siteId }, { displayName: 'Site Assets', list: { template: 'documentLibrary' } });
    const drives = await Array.fromAsync(graph.drives.siteDrives({ siteId }));
    const { id: driveId = '', webUrl } = drives.find(({ name }) => name === 'Site Assets') ?? {};
    expect(webUrl).toMatch(/\/SiteAssets$/u);
    const source = { sizeBytes: 5, open: () => once(Buffer.from('Notes')) };
    const { id: parentId } = await graph.drives.root({ driveId });
    await graph.drives.upload({ driveId }, { target: { parentId, name: 'Notes.one' }, conflict: 'fail' }, source);
    expect((await rig.backup(site)).status).toBe('successful');
    expect((await rig.items(site)).map(({ name }) => name)).toContain('Notes.one');
    simulator.control.restore(snapshot);
  });

  it('brings the content types of its lists to a site that lacks them, and names whose columns that site has not', async () => {
    let other = site;
    for await (const one of rig.graph.sites.allSites()) if (one.displayName !== 'Home') other = rig.resource('site', one.id, 'Other');
    const { lines } = await rig.restore({ source: site, selection: 'all', target: { resource: other }, collisions: 'skip' });
    const records = await rig.truth('sites', other.graphId);
    const list = records.find((record) => record.metadata['displayName'] === 'Vorgänge');
    const ofSite = records.find((record) => record.kind === 'site')?.metadata['contentTypes'] as readonly { id: string; name: string }[];
    const made = ofSite.find(({ name }) => name === 'Vorgang');
    const rows = records.filter((record) => record.kind === 'listItem' && record.path.startsWith(`${list?.path}/`));
    const wanted = (await rowsOfTruth()).filter((record) => record.path.includes('/Vorgaenge/'));
    expect(rows.filter((row) => siteTypeOf(row) === made?.id).length).toBeGreaterThan(0);
    expect(new Set(rows.map(siteTypeOf))).toEqual(new Set(['0x01', made?.id]));
    expect(rows).toHaveLength(wanted.length);
    const differencesOf = (kind: string) => lines.filter((line) => line.kind === kind).flatMap((line) => line.differences);
    expect(differencesOf('list')).toContain('contentTypeColumns Vorgang');
    expect(differencesOf('listItem')).not.toContain('contentType');
  });
});
