import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../testing/hurried-clock.ts';
import { createRig, type Rig } from '../testing/rig.ts';
import type { ItemVersion, Resource } from '../src/ports/item.ts';

let rig: Rig;
let site: Resource;
let list: string;
beforeEach(async () => {
  rig = await createRig({ recipes: ['contoso'], clockOfEngine: createHurriedClock() });
  for await (const one of rig.graph.sites.allSites()) {
    const known = await rig.truth('sites', one.id);
    const cases = known.find(({ kind, metadata }) => kind === 'list' && metadata['displayName'] === 'Vorgänge');
    if (!cases) continue;
    site = rig.resource('site', one.id);
    list = cases.id;
    return;
  }
});
afterEach(() => rig.close());

async function row(title: string): Promise<ItemVersion> {
  const found = (await rig.items(site)).find(({ kind, name }) => kind === 'listItem' && name === title);
  if (!found) throw new Error(`${title} is not stored.`);
  return found;
}

/** What the rows of that title say now. */
async function saidOf(title: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const records = (await rig.truth('sites', site.graphId)).filter(({ kind }) => kind === 'listItem');
  return records.map(({ metadata }) => metadata['fields'] as Readonly<Record<string, unknown>>).filter(({ Title }) => Title === title);
}

function create(fields: object): string {
  return String(rig.act('sites.createItem', { site: site.graphId, list, fields })['id']);
}

async function restoreRow(title: string) {
  const { key } = await row(title);
  const { result, lines } = await rig.restore({ source: site, selection: [key], target: { resource: site }, collisions: 'skip' });
  const line = lines.find((one) => one.kind === 'listItem');
  return { status: result.status, outcome: line?.outcome, told: line?.differences.filter((one) => one.includes(' ')) };
}

describe('a row with values that Graph does not take', () => {
  it('comes back without them, and the report names them', async () => {
    const title = 'Inspection of the north hall';
    const Link = { Url: 'https://www.example.com', Description: 'Case' };
    const Picture = { fileName: 'hall.png' };
    const id = create({ Title: title, Effort: 7, Link, Place: { coordinates: { latitude: 52, longitude: 13 } }, Picture });
    await rig.backup(site);
    rig.act('sites.deleteItem', { site: site.graphId, list, id });
    expect(await restoreRow(title)).toEqual({
      status: 'successful',
      outcome: 'restored',
      told: ['fieldUnwritable Link', 'fieldUnwritable Place'],
    });
    expect(await saidOf(title)).toEqual([{ Title: title, Effort: 7, Picture: JSON.stringify(Picture) }]);
  });

  it('comes back without people and rows that are gone, with those who are left, and once', async () => {
    const title = 'Handover to the new team';
    const id = create({
      Title: title,
      ResponsibleLookupId: '9999',
      ContactLookupId: '1',
      Team: [
        { LookupId: 1, LookupValue: 'Ann' },
        { LookupId: 9999, LookupValue: 'Gone' },
      ],
    });
    await rig.backup(site);
    rig.act('sites.deleteItem', { site: site.graphId, list, id });
    expect(await restoreRow(title)).toEqual({
      status: 'successful',
      outcome: 'restored',
      told: ['fieldRefused Responsible', 'fieldRefused Team'],
    });
    const [said] = await saidOf(title);
    expect(said).toMatchObject({ ContactLookupId: '1', Team: [{ LookupId: 1 }] });
    expect(said).not.toHaveProperty('ResponsibleLookupId');
    expect((await restoreRow(title)).outcome).toBe('skipped');
    expect(await saidOf(title)).toHaveLength(1);
  });

  it('is not taken for one that points to somebody else or to nobody', async () => {
    const title = 'Call back';
    create({ Title: title });
    const id = create({ Title: title, ResponsibleLookupId: '2' });
    await rig.backup(site);
    rig.act('sites.deleteItem', { site: site.graphId, list, id });
    const key = `list:${list}:${id}`;
    await rig.restore({ source: site, selection: [key], target: { resource: site }, collisions: 'skip' });
    expect((await saidOf(title)).map(({ ResponsibleLookupId }) => ResponsibleLookupId)).toEqual([undefined, '2']);
  });
});

describe('a list whose columns the service fails to make', () => {
  const fault = { do: 'status', status: 500, code: 'generalException' };

  it('comes back with its rows, and the report names the columns', async () => {
    await rig.backup(site);
    const keys = (await rig.items(site)).filter(({ kind, key }) => kind === 'list' && key === `list:${list}`).map(({ key }) => key);
    const columns = { method: 'POST', path: '/sites/{id}/lists/{id}/columns' };
    rig.simulator.control.setFaults([
      { match: { method: 'POST', path: '/sites/{id}/lists', nth: 1 }, ...fault, times: 1 },
      { match: { method: 'POST', path: '/sites/{id}/lists', nth: 2 }, ...fault, times: 1 },
      { match: columns, ...fault, times: 8 },
    ]);
    const { result, lines } = await rig.restore({
      source: site,
      selection: keys,
      target: { resource: site, folder: 'Beside' },
      collisions: 'skip',
    });
    const made = lines.find(({ kind }) => kind === 'list');
    expect(made?.outcome).toBe('restored');
    expect(made?.differences.filter((one) => one.startsWith('column ')).length).toBeGreaterThan(0);
    const rows = lines.filter(({ kind }) => kind === 'listItem');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ outcome }) => outcome === 'restored')).toBe(true);
    expect(result.status).toBe('successful');
  });
});
