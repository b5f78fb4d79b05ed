import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { serverProcess, type ServerProcess } from '../testing/server-process.ts';

/** A server with a PostgreSQL of its own, asked for more than it can answer while that PostgreSQL crashes. */
const owner = { email: 'owner@example.com', password: 'Sturdy-Heron-Wanders-47' };
const ASKING = 80;
const REQUESTS = 3_000;
let folder = '';
let server: ServerProcess;
let address = '';
let token = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-overload-'));
  server = serverProcess('all', {
    HOLDFAST_DATA_DIR: folder,
    HOLDFAST_PORT: '0',
    HOLDFAST_IDENTITY_PROFILE: 'conformance',
    HOLDFAST_OWNER_EMAIL: owner.email,
    HOLDFAST_OWNER_PASSWORD: owner.password,
    HOLDFAST_DATABASE_POOL: '4',
  });
  address = await server.ready();
  const answer = await fetch(`${address}/apollo/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(owner),
  });
  token = ((await answer.json()) as { accessToken: string }).accessToken;
});
afterAll(async () => {
  server.signal('SIGTERM');
  await server.ended;
  await rm(folder, { recursive: true, force: true });
});

interface Got {
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly text: string;
}

async function ask(): Promise<Got> {
  const answer = await fetch(`${address}/apollo/api/Tenants`, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, hasRetryAfter: answer.headers.has('retry-after'), text: await answer.text() };
}

/** Kills one of the processes that serve our connections: PostgreSQL then drops all of them and starts over. */
async function crashDatabase(): Promise<void> {
  const postmaster = (await readFile(path.join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0] ?? '';
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')).trim().split(' ');
  for (const child of children) {
    const name = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (!name.includes('holdfast_client')) continue;
    process.kill(Number(child), 'SIGKILL');
    return;
  }
  throw new Error('No process serves our connections.');
}

test.skipIf(process.platform !== 'linux')(
  'more requests than it can answer, and a database that crashes meanwhile, are 200 or 503 with Retry-After, and it comes back by itself',
  async () => {
    const got: Got[] = [];
    let asked = 0;
    const one = async (): Promise<void> => {
      while (asked < REQUESTS) {
        asked += 1;
        if (asked === REQUESTS / 3) await crashDatabase();
        got.push(await ask());
      }
    };
    await Promise.all(Array.from({ length: ASKING }, one));
    const others = got.filter(({ status, hasRetryAfter }) => status !== 200 && !(hasRetryAfter && (status === 503 || status === 429)));
    const told = server
      .said()
      .split('\n')
      .filter((line) => line.includes('"level":50'));
    expect(others, told.slice(0, 3).join('\n')).toEqual([]);
    expect(new Set(got.filter(({ status }) => status === 200).map(({ text }) => text))).toEqual(new Set(['{"items":[]}']));
    expect(got.some(({ status }) => status === 503)).toBe(true);
    await vi.waitFor(async () => expect((await ask()).status).toBe(200), { timeout: 30_000, interval: 100 });
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  },
);
