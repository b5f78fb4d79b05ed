import { testDatabase } from '@holdfast/database/testing/test-database';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serverProcess, type ServerProcess } from './testing/server-process.ts';

/** What an operator meets at the edges of a process: wrong settings, a taken port, a newer folder, signals, a parent that dies. */
const testing = testDatabase(import.meta.url);
let folder = '';
let dataDir = '';
let running: ServerProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-process-'));
  dataDir = path.join(folder, 'data');
});
afterEach(async () => {
  running?.signal('SIGKILL');
  await running?.ended;
  running = undefined;
  await rm(folder, { recursive: true, force: true });
});

function settings(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_PORT: '0',
    HOLDFAST_MASTER_KEY: Buffer.alloc(32, 9).toString('base64'),
    HOLDFAST_DATABASE_URL: testing.ownerUrl,
    HOLDFAST_DATABASE_APPLICATION_URL: testing.applicationUrl,
    HOLDFAST_DATABASE_POOL: '8',
    ...more,
  };
}

function start(more?: Readonly<Record<string, string>>): ServerProcess {
  return (running = serverProcess('all', settings(more)));
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

test('wrong settings are all told at once, with exit code 2, and nothing is touched', async () => {
  const server = start({ HOLDFAST_PORT: 'eighty', HOLDFAST_PROT: '8080', HOLDFAST_LOG_LEVEL: 'loud', HOLDFAST_SMTP_URL: 'mail.example' });
  expect(await server.ended).toBe(2);
  const said = server.said();
  expect(said).toContain('4 problems');
  for (const name of ['HOLDFAST_PORT', 'HOLDFAST_PROT', 'HOLDFAST_LOG_LEVEL', 'HOLDFAST_SMTP_URL']) expect(said).toContain(`- ${name}`);
  expect(said).not.toMatch(/^\s+at /m);
  expect(await readdir(folder)).toEqual([]);
});

test('a start says first that it starts, then what it waits for', async () => {
  const hold = `select pg_advisory_lock(4716220331), set_config('application_name', 'somebody else', false), pg_sleep(600)`;
  const held = testing.asSuperuser(hold).catch(() => undefined);
  const server = start();
  try {
    await vi.waitFor(() => expect(server.said()).toContain('waiting for another process that migrates the database'), {
      timeout: 60_000,
      interval: 50,
    });
  } finally {
    await testing.asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity where query = $1`, [hold]);
    await held;
  }
  await server.ready();
  const lines = server
    .said()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events[0]).toMatchObject({ event: 'starting', roles: ['api', 'worker', 'scheduler'], processId: server.processId });
  expect(events.find(({ holders }) => holders !== undefined)).toMatchObject({ holders: [{ application: 'somebody else' }] });
  const steps = events.flatMap(({ event, step }) => (event === 'start-step' ? [step] : []));
  expect(steps).toEqual(['database', 'migrations', 'master-key', 'queue', 'features', 'http']);
});

test('a port that is taken is told with the setting that changes it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const server = start({ HOLDFAST_PORT: String(port) });
  expect(await server.ended).toBe(1);
  other.close();
  expect(server.said()).toContain(`127.0.0.1:${port} is taken by another program. Set HOLDFAST_PORT`);
});

test('a data directory of a newer version is refused and untouched', async () => {
  await mkdir(dataDir);
  const text = JSON.stringify({ layout: 1, schema: 9_999 });
  await writeFile(path.join(dataDir, 'version.json'), text);
  running = serverProcess('all', { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_PORT: '0' });
  expect(await running.ended).toBe(1);
  expect(running.said()).toMatch(/newer version/i);
  expect(await readdir(dataDir)).toEqual(['version.json']);
  expect(await readFile(path.join(dataDir, 'version.json'), 'utf8')).toBe(text);
});

test('asked to stop it answers what it has begun, lets go of its port and ends with 0', async () => {
  const server = start();
  const address = await server.ready();
  const begun = Promise.all(
    Array.from({ length: 20 }, () => fetch(`${address}/readyz`).then((answer) => answer.text().then(() => answer.status))),
  );
  await expect.poll(async () => (await fetch(`${address}/healthz`)).status).toBe(200);
  server.signal('SIGTERM');
  expect((await begun).every((status) => status === 200 || status === 503)).toBe(true);
  expect(await server.ended).toBe(0);
  expect(server.said()).toContain('"msg":"stopped"');
  await expect(fetch(`${address}/healthz`)).rejects.toThrow('fetch failed');
});

test('a server whose parent is killed stops by itself', async () => {
  const parent = fileURLToPath(new URL('testing/start-and-wait.ts', import.meta.url));
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const child = spawn(process.execPath, [parent, main], {
    env: { PATH: process.env['PATH'] ?? '', ...settings() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  const processId = Number(text.toString());
  expect(isAlive(processId)).toBe(true);
  child.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(processId)).toBe(false), { timeout: 45_000, interval: 100 });
});

test('the master key of a command opens the same installation at each start, and another key or none does not start', async () => {
  const keyFile = path.join(folder, 'key');
  await writeFile(keyFile, Buffer.alloc(32, 8).toString('base64'));
  const withCommand = (command: string) => {
    const { HOLDFAST_MASTER_KEY: _, ...others } = settings({ HOLDFAST_MASTER_KEY_COMMAND: command });
    return (running = serverProcess('api', others));
  };
  await testing.asSuperuser('delete from master_key_proofs');
  for (let start = 0; start < 2; start += 1) {
    const server = withCommand(`/bin/cat ${keyFile}`);
    await server.ready();
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.said()).not.toContain(Buffer.alloc(32, 8).toString('base64'));
  }
  await expect(access(path.join(dataDir, 'master.key'))).rejects.toThrow('ENOENT');
  await writeFile(keyFile, Buffer.alloc(32, 7).toString('base64'));
  const other = withCommand(`/bin/cat ${keyFile}`);
  expect(await other.ended).toBe(1);
  expect(other.said()).toContain('This is not the master key that the stored data was sealed with.');
  const none = withCommand('/bin/false');
  expect(await none.ended).toBe(1);
  expect(none.said()).toContain('/bin/false of HOLDFAST_MASTER_KEY_COMMAND ended with code 1.');
  await testing.asSuperuser('delete from master_key_proofs');
}, 300_000);
