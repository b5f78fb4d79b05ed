import { afterEach, describe, expect, it } from 'vitest';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { drivesWorkload } from '../drives/drives-workload.ts';
import { listField, objectField, textField } from '../http/body-fields.ts';
import type { JsonObject } from '../values/json.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { COLUMN_KINDS, kindOf } from './columns.ts';
import { placesOf, type SitePlace } from '../places/places.ts';
import { sitesWorkload } from './sites-workload.ts';

let simulator: InProcess | undefined;

function start(): InProcess {
  simulator = createInProcess({ workloads: [directoryWorkload, drivesWorkload, sitesWorkload], recipe: 'contoso' });
  return simulator;
}

afterEach(() => simulator?.requireValid());

function siteIn(sim: InProcess): SitePlace {
  const found = placesOf(sim.tenant).sites.find((site) => site.lists > 1);
  if (!found) throw new Error('The recipe has no site with lists.');
  return found;
}

async function listIn(sim: InProcess, template = 'genericList'): Promise<string> {
  const site = siteIn(sim);
  const { entries } = await sim.all(`/sites/${site.id}/lists`);
  const found = entries.find((entry) => objectField(entry, 'list')?.['template'] === template);
  return `/sites/${site.id}/lists/${textField(found, 'id') ?? ''}`;
}

describe('sites', () => {
  it('are enumerated page by page through links with another name', async () => {
    const sim = start();
    const first = await sim.get('/sites/getAllSites?$top=5');
    expect(first.json['@odata.nextLink']).not.toContain('/sites/getAllSites?');
    const { entries } = await sim.all('/sites/getAllSites?$top=5');
    expect(entries.map((entry) => entry['id'])).toEqual(placesOf(sim.tenant).sites.map((site) => site.id));
    expect(new Set(entries.map((entry) => entry['isPersonalSite']))).toEqual(new Set([true, false]));
  });

  it('are found by id, by address, by search and below their parent', async () => {
    const sim = start();
    const site = siteIn(sim);
    for (const address of [`/sites/${site.id}`, `/sites/${site.hostName}:${site.path}`, `/sites/${site.hostName}:${site.path}:`]) {
      expect((await sim.get(address)).json['id']).toBe(site.id);
    }
    expect((await sim.get(`/sites/${site.hostName}`)).json['root']).toEqual({});
    expect((await sim.get(`/sites/${site.hostName}:/sites/nowhere`)).status).toBe(404);
    const found = await sim.all('/sites?search=Qualit');
    expect(found.entries.map((entry) => entry['displayName'])).toEqual(['Qualität']);
    const parent = placesOf(sim.tenant).sites.find((entry) => entry.displayName === 'Vertrieb');
    const below = await sim.all(`/sites/${parent?.id ?? ''}/sites`);
    expect(below.entries.map((entry) => entry['displayName'])).toEqual(['Angebote']);
  });

  it('appear in the delta when they come into being', async () => {
    const sim = start();
    const { deltaLink } = await sim.all('/sites/delta');
    const [person] = sim.tenant.directory.users();
    if (person)
      sim.tenant.directory.putUser({ ...person, id: '11111111-1111-4111-8111-111111111111', userPrincipalName: 'new@contoso.com' });
    const { entries } = await sim.all(deltaLink ?? '');
    expect(entries.map((entry) => entry['isPersonalSite'])).toEqual([true]);
  });
});

describe('lists', () => {
  it('hide system lists until system is selected', async () => {
    const sim = start();
    const names = async (query: string): Promise<unknown[]> =>
      (await sim.all(`/sites/${siteIn(sim).id}/lists${query}`)).entries.map((entry) => entry['displayName']);
    expect(await names('')).toEqual(['Documents', 'Archiv', 'Vorgänge', 'Contacts']);
    expect(await names('?$select=id,name,displayName,list,system')).toContain('User Information List');
  });

  it('have columns of every type', async () => {
    const sim = start();
    const { entries } = await sim.all(`${await listIn(sim)}/columns`);
    const kinds = new Set(entries.map((entry) => kindOf(entry)));
    expect([...COLUMN_KINDS].filter((kind) => !kinds.has(kind))).toEqual(['contentApprovalStatus']);
    const whole = await sim.get(`${await listIn(sim)}?$expand=columns,contentTypes`);
    expect(listField(whole.json, 'columns')).toHaveLength(entries.length);
    expect(listField(whole.json, 'contentTypes')).toMatchObject([{ name: 'Item' }, { name: 'Vorgang' }]);
  });

  it('are made with their columns, and refuse a name twice and a column without type', async () => {
    const sim = start();
    const address = `/sites/${siteIn(sim).id}/lists`;
    const body = {
      displayName: 'Inventory',
      columns: [
        { name: 'Shelf', text: {} },
        { name: 'Amount', number: { minimum: 0 } },
      ],
      list: { template: 'genericList' },
    };
    const made = await sim.ask('POST', address, { body });
    expect(made.status).toBe(201);
    expect((await sim.ask('POST', address, { body })).status).toBe(409);
    const columns = `${address}/${made.json['id'] as string}/columns`;
    expect((await sim.ask('POST', columns, { body: { name: 'When', dateTime: { format: 'dateOnly' } } })).json['dateTime']).toMatchObject({
      format: 'dateOnly',
      displayAs: 'default',
    });
    expect((await sim.ask('POST', columns, { body: { name: 'What' } })).status).toBe(400);
    const { entries } = await sim.all(columns);
    expect(entries.slice(-3).map((entry) => entry['name'])).toEqual(['Shelf', 'Amount', 'When']);
  });

  it('give a column of a name of their own a number', async () => {
    const sim = start();
    const columns = `${await listIn(sim)}/columns`;
    const made = await sim.ask('POST', columns, { body: { name: 'Author', text: {} } });
    expect([made.status, made.json['name'], made.json['displayName']]).toEqual([201, 'Author0', 'Author']);
    expect((await sim.ask('POST', columns, { body: { name: 'Effort', number: {} } })).status).toBe(409);
  });

  it('take content types of their site by copy', async () => {
    const sim = start();
    const site = `/sites/${siteIn(sim).id}`;
    const made = await sim.ask('POST', `${site}/contentTypes`, { body: { name: 'Order', base: { id: '0x01' }, group: 'Custom' } });
    expect([made.status, made.json['parentId']]).toEqual([201, '0x01']);
    const list = await listIn(sim);
    const id = made.json['id'] as string;
    const copy = (contentType: string) => sim.ask('POST', `${list}/contentTypes/addCopy`, { body: { contentType } });
    expect((await copy(id)).status, 'an id is no address').toBe(400);
    const address = `https://graph.microsoft.com/v1.0${site}/contentTypes/${id}`;
    const copied = await copy(address);
    expect([copied.status, copied.json['name'], copied.json['parentId']]).toEqual([201, 'Order', id]);
    expect((await copy(address)).status).toBe(409);
    expect((await sim.all(`${list}/contentTypes`)).entries.map((entry) => entry['name'])).toEqual(['Item', 'Vorgang', 'Order']);
  });

  it('take the columns of their content types over, which are columns of the site', async () => {
    const sim = start();
    const site = `/sites/${siteIn(sim).id}`;
    const made = await sim.ask('POST', `${site}/contentTypes`, { body: { name: 'Order', base: { id: '0x01' } } });
    const address = `${site}/contentTypes/${made.json['id'] as string}`;
    const column = (await sim.all(`${site}/columns`)).entries.find((entry) => entry['name'] === 'Effort');
    const bind = (path: string) =>
      sim.ask('POST', `${address}/columns`, { body: { 'sourceColumn@odata.bind': `https://graph.microsoft.com/v1.0${path}` } });
    expect((await bind(`${site}/columns/${column?.['id'] as string}`)).json['name']).toBe('Effort');
    expect((await bind(`${site}/columns/${column?.['id'] as string}`)).status).toBe(409);
    expect((await bind(`${site}/columns/none`)).status).toBe(400);
    expect((await sim.ask('POST', `${site}/contentTypes/0x01/columns`, { body: {} })).status).toBe(404);
    const list = await sim.ask('POST', `${site}/lists`, { body: { displayName: 'Orders' } });
    const place = `${site}/lists/${list.json['id'] as string}`;
    await sim.ask('POST', `${place}/contentTypes/addCopy`, { body: { contentType: `https://graph.microsoft.com/v1.0${address}` } });
    const [, order] = (await sim.all(`${place}/contentTypes?$expand=columns`)).entries;
    expect(listField(order ?? {}, 'columns')).toMatchObject([{ name: 'Title' }, { name: 'ContentType' }, { name: 'Effort' }]);
    expect((await sim.all(`${place}/columns`)).entries.at(-1)).toMatchObject({ name: 'Effort' });
  });
});

describe('rows', () => {
  it('come with their fields, and in delta as they change', async () => {
    const sim = start();
    const list = await listIn(sim);
    const first = await sim.all(`${list}/items/delta?$expand=fields&$top=10`);
    expect(first.entries).toHaveLength(25);
    expect(objectField(first.entries[0], 'fields')).toMatchObject({
      id: '1',
      ContentType: 'Item',
      Title: expect.any(String) as string,
      ResponsibleLookupId: expect.any(String) as string,
    });
    const made = await sim.ask('POST', `${list}/items`, {
      body: { fields: { Title: 'New', Status: 'Open', Effort: 4, Topics: ['Sales'], ResponsibleLookupId: 2 } },
    });
    expect([made.status, made.json['id']]).toEqual([201, '26']);
    await sim.ask('PATCH', `${list}/items/1/fields`, { body: { Title: 'Changed' } });
    expect((await sim.ask('DELETE', `${list}/items/2`)).status).toBe(204);
    const { entries } = await sim.all(first.deltaLink ?? '');
    expect(entries.map((entry) => [entry['id'], objectField(entry, 'fields')?.['Title'], entry['deleted']])).toEqual([
      ['26', 'New', undefined],
      ['1', 'Changed', undefined],
      ['2', undefined, { state: 'deleted' }],
    ]);
    expect((await sim.get(`${list}/items/2`)).status).toBe(404);
  });

  it('are set by numbers where they name several people, and read with their names', async () => {
    const sim = start();
    const list = await listIn(sim);
    const fields = { Title: 'Ours', 'TeamLookupId@odata.type': 'Collection(Edm.Int32)', TeamLookupId: [2, 1] };
    const { json } = await sim.ask('POST', `${list}/items`, { body: { fields } });
    const id = typeof json['id'] === 'string' ? json['id'] : '';
    const [first, second] = (await sim.all('/users')).entries;
    expect(objectField((await sim.get(`${list}/items/${id}?$expand=fields`)).json, 'fields')).toMatchObject({
      Team: [
        { LookupId: 2, LookupValue: second?.['displayName'] },
        { LookupId: 1, LookupValue: first?.['displayName'] },
      ],
    });
  });

  it('keep versions with the fields each had', async () => {
    const sim = start();
    const list = await listIn(sim);
    const before = (await sim.all(`${list}/items/1/versions`)).entries.length;
    await sim.ask('PATCH', `${list}/items/1/fields`, { body: { Title: 'Second' } });
    const { entries } = await sim.all(`${list}/items/1/versions?$expand=fields`);
    expect(entries).toHaveLength(before + 1);
    expect(objectField(entries[0], 'fields')?.['Title']).toBe('Second');
    expect(objectField(entries[1], 'fields')?.['Title']).not.toBe('Second');
  });

  it.each([
    ['an unknown column', { Colour: 'red' }, 'Colour'],
    ['a computed column', { Label: 'x' }, 'Label'],
    ['a read-only column', { Modified: '2020-01-01T00:00:00Z' }, 'Modified'],
    ['a column that does not say so', { ItemChildCount: '1' }, 'ItemChildCount'],
    ['the menu of a row', { Edit: 'x' }, 'Edit'],
    ['the title as a link', { LinkTitle: 'x' }, 'LinkTitle'],
    ['the name of the content type', { ContentType: 'Item' }, 'ContentType'],
    ['a value of another type', { Effort: 'much' }, 'Effort'],
    ['a link as an object', { Link: { Url: 'https://www.example.com', Description: 'x' } }, 'Link'],
    ['a link as text', { Link: 'https://www.example.com' }, 'Link'],
    ['a managed term', { Keyword: { Label: 'Open', TermGuid: 'x' } }, 'Keyword'],
    ['a place', { Place: { coordinates: { latitude: 1, longitude: 2 } } }, 'Place'],
    ['a picture as an object', { Picture: { fileName: 'a.png' } }, 'Picture'],
  ])('refuse %s by name', async (_case, fields, name) => {
    const sim = start();
    const { status, json } = await sim.ask('POST', `${await listIn(sim)}/items`, { body: { fields } });
    expect(status).toBe(400);
    expect(objectField(json, 'error')?.['message']).toContain(name);
  });

  it.each([
    ['a line that is too long', { Title: 'x'.repeat(256) }],
    ['somebody unknown', { ResponsibleLookupId: 9999 }],
    ['several of whom one is unknown', { TeamLookupId: [1, 9999] }],
    ['a row that is not there', { ContactLookupId: '9999' }],
  ])('refuse %s without a name', async (_case, fields) => {
    const sim = start();
    const { status, json } = await sim.ask('POST', `${await listIn(sim)}/items`, { body: { fields } });
    expect([status, objectField(json, 'error')?.['message']]).toEqual([400, 'The request is malformed or incorrect.']);
  });

  it('take long text in several lines, and pointers to nothing as no pointers', async () => {
    const sim = start();
    const fields = { Title: 'x'.repeat(255), Notes: 'x'.repeat(300), ResponsibleLookupId: 0, ContactLookupId: null };
    expect((await sim.ask('POST', `${await listIn(sim)}/items`, { body: { fields } })).status).toBe(201);
  });

  it('of a library are its files, whose columns can be set', async () => {
    const sim = start();
    const list = await listIn(sim, 'documentLibrary');
    const [library] = placesOf(sim.tenant).librariesOf(siteIn(sim).id);
    const file = (await sim.ask('PUT', `/drives/${library?.driveId ?? ''}/root:/a.txt:/content`, { body: Buffer.from('x') })).json;
    const { json } = await sim.get(`/drives/${library?.driveId ?? ''}/items/${file['id'] as string}?$select=id,sharepointIds`);
    const id = objectField(json, 'sharepointIds')?.['listItemId'] as string;
    expect((await sim.ask('PATCH', `${list}/items/${id}/fields`, { body: { Department: 'Legal' } })).json).toMatchObject({
      Department: 'Legal',
      FileLeafRef: 'a.txt',
    });
    expect((await sim.ask('POST', `${list}/items`, { body: { fields: {} } })).status).toBe(400);
    const { entries } = await sim.all(`${list}/items?$expand=fields`);
    expect(entries.find((entry) => entry['id'] === id)).toMatchObject({ fields: { Department: 'Legal' } });
  });

  it('leave the truth of every earlier change readable', async () => {
    const sim = start();
    const site = siteIn(sim);
    const before = await sim.truth('sites', site.id);
    sim.act('sites.editItem', { site: site.id, list: 'Contacts', id: '1', fields: { Title: 'Someone' } });
    sim.clock.advance(5);
    sim.act('sites.createItem', { site: site.id, list: 'Vorgaenge', fields: { Title: 'One more' } });
    expect(await sim.truth('sites', site.id, 0)).toEqual(before);
    expect(await sim.truth('sites', site.id, 1)).toHaveLength(before.length);
    expect(await sim.truth('sites', site.id, 2)).toEqual(await sim.truth('sites', site.id));
    expect(await sim.truth('sites', site.id)).toHaveLength(before.length + 1);
  });
});

describe('pages', () => {
  const text = { '@odata.type': '#microsoft.graph.textWebPart', innerHtml: '<p>Hi</p>' };
  const layout = (...webparts: JsonObject[]): JsonObject => ({
    horizontalSections: [{ layout: 'oneColumn', id: '1', emphasis: 'none', columns: [{ id: '1', width: 12, webparts }] }],
  });
  const aPage = (more: JsonObject = {}): JsonObject => ({
    '@odata.type': '#microsoft.graph.sitePage',
    name: 'New.aspx',
    title: 'New',
    pageLayout: 'article',
    canvasLayout: layout(text),
    ...more,
  });

  it('give their canvas through the cast alone', async () => {
    const sim = start();
    const site = `/sites/${siteIn(sim).id}`;
    const { entries } = await sim.all(`${site}/pages`);
    const address = `${site}/pages/${entries[0]?.['id'] as string}`;
    expect((await sim.get(`${address}?$expand=canvasLayout`)).status).toBe(400);
    const whole = await sim.get(`${address}/microsoft.graph.sitePage?$expand=canvasLayout`);
    expect(JSON.stringify(whole.json['canvasLayout'])).toContain('standardWebPart');
    expect((await sim.get(`${address}/graph.sitePage?$expand=canvasLayout`)).json).toEqual(whole.json);
    expect((await sim.get(`${address}/microsoft.graph.sitePage`)).json).not.toHaveProperty('canvasLayout');
  });

  it('are checked out when they are new or changed, until they are published', async () => {
    const sim = start();
    const site = `/sites/${siteIn(sim).id}`;
    const made = await sim.ask('POST', `${site}/pages`, { body: aPage() });
    expect([made.status, made.json['publishingState']]).toEqual([201, { level: 'checkout', versionId: '0.1' }]);
    const address = `${site}/pages/${made.json['id'] as string}/microsoft.graph.sitePage`;
    expect((await sim.ask('POST', `${address}/publish`)).status).toBe(204);
    expect((await sim.get(address)).json['publishingState']).toEqual({ level: 'published', versionId: '1.0' });
    const changed = await sim.ask('PATCH', address, { body: { '@odata.type': '#microsoft.graph.sitePage', title: 'Newer' } });
    expect([changed.status, changed.json['title'], objectField(changed.json, 'publishingState')?.['level']]).toEqual([
      200,
      'Newer',
      'checkout',
    ]);
    expect((await sim.ask('POST', `${site}/pages`, { body: aPage() })).status).toBe(409);
  });

  it('refuse web parts that can not be created, other annotations, and a missing type', async () => {
    const sim = start();
    const address = `/sites/${siteIn(sim).id}/pages`;
    const news = { '@odata.type': '#microsoft.graph.standardWebPart', webPartType: '8c88f208-6c77-4bdb-86a0-0c47b4316588', data: {} };
    expect((await sim.ask('POST', address, { body: aPage({ canvasLayout: layout(text, news) }) })).status).toBe(400);
    expect((await sim.ask('POST', address, { body: aPage({ canvasLayout: layout({ ...text, 'innerHtml@odata.x': 1 }) }) })).status).toBe(
      400,
    );
    const { '@odata.type': _type, ...untyped } = aPage();
    expect((await sim.ask('POST', address, { body: untyped })).status).toBe(400);
  });
});

describe('a row that is created without fields', () => {
  it('is an empty row', async () => {
    const sim = start();
    const { status, json } = await sim.ask('POST', `${await listIn(sim)}/items`, { body: {} });
    expect([status, objectField(json, 'fields')?.['Title']]).toEqual([201, undefined]);
  });
});
