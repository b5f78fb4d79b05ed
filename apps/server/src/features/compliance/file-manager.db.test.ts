import type { compliance } from '@holdfast/contract/compliance';
import type { Preview } from '@holdfast/contract/content';
import type { ResponseOf } from '@holdfast/contract/route';
import type { DrawnPage } from '@holdfast/contract/values';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { createHttpsClient } from '@holdfast/m365-simulator/testing/https-client';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulatedServer, type SimulatedServer } from '../../testing/simulated-server.ts';
import { act, connectSimulated, everyone, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import type { TestServer } from '../../testing/test-server.ts';
import { aPdf } from '../documents/testing/pdf.ts';
import { scanTenant } from './testing/scan-tenant.ts';
import { trueContents } from './testing/true-files.ts';

/** What the file manager shows of files that somebody put into a OneDrive, and that were really backed up. */
const testing = testDatabase(import.meta.url);
let running: SimulatedServer;
let server: TestServer;
let owner: Awaited<ReturnType<TestServer['owner']>>;
let tenant: SimulatedTenant;
let site = { sourceId: '', locationId: '' };
const keys = new Map<string, string>();

type Answer<Name extends keyof typeof compliance> = ResponseOf<(typeof compliance)[Name]>;
const read = <Name extends keyof typeof compliance>(_name: Name, to: string): Promise<Answer<Name>> =>
  tenant.call<Answer<Name>>(`${tenant.tenantId}/data-management/${to}`);
const keyOf = (name: string): string => encodeURIComponent(keys.get(name) ?? '');

/** A black picture, one pixel high. */
function aPng(width: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const whole = Buffer.alloc(body.byteLength + 8);
    whole.writeUInt32BE(data.byteLength);
    body.copy(whole, 4);
    whole.writeUInt32BE(crc32(body), body.byteLength + 4);
    return whole;
  };
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const pixels = deflateSync(Buffer.alloc(width + 1));
  const signature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** Puts files into the folder `Kitchen`, which anybody can open, and backs all of it up. */
async function fill(drive: string): Promise<void> {
  const client = await createHttpsClient(running.simulator);
  const put = async (name: string, ...versions: readonly (Buffer | string)[]): Promise<void> => {
    for (const body of versions) {
      const { json } = await client.send('PUT', `/drives/${drive}/root:/Kitchen/${name}:/content`, { body: Buffer.from(body) });
      keys.set(name, `${drive}:${String(json['id'])}`);
      keys.set('Kitchen', `${drive}:${(json['parentReference'] as { readonly id: string }).id}`);
    }
  };
  await put('Plan.png', aPng(3), aPng(7));
  await put('Offer.rtf', String.raw`{\rtf1 The kitchen costs 900 euros.}`, String.raw`{\rtf1 The kitchen costs 950 euros.}`);
  await put('Contract.pdf', aPdf());
  await put('Broken.png', 'This is no picture.');
  client.close();
  act(running.simulator, 'drives.share', { drive, id: keys.get('Kitchen')?.split(':').at(-1), link: 'anonymous' });
  await tenant.finish(await tenant.job({ name: 'OneDrives', type: 'backup', workload: 'onedrive', source: everyone }));
  await scanTenant(tenant);
}

beforeAll(async () => {
  running = await startSimulatedServer(testing);
  ({ server } = running);
  owner = await server.owner();
  tenant = await connectSimulated({ server, owner, simulator: running.simulator, testing, vault: path.join(running.folder, 'vault') });
  const first = (await trueContents(running.simulator)).files.find((file) => file.site.includes('@'));
  if (!first) throw new Error('No OneDrive has a file.');
  await fill(first.drive);
  const { items } = await read('sites', 'sites?limit=200');
  site = items.find(({ url }) => url === first.site) ?? site;
}, 240_000);
afterAll(() => running.close());

/** Opens a file with a reason of its own, and asks for something of it. */
async function opened(name: string, to: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const place = { ...site, nodeId: keys.get(name), reason: 'A new kitchen' };
  const { locationId, sourceId, nodeId, reason } = place;
  const { ticket } = await tenant.call<{ ticket: string }>(`${tenant.tenantId}/content-tickets`, { locationId, sourceId, nodeId, reason });
  const answer = await server.send(`/apollo/api/${tenant.tenantId}/content-tickets/${ticket}${to}`, { token: owner.tokens.main });
  return { status: answer.status, body: await answer.json() };
}
const page = async (name: string, query = ''): Promise<DrawnPage> => (await opened(name, `/pages/1${query}`)).body as DrawnPage;
const refusal = async (name: string, to: string): Promise<readonly [number, string]> => {
  const { status, body } = await opened(name, to);
  return [status, (body as { readonly code: string }).code];
};
const olderLabel = async (name: string): Promise<string> => {
  const { items } = await read('versions', `versions?sourceId=${site.sourceId}&nodeId=${keyOf(name)}`);
  expect(items).toHaveLength(2);
  return items.at(-1)?.label ?? '';
};

test('a picture and a PDF file are shown as pages, each version of them, and what is no picture says so', async () => {
  const newest = await page('Plan.png');
  expect([newest.width, newest.height, newest.pages, Buffer.from(newest.picture, 'base64').toString('latin1', 8, 12)]).toEqual([
    7,
    1,
    1,
    'WEBP',
  ]);
  expect((await page('Plan.png', `?version=${await olderLabel('Plan.png')}`)).width).toBe(3);
  expect(await page('Contract.pdf')).toMatchObject({ width: 1_600, pages: 1 });
  expect(await page('Contract.pdf', '?size=thumbnail')).toMatchObject({ height: 240 });
  expect(await refusal('Broken.png', '/pages/1')).toEqual([422, 'content.not-shown']);
  expect(await refusal('Plan.png', '/pages/2')).toEqual([404, 'not-found']);
  expect(await refusal('Plan.png', '/pages/1?version=77.0')).toEqual([404, 'content.item-unknown']);
});

test('an Office file is shown as text, each version of it', async () => {
  const textOf = async (query = ''): Promise<string | null> => ((await opened('Offer.rtf', query)).body as Preview).text;
  expect(await textOf()).toContain('The kitchen costs 950 euros.');
  expect(await textOf(`?version=${await olderLabel('Offer.rtf')}`)).toContain('The kitchen costs 900 euros.');
  expect(await refusal('Offer.rtf', '?version=77.0')).toEqual([404, 'content.item-unknown']);
});

test('each picture that is shown is in the audit log with the reason that was given', async () => {
  const count = async (): Promise<number> => {
    const rows = await testing.asSuperuser(
      `select count(*)::int as n
       from (select event, payload::text from audit_inbox union all select event, payload from audit_events) as entry (event, payload)
       where event = 'content.opened' and payload like '%A new kitchen%'`,
    );
    return Number(rows[0]?.['n']);
  };
  const before = await count();
  await page('Plan.png', '?size=thumbnail');
  expect(await count()).toBe(before + 1);
});

test('a folder is narrowed to one type of file and to what is shared, and counts what is left', async () => {
  const names = async (query: string): Promise<readonly [readonly string[], number]> => {
    const { items, total } = await read('nodes', `nodes?sourceId=${site.sourceId}${query}`);
    return [items.map((node) => node.name), total];
  };
  const inKitchen = `&nodeId=${keyOf('Kitchen')}`;
  expect(await names(`${inKitchen}&type=picture`)).toEqual([['Broken.png', 'Plan.png'], 2]);
  expect(await names(`${inKitchen}&type=picture&sort=-name&limit=1`)).toEqual([['Plan.png'], 2]);
  expect(await names(`${inKitchen}&type=pdf&deleted=true`)).toEqual([['Contract.pdf'], 1]);
  expect(await names(`${inKitchen}&type=video`)).toEqual([[], 0]);
  expect(await names('&type=picture&search=plan.png')).toEqual([['Plan.png'], 1]);
  expect(await names(`${inKitchen}&audience=anyone`)).toEqual([[], 0]);
  const [shared] = await names('&search=kitchen&audience=anyone');
  expect(shared).toEqual(['Kitchen']);
  expect((await names('&search=kitchen&audience=guest'))[0]).toEqual([]);
});

test('a folder says who can open it, and a file in it that its rights come from there', async () => {
  const grantsOf = async (name: string) => (await read('kept', `kept?sourceId=${site.sourceId}&nodeId=${keyOf(name)}`)).grants;
  const ofFolder = await grantsOf('Kitchen');
  expect(ofFolder.filter(({ link }) => link === 'anonymous')).toEqual([
    { who: [], role: expect.any(String), link: 'anonymous', isInherited: false, expiresAt: null },
  ]);
  expect(ofFolder.some(({ link, who }) => link === null && who.length > 0)).toBe(true);
  const ofFile = await grantsOf('Plan.png');
  const linksOf = (grants: typeof ofFile): string[] =>
    grants.map(({ link }) => link ?? '').toSorted((one, other) => one.localeCompare(other));
  expect(linksOf(ofFile)).toEqual(linksOf(ofFolder));
  expect(ofFile.every(({ isInherited }) => isInherited)).toBe(true);
});
