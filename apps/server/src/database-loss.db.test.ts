import { queryOnce } from '@holdfast/database/testing/test-database';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serverProcess, type ServerProcess } from './testing/server-process.ts';

/** The embedded PostgreSQL ends under a server that lives on. */
let folder = '';
let dataDir = '';
let server: ServerProcess;
let address = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-loss-'));
  dataDir = path.join(folder, 'data');
  server = serverProcess('all', { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_PORT: '0' });
  address = await server.ready();
}, 60_000);
afterEach(async () => {
  await server.kill();
  try {
    process.kill(await databaseId(), 'SIGKILL');
  } catch {
    // It has ended.
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function databaseId(): Promise<number> {
  return Number((await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]);
}

async function killDatabase(): Promise<void> {
  process.kill(await databaseId(), 'SIGKILL');
}

/** Without this file PostgreSQL does not start. */
async function spoilDatabase(): Promise<void> {
  await rm(path.join(dataDir, 'postgres/global/pg_control'));
}

async function readiness(): Promise<number> {
  return (await fetch(`${address}/readyz`)).status;
}

test('a database that is killed is started again, and the log, /readyz and /metrics tell it', async () => {
  expect(await readiness()).toBe(200);
  await killDatabase();
  await vi.waitFor(() => expect(server.said()).toContain('"event":"database-ended"'), { timeout: 20_000, interval: 20 });
  await vi.waitFor(() => expect(server.said()).toContain('"event":"database-restarted"'), { timeout: 30_000, interval: 20 });
  await vi.waitFor(async () => expect(await readiness()).toBe(200), { timeout: 30_000, interval: 50 });
  expect(await (await fetch(`${address}/metrics`)).text()).toMatch(/^holdfast_database_restarts 1$/m);
  server.signal('SIGTERM');
  expect(await server.ended).toBe(0);
}, 120_000);

test('a database that cannot be started again ends the process with a code of its own', async () => {
  await spoilDatabase();
  await killDatabase();
  expect(await server.ended).toBe(3);
  expect(server.said()).toContain('"event":"database-lost"');
}, 120_000);

test('asked to stop while the database is gone, the process ends', async () => {
  await spoilDatabase();
  await killDatabase();
  await vi.waitFor(async () => expect(await readiness()).toBe(503), { timeout: 20_000, interval: 20 });
  server.signal('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(server.said()).toContain('"msg":"stopped"');
}, 120_000);

/** As the administrator of the embedded server. */
async function sql(text: string): Promise<void> {
  const { administrator } = JSON.parse(await readFile(path.join(dataDir, 'secrets/postgres.json'), 'utf8')) as { administrator: string };
  const port = (await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[3];
  await queryOnce(`postgres://holdfast_administrator:${administrator}@127.0.0.1:${port}/postgres`, text);
}

async function signIn(): Promise<{ status: number; code: string }> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'Not-the-Password-1!' });
  const answer = await fetch(`${address}/apollo/login`, { method: 'POST', headers, body });
  return { status: answer.status, code: ((await answer.json()) as { code: string }).code };
}

test('a database that takes no changes is not ready and says come back later, until it takes them again', async () => {
  const reconnect = `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'holdfast'`;
  await sql('alter database holdfast set default_transaction_read_only = on');
  await sql(reconnect);
  await vi.waitFor(async () => expect(await readiness()).toBe(503), { timeout: 20_000, interval: 50 });
  expect(await signIn()).toEqual({ status: 503, code: 'service.unavailable' });
  await sql('alter database holdfast reset default_transaction_read_only');
  await sql(reconnect);
  await vi.waitFor(async () => expect(await readiness()).toBe(200), { timeout: 20_000, interval: 50 });
}, 120_000);

test('a database that hangs is not ready, and /readyz answers all the same', async () => {
  const server = await databaseId();
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(server)]);
  const all = [server, ...stdout.trim().split('\n').map(Number)];
  for (const id of all) process.kill(id, 'SIGSTOP');
  try {
    expect(await readiness()).toBe(503);
    expect(await signIn()).toEqual({ status: 503, code: 'service.unavailable' });
  } finally {
    for (const id of all) process.kill(id, 'SIGCONT');
  }
  await vi.waitFor(async () => expect(await readiness()).toBe(200), { timeout: 60_000, interval: 100 });
}, 120_000);
