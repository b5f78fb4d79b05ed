import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../../settings/config.ts';
import { openMasterKey } from '../../keys/master-key.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';

/** `main.ts worker` as a process of its own, over the same database. */
const testing = testDatabase(import.meta.url);
const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
let server: TestServer;
let owner: SignedIn;
let folder = '';

const common = { HOLDFAST_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') };

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a worker until it says that it is ready and `while` is over, or until it ends by itself. */
async function worker(settings: Record<string, string>, during: () => Promise<void> = () => Promise.resolve()): Promise<Ended> {
  const child = spawn(process.execPath, [main, 'worker'], {
    env: {
      ...common,
      HOLDFAST_DATA_DIR: path.join(folder, 'worker'),
      HOLDFAST_DATABASE_URL: testing.ownerUrl,
      HOLDFAST_DATABASE_APPLICATION_URL: testing.applicationUrl,
      HOLDFAST_DATABASE_POOL: '4',
      HOLDFAST_WORKER_IP: '192.0.2.20',
      HOLDFAST_WORKER_INDEX_IP: '192.0.2.21',
      HOLDFAST_WORKER_NAME: 'Basement',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const ended = once(child, 'close');
  try {
    await vi.waitFor(() => expect(text.includes('"event":"ready"') || child.exitCode !== null).toBe(true), {
      timeout: 60_000,
      interval: 50,
    });
    if (child.exitCode === null) await during();
  } finally {
    if (child.exitCode === null) child.kill('SIGTERM');
  }
  const [code] = (await ended) as [number | null];
  return { code, text };
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-worker-'));
  const settings = { ...common, HOLDFAST_DATA_DIR: path.join(folder, 'api') };
  const masterKey = await openMasterKey(readConfig(settings), testing.database);
  server = await testServer(testing, { masterKey, settings });
  owner = await server.owner();
}, 120_000);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

interface Seen {
  readonly workerId: string;
  readonly name: string;
  readonly ip: string;
  readonly indexIp: string;
  readonly version: string;
  readonly load: number;
  readonly isReachable: boolean;
}

async function workers(): Promise<Seen[]> {
  const answer = await server.send('/apollo/api/workers', { token: owner.tokens.main });
  return ((await answer.json()) as { items: Seen[] }).items;
}

test('a worker process joins with its token once, is seen with addresses, version and load, and comes back after a restart', async () => {
  const made = await server.send('/apollo/api/workers/join-tokens', { method: 'POST', token: owner.tokens.main });
  const { token } = (await made.json()) as { token: string };
  const settings = { HOLDFAST_WORKER_JOIN_TOKEN: token };
  const basement = { name: 'Basement', ip: '192.0.2.20', indexIp: '192.0.2.21', load: 0, isReachable: true };
  const first = await worker(settings, async () => {
    await expect.poll(workers).toMatchObject([basement]);
  });
  expect(first).toMatchObject({ code: 0 });
  const [seen] = await workers();
  expect(seen?.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(first.text).not.toContain(token);
  const kept = path.join(folder, 'worker', 'worker', 'registration.json');
  expect((await stat(kept)).mode & 0o777).toBe(0o600);
  expect(await readFile(kept, 'utf8')).not.toContain(token);

  await testing.asSuperuser("update workers set last_seen_at = now() - interval '1 hour'");
  const again = await worker(settings, async () => {
    await expect.poll(workers).toMatchObject([{ ...basement, workerId: seen?.workerId }]);
  });
  expect(again).toMatchObject({ code: 0 });
}, 120_000);

test('a wrong token ends the worker with a sentence, and so does a version that is too far', async () => {
  const wrong = await worker({ HOLDFAST_DATA_DIR: path.join(folder, 'other'), HOLDFAST_WORKER_JOIN_TOKEN: 'hf_wj_nonsense' });
  expect(wrong.code).toBe(1);
  expect(wrong.text).not.toContain('"event":"ready"');
  await testing.asSuperuser("update served_versions set version = '9.0.0'");
  const skewed = await worker({});
  expect(skewed.code).toBe(1);
  expect(skewed.text).toContain('It takes no work');
}, 120_000);
