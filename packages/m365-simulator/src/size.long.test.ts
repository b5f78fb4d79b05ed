import { afterEach, describe, expect, it } from 'vitest';
import { type SimulatorProcess, startProcess } from '../testing/simulator-process.ts';

const LIMIT_MEGABYTES = 300;
const FRAGMENT_BYTES = 327_680 * 180;
const running: SimulatorProcess[] = [];

async function start(...args: readonly string[]): Promise<SimulatorProcess> {
  const simulator = await startProcess(['--limits', 'off', ...args]);
  running.push(simulator);
  return simulator;
}

afterEach(async () => {
  for (const simulator of running.splice(0)) await simulator.stop();
});

function say(text: string): void {
  process.stdout.write(`simulator: ${text}\n`);
}

function idsOf(json: Record<string, unknown>): string[] {
  return (json['value'] as { readonly id: string }[]).map(({ id }) => id);
}

const asJson = { 'content-type': 'application/json' };

/** Uploads a file of two fragments through a session. */
async function upload(simulator: SimulatorProcess, driveId: string, name: string, fragment: Buffer): Promise<void> {
  const opened = await simulator.send('POST', `/drives/${driveId}/root:/${name}:/createUploadSession`, { headers: asJson, body: '{}' });
  const total = 2 * fragment.byteLength;
  for (const from of [0, fragment.byteLength]) {
    const headers = { 'content-range': `bytes ${from}-${from + fragment.byteLength - 1}/${total}` };
    const answer = await simulator.send('PUT', String(opened.json['uploadUrl']), { headers, body: fragment });
    expect(answer.status).toBe(from === 0 ? 202 : 201);
  }
}

describe('a simulator in a process of its own', () => {
  it('has a thousand mailboxes of a thousand messages in less than 300 MB', async () => {
    const simulator = await start('--recipe', 'contoso', '--users', '1000', '--messages-per-user', '1000');
    const users = idsOf((await simulator.send('GET', '/users?$top=999&$select=id')).json);
    expect(users.length).toBeGreaterThan(900);
    for (const user of users.slice(0, 100))
      expect(idsOf((await simulator.send('GET', `/users/${user}/mailFolders/inbox/messages?$top=100`)).json).length).toBeGreaterThan(50);
    const megabytes = await simulator.residentMegabytes();
    say(`1,000 mailboxes of 1,000 messages: ready after ${simulator.readyMs.toFixed(0)} ms, ${megabytes.toFixed(0)} MB`);
    expect(megabytes).toBeLessThan(LIMIT_MEGABYTES);
  });

  it('takes in gigabytes and stays below 300 MB', async () => {
    const simulator = await start('--recipe', 'tiny');
    const [user = ''] = idsOf((await simulator.send('GET', '/users?$select=id')).json);
    const driveId = String((await simulator.send('GET', `/users/${user}/drive`)).json['id']);
    const fragment = Buffer.alloc(FRAGMENT_BYTES, 'holdfast');
    const mime = Buffer.from(`From: a@example.com\r\nSubject: s\r\n\r\n${'word '.repeat(150_000)}`).toString('base64');
    const body = JSON.stringify({ subject: 'JSON', body: { contentType: 'html', content: `<p>${'word '.repeat(6_000)}</p>` } });
    let peak = 0;
    for (let round = 0; round < 20; round += 1) {
      await upload(simulator, driveId, `large ${round}.bin`.replaceAll(' ', '%20'), fragment);
      const folder = `/users/${user}/mailFolders/inbox/messages`;
      for (let count = 0; count < 25; count += 1) {
        expect((await simulator.send('POST', folder, { headers: { 'content-type': 'text/plain' }, body: mime })).status).toBe(201);
      }
      for (let count = 0; count < 500; count += 1)
        expect((await simulator.send('POST', folder, { headers: asJson, body })).status).toBe(201);
      peak = Math.max(peak, await simulator.residentMegabytes());
    }
    say(`20 files of 118 MB, 500 messages of 750 KB and 10,000 of 30 KB taken in: at most ${peak.toFixed(0)} MB`);
    expect(peak).toBeLessThan(LIMIT_MEGABYTES);
  });

  it('lists a million messages by delta in memory that does not grow', async () => {
    const simulator = await start('--recipe', 'million');
    const prefer = { prefer: 'odata.maxpagesize=500' };
    const users = idsOf((await simulator.send('GET', '/users?$top=999&$select=id')).json);
    const megabytes: number[] = [];
    let entries = 0;
    for (const user of users) {
      for (const folder of idsOf((await simulator.send('GET', `/users/${user}/mailFolders/delta?$select=id`)).json)) {
        let next: unknown = `/users/${user}/mailFolders/${folder}/messages/delta?$select=isRead`;
        while (typeof next === 'string') {
          const { json } = await simulator.send('GET', next, { headers: prefer });
          entries += (json['value'] as unknown[]).length;
          next = json['@odata.nextLink'];
        }
      }
      megabytes.push(await simulator.residentMegabytes());
    }
    const half = Math.floor(megabytes.length / 2);
    const [before, after] = [Math.max(...megabytes.slice(0, half)), Math.max(...megabytes.slice(half))];
    say(`${entries} messages by delta: at most ${before.toFixed(0)} MB in the first half, ${after.toFixed(0)} MB in the second`);
    expect(entries).toBe(1_000_000);
    expect(after).toBeLessThan(LIMIT_MEGABYTES);
    expect(after).toBeLessThan(before + 40);
  });
});
