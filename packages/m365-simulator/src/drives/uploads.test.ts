import { afterEach, describe, expect, it } from 'vitest';
import { directoryWorkload } from '../directory/directory-workload.ts';
import type { JsonObject } from '../values/json.ts';
import { type Answer, createInProcess, type InProcess } from '../testing/in-process.ts';
import { drivesWorkload } from './drives-workload.ts';
import { officeFile } from './office-file.ts';
import { quickXorHash } from './quick-xor-hash.ts';
import { randomBytesOf } from './random-bytes.ts';
import { placesOf } from '../places/places.ts';

const STEP = 327_680;
let simulator: InProcess | undefined;

function start(): InProcess {
  simulator = createInProcess({ workloads: [directoryWorkload, drivesWorkload], recipe: 'tiny' });
  return simulator;
}

afterEach(() => simulator?.requireValid());

function driveIn(sim: InProcess, type: 'business' | 'documentLibrary' = 'business'): string {
  return placesOf(sim.tenant).libraries.find((library) => library.driveType === type)?.driveId ?? '';
}

function someBytes(sizeBytes: number): Buffer {
  return Buffer.concat([...randomBytesOf(7, 0, sizeBytes)]);
}

async function open(sim: InProcess, name = 'big.bin', body: JsonObject = {}): Promise<Answer> {
  const address = `/drives/${driveIn(sim)}/items/root:/${name}:/createUploadSession`;
  return sim.ask('POST', address, { body: { item: { '@microsoft.graph.conflictBehavior': 'fail', ...body } } });
}

function fragment(sim: InProcess, url: string, data: Buffer, [from, to]: readonly [number, number]): Promise<Answer> {
  const headers = { 'content-range': `bytes ${from}-${to - 1}/${data.byteLength}` };
  return sim.ask('PUT', url, { body: data.subarray(from, to), headers });
}

function code(answer: Answer): unknown {
  const error = answer.json['error'] as JsonObject;
  return (error['innerError'] as JsonObject)['code'] ?? error['code'];
}

describe('upload sessions', () => {
  it('take fragments in order and make the file of them', async () => {
    const sim = start();
    const data = someBytes(2 * STEP + 1000);
    const session = await open(sim, 'big.bin', { fileSystemInfo: { lastModifiedDateTime: '2019-05-06T07:08:09Z' } });
    const url = session.json['uploadUrl'] as string;
    expect(session.json['nextExpectedRanges']).toEqual(['0-']);
    expect((await fragment(sim, url, data, [0, STEP])).json['nextExpectedRanges']).toEqual([`${STEP}-`]);
    expect((await fragment(sim, url, data, [STEP, 2 * STEP])).status).toBe(202);
    expect((await sim.get(url)).json['nextExpectedRanges']).toEqual([`${2 * STEP}-`]);
    const done = await fragment(sim, url, data, [2 * STEP, data.byteLength]);
    expect(done.status).toBe(201);
    expect(done.json).toMatchObject({ size: data.byteLength, fileSystemInfo: { lastModifiedDateTime: '2019-05-06T07:08:09Z' } });
    expect((done.json['file'] as JsonObject)['hashes']).toEqual({ quickXorHash: quickXorHash(data) });
    expect((await sim.get(url)).status).toBe(404);
  });

  it.each([
    ['again', [0, STEP], 416, 'fragmentOverlap'],
    ['too early', [2 * STEP, 3 * STEP], 416, 'fragmentOutOfOrder'],
    ['of a wrong size', [STEP, STEP + 1000], 400, 'invalidRequest'],
  ] as const)('refuse a fragment %s', async (_case, range, status, expected) => {
    const sim = start();
    const data = someBytes(4 * STEP);
    const url = (await open(sim)).json['uploadUrl'] as string;
    await fragment(sim, url, data, [0, STEP]);
    const refused = await fragment(sim, url, data, range);
    expect([refused.status, code(refused)]).toEqual([status, expected]);
  });

  it('refuse a body that is not as long as it says, and go on afterwards', async () => {
    const sim = start();
    const url = (await open(sim)).json['uploadUrl'] as string;
    const refused = await sim.ask('PUT', url, { body: Buffer.from('abc'), headers: { 'content-range': 'bytes 0-9/10' } });
    expect([refused.status, code(refused)]).toEqual([400, 'fragmentLengthMismatch']);
    expect((await fragment(sim, url, Buffer.from('0123456789'), [0, 10])).status).toBe(201);
  });

  it('are one on a path until they end or expire', async () => {
    const sim = start();
    const url = (await open(sim)).json['uploadUrl'] as string;
    expect((await open(sim)).status).toBe(409);
    expect((await sim.ask('DELETE', url)).status).toBe(204);
    const second = (await open(sim)).json['uploadUrl'] as string;
    sim.clock.advance(86_400_001);
    expect((await sim.get(second)).status).toBe(404);
    expect((await open(sim)).status).toBe(200);
  });

  it('obey the stated behaviour where the name is taken, and the switch where none is stated', async () => {
    const sim = start();
    const data = Buffer.from('two');
    await sim.ask('PUT', `/drives/${driveIn(sim)}/root:/a.txt:/content`, { body: Buffer.from('one') });
    expect((await open(sim, 'a.txt')).status).toBe(409);
    const renamed = (await open(sim, 'a.txt', { '@microsoft.graph.conflictBehavior': 'rename' })).json['uploadUrl'] as string;
    expect((await fragment(sim, renamed, data, [0, 3])).json['name']).toBe('a 1.txt');
    const address = `/drives/${driveIn(sim)}/root:/a.txt:/createUploadSession`;
    const silent = (await sim.ask('POST', address)).json['uploadUrl'] as string;
    expect((await fragment(sim, silent, data, [0, 3])).status).toBe(200);
    sim.set({ uploadConflictDefault: 'fail' });
    expect((await sim.ask('POST', address)).status).toBe(409);
  });

  it('replace in place as a new version, and wait for the commit when it is deferred', async () => {
    const sim = start();
    const drive = driveIn(sim);
    const item = (await sim.ask('PUT', `/drives/${drive}/root:/a.txt:/content`, { body: Buffer.from('one') })).json;
    const session = await sim.ask('POST', `/drives/${drive}/items/${item['id'] as string}/createUploadSession`, {
      body: { deferCommit: true },
    });
    const url = session.json['uploadUrl'] as string;
    expect((await sim.ask('POST', url)).status).toBe(400);
    expect(await fragment(sim, url, Buffer.from('two'), [0, 3])).toMatchObject({ status: 202, json: { nextExpectedRanges: [] } });
    expect((await sim.get(`/drives/${drive}/items/${item['id'] as string}`)).json['eTag']).toBe(item['eTag']);
    const done = await sim.ask('POST', url);
    expect([done.status, done.json['id'], done.json['size']]).toEqual([200, item['id'], 3]);
    expect((await sim.all(`/drives/${drive}/items/${item['id'] as string}/versions`)).entries).toHaveLength(2);
  });

  it('answer 507 to the first fragment when the drive is full', async () => {
    const sim = start();
    sim.effects.add('quota');
    const url = (await open(sim, 'a.bin')).json['uploadUrl'] as string;
    const refused = await fragment(sim, url, Buffer.from('0123456789'), [0, 10]);
    expect([refused.status, code(refused)]).toEqual([507, 'quotaLimitReached']);
  });

  it('take no size in advance, for that is of personal OneDrive alone', async () => {
    const sim = start();
    const refused = await open(sim, 'a.bin', { fileSize: 10 });
    expect([refused.status, code(refused)]).toEqual([400, 'invalidRequest']);
  });

  it('make the folders of the path', async () => {
    const sim = start();
    const address = `/drives/${driveIn(sim)}/root:/New/big.bin:/createUploadSession`;
    const url = (await sim.ask('POST', address)).json['uploadUrl'] as string;
    const done = await fragment(sim, url, Buffer.from('0123456789'), [0, 10]);
    expect([done.status, (done.json['parentReference'] as JsonObject)['name']]).toEqual([201, 'New']);
  });
});

describe('Office files', () => {
  it('are rewritten on upload to a library when the switch is on, and only there', async () => {
    const sim = start();
    sim.set({ rewriteOffice: true });
    const file = officeFile('plan', 'docx', 9000);
    for (const [type, isRewritten] of [
      ['documentLibrary', true],
      ['business', false],
    ] as const) {
      const { json } = await sim.ask('PUT', `/drives/${driveIn(sim, type)}/root:/plan.docx:/content`, { body: file });
      expect(json['size'] !== file.byteLength).toBe(isRewritten);
      const stored = (await sim.get(json['@microsoft.graph.downloadUrl'] as string)).bytes;
      expect((json['file'] as JsonObject)['hashes']).toEqual({ quickXorHash: quickXorHash(stored) });
    }
  });
});

describe('sharing', () => {
  async function aFile(sim: InProcess): Promise<string> {
    const { json } = await sim.ask('PUT', `/drives/${driveIn(sim)}/root:/a.txt:/content`, { body: Buffer.from('one') });
    return `/drives/${driveIn(sim)}/items/${json['id'] as string}`;
  }

  it('sends no mail unless asked to', async () => {
    const sim = start();
    const address = await aFile(sim);
    const email = sim.tenant.directory.users()[1]?.mail ?? '';
    const grant = { recipients: [{ email }], roles: ['read'], requireSignIn: true, retainInheritedPermissions: true };
    const given = await sim.ask('POST', `${address}/invite`, { body: { ...grant, sendInvitation: false } });
    expect(given.json['value']).toMatchObject([{ roles: ['read'], grantedToV2: { user: { email } } }]);
    expect(sim.tenant.outbox.list()).toEqual([]);
    await sim.ask('POST', `${address}/invite`, { body: { ...grant, sendInvitation: true } });
    expect(sim.tenant.outbox.list()).toMatchObject([{ kind: 'sharingMail', recipient: email }]);
    const { entries } = await sim.all(`${address}/permissions`);
    expect(entries.map((entry) => entry['roles'])).toEqual([['read'], ['owner']]);
  });

  it('marks what delta shows because of sharing, when it is asked for', async () => {
    const sim = start();
    const address = await aFile(sim);
    const prefer = { prefer: 'deltashowsharingchanges' };
    const { deltaLink } = await sim.all(`/drives/${driveIn(sim)}/root/delta?token=latest`, prefer);
    await sim.ask('POST', `${address}/createLink`, { body: { type: 'view', scope: 'organization' } });
    const { entries } = await sim.all(deltaLink ?? '', prefer);
    expect(entries).toMatchObject([{ name: 'a.txt', '@microsoft.graph.sharedChanged': 'True', shared: { scope: 'organization' } }]);
  });

  it('shows below a shared folder too, unless it is asked for where it is given alone', async () => {
    const sim = start();
    const drive = driveIn(sim);
    const folder = (await sim.ask('POST', `/drives/${drive}/root/children`, { body: { name: 'Shared', folder: {} } })).json['id'] as string;
    await sim.ask('POST', `/drives/${drive}/items/${folder}/createLink`, { body: { type: 'view', scope: 'organization' } });
    const file = `/drives/${drive}/items/${folder}:/a.txt`;
    await sim.ask('PUT', `${file}:/content`, { body: Buffer.from('x') });
    expect((await sim.get(file)).json['shared']).toEqual({ scope: 'organization' });
    expect((await sim.get(file, { prefer: 'hierarchicalsharing' })).json).not.toHaveProperty('shared');
    const id = (await sim.get(file)).json['id'] as string;
    const { entries } = await sim.all(`/drives/${drive}/items/${id}/permissions`);
    expect(entries.map((entry) => entry['roles'])).toEqual([['read'], ['owner']]);
  });

  it('gives an existing link again', async () => {
    const sim = start();
    const address = await aFile(sim);
    const link = { type: 'edit', scope: 'organization', sendNotification: false };
    const first = await sim.ask('POST', `${address}/createLink`, { body: link });
    const second = await sim.ask('POST', `${address}/createLink`, { body: link });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.json).toEqual(first.json);
  });

  it('refuses recipients that nobody knows', async () => {
    const sim = start();
    const refused = await sim.ask('POST', `${await aFile(sim)}/invite`, {
      body: { recipients: [{ objectId: 'nobody' }], roles: ['read'] },
    });
    expect([refused.status, code(refused)]).toEqual([400, 'noResolvedUsers']);
  });
});
