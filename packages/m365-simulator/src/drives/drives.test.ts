import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { listField } from '../http/body-fields.ts';
import type { JsonObject } from '../values/json.ts';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { recipeNamed } from '../recipes/recipes.ts';
import { placesOf } from '../places/places.ts';
import { sitesWorkload } from '../sites/sites-workload.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { drivesWorkload } from './drives-workload.ts';
import { openDrive } from './open-drive.ts';
import { quickXorHash } from './quick-xor-hash.ts';

const workloads = [directoryWorkload, drivesWorkload, sitesWorkload];
const PREFER = { prefer: 'deltashowremovedasdeleted, deltatraversepermissiongaps, deltashowsharingchanges, hierarchicalsharing' };
let simulator: InProcess | undefined;

function start(recipe = 'tiny'): InProcess {
  simulator = createInProcess({ workloads, recipe });
  return simulator;
}

afterEach(() => simulator?.requireValid());

function never(): never {
  throw new Error('The recipe has no library.');
}

async function firstDrive(sim: InProcess): Promise<string> {
  const user = sim.tenant.directory.users()[0]?.id ?? '';
  const { json } = await sim.get(`/users/${user}/drive`);
  return json['id'] as string;
}

async function put(sim: InProcess, drive: string, name: string, content: string | Buffer): Promise<JsonObject> {
  const { json } = await sim.ask('PUT', `/drives/${drive}/root:/${encodeURIComponent(name)}:/content`, { body: Buffer.from(content) });
  return json;
}

function downloadOf(item: JsonObject): string {
  return item['@microsoft.graph.downloadUrl'] as string;
}

describe('reading drives', () => {
  it('gives a user a drive with quota and everyone else a 404 in the words of the service', async () => {
    const sim = start('contoso');
    const drive = await sim.get(`/drives/${await firstDrive(sim)}`);
    expect(drive.json).toMatchObject({ driveType: 'business', quota: { state: 'normal' } });
    const without = sim.tenant.directory.users().find((person) => !person.hasDrive);
    const missing = await sim.get(`/users/${without?.id ?? ''}/drive`);
    expect(missing.status).toBe(404);
    expect(missing.json['error']).toMatchObject({ code: 'ResourceNotFound', message: "User's mysite not found." });
  });

  it('enumerates by delta everything that the ground truth has, folders before what is in them', async () => {
    const sim = start('contoso');
    const drive = await firstDrive(sim);
    const { entries, deltaLink, pages } = await sim.all(`/drives/${drive}/root/delta?$top=10`, PREFER);
    expect(pages).toBeGreaterThan(3);
    const truth = await sim.truth('drives', drive);
    expect(new Set(entries.map((entry) => entry['id']))).toEqual(new Set([...truth.map((line) => line.id), entries[0]?.['id']]));
    const seen = new Set<unknown>();
    for (const entry of entries) {
      const parent = (entry['parentReference'] as JsonObject)['id'];
      expect(entry['root'] !== undefined || seen.has(parent)).toBe(true);
      seen.add(entry['id']);
      expect(entry).not.toHaveProperty('cTag');
    }
    expect((await sim.all(deltaLink ?? '', PREFER)).entries).toEqual([]);
  });

  it.each([true, false])('names the path of the parent in a delta by a switch: %s', async (deltaParentPath) => {
    const sim = start();
    sim.set({ deltaParentPath });
    const { entries } = await sim.all(`/drives/${await firstDrive(sim)}/root/delta`, PREFER);
    const below = entries.filter((entry) => entry['root'] === undefined);
    expect(below.length).toBeGreaterThan(0);
    for (const entry of below) expect(Object.hasOwn(entry['parentReference'] as JsonObject, 'path')).toBe(deltaParentPath);
  });

  it('gives the delta of a drive by the id of its root too, and of no other folder', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const { entries } = await sim.all(`/drives/${drive}/root/delta`, PREFER);
    const root = entries.find((entry) => entry['root']);
    for (const id of ['root', root?.['id'] as string])
      expect((await sim.all(`/drives/${drive}/items/${id}/delta`, PREFER)).entries).toEqual(entries);
    const folder = (await sim.ask('POST', `/drives/${drive}/root/children`, { body: { name: 'Below', folder: {} } })).json['id'] as string;
    expect((await sim.get(`/drives/${drive}/items/${folder}/delta`)).status).toBe(400);
  });

  it('downloads the bytes whose hashes it lists', async () => {
    const sim = start('contoso');
    const drive = await firstDrive(sim);
    const { entries } = await sim.all(`/drives/${drive}/root/delta`, PREFER);
    const truth = new Map((await sim.truth('drives', drive)).map((line) => [line.id, line]));
    const files = entries.filter((entry) => entry['file'] && downloadOf(entry));
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const { status, bytes } = await sim.get(downloadOf(file));
      expect(status).toBe(200);
      const line = truth.get(file['id'] as string);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(line?.sha256);
      const { quickXorHash: listed } = (file['file'] as JsonObject)['hashes'] as JsonObject;
      expect(listed === quickXorHash(bytes)).toBe(file['name'] !== 'Messwerte.csv');
      expect(bytes.byteLength).toBe(file['size']);
    }
  });

  it('answers content with a redirect, ranges on the target, and 401 when the link is too old', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const item = await put(sim, drive, 'a.txt', 'hello world');
    const { status, headers } = await sim.get(`/drives/${drive}/items/${item['id'] as string}/content`);
    expect(status).toBe(302);
    const link = headers['Location'] ?? '';
    expect(new URL(link).host).toBe('tiny-my.sharepoint.com');
    const part = await sim.get(link, { range: 'bytes=6-' });
    expect([part.status, part.bytes.toString(), part.headers['Content-Range']]).toEqual([206, 'world', 'bytes 6-10/11']);
    expect((await sim.get(link, { range: 'bytes=11-' })).status).toBe(416);
    expect((await sim.get(link, { 'if-match': '"other"' })).status).toBe(412);
    expect((await sim.get(link, { 'if-match': part.headers['ETag'] ?? '' })).status).toBe(200);
    sim.clock.advance(3601_000);
    expect((await sim.get(link)).status).toBe(401);
  });

  it('finds items by path from the root and from any folder, with and without a final colon', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const folder = await sim.ask('POST', `/drives/${drive}/root/children`, { body: { name: 'Größe & Co', folder: {} } });
    expect(folder.status).toBe(201);
    const id = folder.json['id'] as string;
    await sim.ask('PUT', `/drives/${drive}/items/${id}:/b%20c.txt:/content`, { body: Buffer.from('x') });
    const path = encodeURI('Größe & Co/b c.txt');
    for (const address of [`root:/${path}`, `root:/${path}:`, `items/${id}:/b%20c.txt`, `items/${id}:/b%20c.txt:`]) {
      const found = await sim.get(`/drives/${drive}/${address}`);
      expect([address, found.status, found.json['name']]).toEqual([address, 200, 'b c.txt']);
    }
    expect((await sim.get(`/drives/${drive}/root:/nothing`)).json['error']).toMatchObject({ code: 'itemNotFound' });
    const children = await sim.all(`/drives/${drive}/items/${id}/children?$top=1000`);
    expect(children.entries.map((entry) => entry['name'])).toEqual(['b c.txt']);
  });
});

describe('delta tokens', () => {
  it('that are too old lead to a fresh enumeration by the address in Location', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const { deltaLink } = await sim.all(`/drives/${drive}/root/delta`);
    sim.effects.add('expireDelta');
    const expired = await sim.get(deltaLink ?? '');
    sim.effects.clear();
    expect([expired.status, expired.json['error']]).toMatchObject([410, { code: 'resyncRequired' }]);
    const fresh = await sim.all(expired.headers['Location'] ?? '');
    expect(fresh.entries.length).toBe((await sim.truth('drives', drive)).length + 1);
  });

  it('take a time stamp or the word latest as a place to begin', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    await put(sim, drive, 'before.txt', 'x');
    sim.clock.advance(60_000);
    const since = new Date(sim.clock.nowMs()).toISOString();
    const { deltaLink } = await sim.all(`/drives/${drive}/root/delta?token=latest`);
    await put(sim, drive, 'after.txt', 'x');
    for (const address of [deltaLink ?? '', `/drives/${drive}/root/delta?token=${since}`]) {
      expect((await sim.all(address)).entries.map((entry) => entry['name'])).toEqual(['after.txt']);
    }
  });

  it('hold for the drive and the preferences that they were made with', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const { deltaLink } = await sim.all(`/drives/${drive}/root/delta`);
    expect((await sim.get(deltaLink ?? '', PREFER)).status).toBe(400);
    const other = (deltaLink ?? '').replace(drive, placesOf(sim.tenant).libraries[0]?.driveId ?? '');
    expect((await sim.get(other)).status).toBe(400);
  });
});

describe('oddities of the seed', () => {
  it('are there once each: notebook, malware, lock, empty file, shortcut, stale hash, deep path', async () => {
    const sim = start('contoso');
    const drive = await firstDrive(sim);
    const { entries } = await sim.all(`/drives/${drive}/root/delta`);
    const named = (name: string): JsonObject => entries.find((entry) => entry['name'] === name) ?? {};
    const content = (item: JsonObject): string => `/drives/${drive}/items/${item['id'] as string}/content`;
    expect(named('Notizbuch Projekt')['package']).toEqual({ type: 'oneNote' });
    expect((await sim.get(content(named('Notizbuch Projekt')))).status).toBe(404);
    const virus = await sim.get(content(named('Testvirus.com')));
    expect([virus.json['error'], virus.headers['X-Virus-Infected']]).toMatchObject([{ code: 'malwareDetected' }, 'true']);
    expect((await sim.get(content(named('In Bearbeitung.docx')))).status).toBe(423);
    expect((await sim.get(downloadOf(named('leer.txt')))).bytes.byteLength).toBe(0);
    expect(named('Intranet – Dokumente')['remoteItem']).toBeDefined();
    const truth = await sim.truth('drives', drive);
    expect(truth.find((line) => line.path.endsWith('ganz unten.txt'))?.path.split('/')).toHaveLength(41);
  });
});

describe('changing items', () => {
  it('moves eTag with every change and cTag with content alone, and honours If-Match', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const item = await put(sim, drive, 'a.txt', 'one');
    const address = `/drives/${drive}/items/${item['id'] as string}`;
    const renamed = await sim.ask('PATCH', address, {
      body: { name: 'b.txt', fileSystemInfo: { createdDateTime: '2001-02-03T04:05:06Z' } },
    });
    expect(renamed.json['fileSystemInfo']).toMatchObject({ createdDateTime: '2001-02-03T04:05:06Z' });
    expect(renamed.json['eTag']).not.toBe(item['eTag']);
    expect(renamed.json['cTag']).toBe(item['cTag']);
    const stale = await sim.ask('PATCH', address, { body: { name: 'c.txt' }, headers: { 'if-match': item['eTag'] as string } });
    expect([stale.status, stale.json['error']]).toMatchObject([412, { code: 'resourceModified' }]);
    const written = await put(sim, drive, 'b.txt', 'two');
    expect(written['id']).toBe(item['id']);
    expect(written['cTag']).not.toBe(item['cTag']);
  });

  it('shows renames, moves and deletions in the next delta, the last state alone', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const first = await sim.all(`/drives/${drive}/root/delta`);
    const folder = (await sim.ask('POST', `/drives/${drive}/root/children`, { body: { name: 'New', folder: {} } })).json;
    const seeded = first.entries.find((entry) => entry['file']) ?? {};
    await sim.ask('PATCH', `/drives/${drive}/items/${seeded['id'] as string}`, { body: { parentReference: { id: folder['id'] } } });
    await sim.ask('PATCH', `/drives/${drive}/items/${seeded['id'] as string}`, { body: { name: 'moved.bin' } });
    const gone = await put(sim, drive, 'gone.txt', 'x');
    expect((await sim.ask('DELETE', `/drives/${drive}/items/${gone['id'] as string}`)).status).toBe(204);
    const { entries } = await sim.all(first.deltaLink ?? '');
    expect(entries.map((entry) => entry['name'] ?? entry['deleted'])).toEqual(['New', 'moved.bin', { state: 'deleted' }]);
    const again = await sim.all(`/drives/${drive}/root/delta`);
    const names = again.entries.map((entry) => entry['name']);
    expect(names.indexOf('New')).toBeLessThan(names.indexOf('moved.bin'));
  });

  it('counts what is in a folder through every change', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const { entries } = await sim.all(`/drives/${drive}/root/delta`);
    const files = entries.filter((entry) => entry['file']);
    const folder = (await sim.ask('POST', `/drives/${drive}/root/children`, { body: { name: 'Box', folder: {} } })).json['id'] as string;
    for (const file of files.slice(0, 3))
      await sim.ask('PATCH', `/drives/${drive}/items/${file['id'] as string}`, { body: { parentReference: { id: folder } } });
    await sim.ask('DELETE', `/drives/${drive}/items/${files[0]?.['id'] as string}`);
    for (const entry of (await sim.all(`/drives/${drive}/root/delta`)).entries.filter((item) => item['folder'])) {
      const children = await sim.all(`/drives/${drive}/items/${entry['id'] as string}/children`);
      expect((entry['folder'] as JsonObject)['childCount']).toBe(children.entries.length);
    }
  });

  it('costs the same at the end of a large drive as at its beginning', async () => {
    simulator = createInProcess({
      workloads,
      recipe: { ...recipeNamed('tiny'), drives: { filesPerUser: 300_000, foldersPerUser: 30, medianBytes: 20_000, largestBytes: 90_000 } },
    });
    const drive = placesOf(simulator.tenant).driveOfUser(simulator.tenant.directory.users()[0]?.id ?? '')?.driveId ?? '';
    const first = await simulator.get(`/drives/${drive}/root/delta?$top=100`);
    expect(listField(first.json, 'value')[0]).toMatchObject({ root: {}, folder: { childCount: expect.any(Number) as number } });
    const last = openDrive(
      simulator.tenant,
      placesOf(simulator.tenant).drive(drive) ?? placesOf(simulator.tenant).libraries[0] ?? never(),
    ).feed.at(300_000);
    expect(
      (await simulator.get(`/drives/${drive}/items/${last?.parentId ?? ''}:/${encodeURIComponent(last?.name ?? '')}`)).json['id'],
    ).toBe(last?.id);
  });

  it('refuses a name that is taken, a name SharePoint does not take, and a folder in itself', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const children = `/drives/${drive}/root/children`;
    const outer = (await sim.ask('POST', children, { body: { name: 'Outer', folder: {} } })).json['id'] as string;
    const inner = (await sim.ask('POST', `/drives/${drive}/items/${outer}/children`, { body: { name: 'Inner', folder: {} } })).json['id'];
    const taken = await sim.ask('POST', children, { body: { name: 'outer', folder: {} } });
    expect([taken.status, taken.json['error']]).toMatchObject([409, { code: 'nameAlreadyExists' }]);
    const other = await sim.ask('POST', children, { body: { name: 'outer', folder: {}, '@microsoft.graph.conflictBehavior': 'rename' } });
    expect(other.json['name']).toBe('outer 1');
    for (const name of ['a:b', ' a', '~$a', 'CON']) {
      expect((await sim.ask('POST', children, { body: { name, folder: {} } })).status).toBe(400);
    }
    expect((await sim.ask('PATCH', `/drives/${drive}/items/${outer}`, { body: { parentReference: { id: inner as string } } })).status).toBe(
      400,
    );
  });

  it('keeps versions newest first, each with its own bytes, the current one by /content alone', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    for (const text of ['one', 'two', 'three']) await put(sim, drive, 'v.txt', text);
    const id = (await sim.get(`/drives/${drive}/root:/v.txt`)).json['id'] as string;
    const { entries } = await sim.all(`/drives/${drive}/items/${id}/versions`);
    expect(entries.map((entry) => entry['id'])).toEqual(['3.0', '2.0', '1.0']);
    const { headers } = await sim.get(`/drives/${drive}/items/${id}/versions/2.0/content`);
    expect((await sim.get(headers['Location'] ?? '')).bytes.toString()).toBe('two');
    expect((await sim.get(`/drives/${drive}/items/${id}/versions/3.0/content`)).status).toBe(400);
    expect((await sim.get(`/drives/${drive}/items/${id}/versions/9.0/content`)).status).toBe(404);
  });

  it('deletes a folder with all that is in it', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const before = await sim.all(`/drives/${drive}/root/delta`);
    const folder = before.entries.find((entry) => entry['folder'] && !entry['root']) ?? {};
    await sim.ask('POST', `/drives/${drive}/items/${folder['id'] as string}/permanentDelete`);
    const { entries } = await sim.all(before.deltaLink ?? '');
    expect(entries.every((entry) => entry['deleted'])).toBe(true);
    const left = (await sim.all(`/drives/${drive}/root/delta`)).entries;
    expect(left).toHaveLength(before.entries.length - entries.length);
  });

  it.each(['a|b', ' a', '~$a.docx', 'COM0', 'lpt9', 'Con', 'x_vti_y.txt', 'desktop.ini', '.lock', 'Forms', 'n'.repeat(256)])(
    'refuse the name %s for files and folders',
    async (name) => {
      const sim = start();
      const root = `/drives/${await firstDrive(sim)}/root`;
      expect((await sim.ask('POST', `${root}/children`, { body: { name, folder: {} } })).status).toBe(400);
      expect((await sim.ask('PUT', `${root}:/${encodeURIComponent(name)}:/content`, { body: 'x' })).status).toBe(400);
    },
  );

  it('take the name Forms below the root', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const parent = (await sim.ask('POST', `/drives/${drive}/root/children`, { body: { name: 'Below', folder: {} } })).json['id'] as string;
    const made = await sim.ask('POST', `/drives/${drive}/items/${parent}/children`, { body: { name: 'Forms', folder: {} } });
    expect(made.status).toBe(201);
  });

  it('give an existing folder for one that replaces it, and refuse one that would replace a file', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const make = (name: string) =>
      sim.ask('POST', `/drives/${drive}/root/children`, {
        body: { name, folder: {}, '@microsoft.graph.conflictBehavior': 'replace' },
      });
    const first = await make('Plans');
    const again = await make('plans');
    expect([first.status, again.status, again.json['id']]).toEqual([201, 200, first.json['id']]);
    const file = await put(sim, drive, 'taken', 'kept');
    expect((await make('taken')).status).toBe(409);
    expect((await sim.get(`/drives/${drive}/items/${file['id'] as string}`)).json['file']).toBeDefined();
  });

  it('make the folders of a path that a file is put to', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const first = await sim.ask('PUT', `/drives/${drive}/root:/New/Deep/a.txt:/content`, { body: Buffer.from('one') });
    const second = await sim.ask('PUT', `/drives/${drive}/root:/New/deep/b.txt:/content`, { body: Buffer.from('two') });
    expect([first.status, second.status]).toEqual([201, 201]);
    const { entries } = await sim.all(`/drives/${drive}/root:/New/Deep:/children`);
    expect(entries.map((entry) => entry['name'])).toEqual(['a.txt', 'b.txt']);
    expect((await sim.ask('PUT', `/drives/${drive}/root:/New/Deep/a.txt/c.txt:/content`, { body: 'x' })).status).toBe(400);
  });

  it('copies within the service and says through the monitor what it made', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const item = await put(sim, drive, 'a.txt', 'hello');
    const { status, headers } = await sim.ask('POST', `/drives/${drive}/items/${item['id'] as string}/copy`, {
      body: { name: 'b.txt', parentReference: { driveId: drive, id: 'root' } },
    });
    expect(status).toBe(202);
    const done = await sim.get(headers['Location'] ?? '');
    expect(done.json).toMatchObject({ status: 'completed' });
    const copy = await sim.get(`/drives/${drive}/items/${done.json['resourceId'] as string}`);
    expect((await sim.get(downloadOf(copy.json))).bytes.toString()).toBe('hello');
  });

  it('tells the state after any earlier change', async () => {
    const sim = start();
    const drive = await firstDrive(sim);
    const start0 = await sim.truth('drives', drive);
    await put(sim, drive, 'a.txt', 'one');
    await put(sim, drive, 'a.txt', 'two');
    const seeded = start0.find((line) => line.kind === 'file');
    await sim.ask('DELETE', `/drives/${drive}/items/${seeded?.id ?? ''}`);
    const sort = (lines: readonly { id: string }[]): unknown[] => lines.toSorted((a, b) => a.id.localeCompare(b.id));
    expect(sort(await sim.truth('drives', drive, 0))).toEqual(sort(start0));
    const one = await sim.truth('drives', drive, 1);
    expect(one.find((line) => line.path === 'a.txt')?.sha256).toBe(createHash('sha256').update('one').digest('hex'));
    expect(one).toHaveLength(start0.length + 1);
    expect(await sim.truth('drives', drive, 3)).toEqual(await sim.truth('drives', drive));
  });
});
