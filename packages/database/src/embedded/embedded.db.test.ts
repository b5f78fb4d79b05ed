import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { forgetfulSettings } from '../../testing/forgetful-settings.ts';
import { openDatabase } from '../access/database.ts';
import { startEmbedded, type EmbeddedPostgres } from './server.ts';

let parent: string;
let dataFolder: string;
let running: EmbeddedPostgres | undefined;

beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), 'holdfast-embedded-'));
  dataFolder = path.join(parent, 'data');
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await rm(parent, { recursive: true, force: true });
});

async function start(as: 'keeper' | 'guest' = 'keeper', patienceMs = 0): Promise<EmbeddedPostgres> {
  return startEmbedded({ dataFolder, logger: silentLogger, as, patienceMs, settings: forgetfulSettings });
}

async function ask(url: string, sql: string): Promise<Record<string, unknown> | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows[0];
  } finally {
    await client.end();
  }
}

test('starts in a folder that only this user can enter, as somebody who is not root', async () => {
  await chmod(parent, 0o700);
  running = await start();
  expect(await ask(running.ownerUrl, 'select current_user as me')).toEqual({ me: 'holdfast_owner' });
  const cluster = await stat(path.join(dataFolder, 'postgres'));
  expect(cluster.uid).not.toBe(0);
});

test('the application may become holdfast_application and nothing more', async () => {
  running = await start();
  expect(
    await ask(
      running.applicationUrl,
      `select pg_has_role('holdfast_owner', 'set') as owner, pg_has_role('holdfast_application', 'set') as application`,
    ),
  ).toEqual({
    owner: false,
    application: true,
  });
  await expect(ask(running.applicationUrl, 'create table t (id int)')).rejects.toMatchObject({ code: '42501' });
});

test('keeps what was written over a restart, and its passwords in a file for this user alone', async () => {
  running = await start();
  await ask(running.ownerUrl, 'create table kept as select 42 as answer');
  await running.stop();
  running = await start();
  expect(await ask(running.ownerUrl, 'select answer from kept')).toEqual({ answer: 42 });
  expect((await stat(path.join(dataFolder, 'secrets/postgres.json'))).mode & 0o777).toBe(0o600);
});

test('adopts the server that a killed process left behind', async () => {
  const script = fileURLToPath(new URL('../../testing/start-and-die.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, dataFolder]).catch((error: { stdout: string }) => error);
  const left = Number(stdout.trim());
  expect(left).toBeGreaterThan(0);
  running = await start();
  expect(running.processId).toBe(left);
});

test.skipIf(process.platform === 'win32')('what a killed process still asked for ends with its connection', async () => {
  running = await start();
  const { administratorUrl } = running;
  const client = new pg.Client({ connectionString: administratorUrl });
  client.on('error', () => undefined);
  await client.connect();
  client.query('select pg_sleep(600)').catch(() => undefined);
  const asking = `select count(*)::int as asking from pg_stat_activity where query = 'select pg_sleep(600)'`;
  await vi.waitFor(async () => expect(await ask(administratorUrl, asking)).toEqual({ asking: 1 }), { timeout: 10_000, interval: 50 });
  // As the kernel does with the connections of a process that is killed.
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  await vi.waitFor(async () => expect(await ask(administratorUrl, asking)).toEqual({ asking: 0 }), { timeout: 30_000, interval: 100 });
});

test('removes the lock of a server that is gone', async () => {
  running = await start();
  const lock = path.join(dataFolder, 'postgres/postmaster.pid');
  const text = await readFile(lock, 'utf8');
  await running.stop();
  await writeFile(lock, text.replace(/^\d+/, String(process.pid)));
  running = await start();
  expect(await ask(running.ownerUrl, 'select 1 as one')).toEqual({ one: 1 });
});

test('a second keeper is refused, a guest uses the server and leaves it running', async () => {
  running = await start();
  await expect(start()).rejects.toMatchObject({ code: 'database.did-not-start' });
  const guest = await start('guest');
  expect(guest.processId).toBe(running.processId);
  await guest.stop();
  expect(await ask(running.ownerUrl, 'select 1 as one')).toEqual({ one: 1 });
});

test('a keeper that comes while the last one ends waits for it and starts the server anew', async () => {
  const first = await start();
  const second = start('keeper', 30_000);
  // The second asks for the claim again and again by now; the first ends under it.
  await systemClock.sleep(300);
  await first.stop();
  running = await second;
  expect(running.processId).not.toBe(first.processId);
  expect(await ask(running.ownerUrl, 'select 1 as one')).toEqual({ one: 1 });
});

async function answersAgain(url: string): Promise<void> {
  await vi.waitFor(async () => expect(await ask(url, 'select 1 as one')).toEqual({ one: 1 }), { timeout: 30_000, interval: 50 });
}

test('a server that is killed is started again at the same address, as often as it takes', async () => {
  running = await start();
  for (let turn = 0; turn < 2; turn += 1) {
    const killed = running.processId;
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(() => expect(running?.processId).not.toBe(killed), { timeout: 30_000, interval: 20 });
    await answersAgain(running.applicationUrl);
  }
  const last = running.processId;
  await running.stop();
  running = undefined;
  // Its number stays taken until this process has heard of its end.
  await vi.waitFor(() => expect(() => process.kill(last, 0)).toThrow('ESRCH'), { timeout: 10_000, interval: 20 });
});

/** Keeps a killed server from starting again while something else happens. */
async function whileDown(work: () => Promise<void>): Promise<void> {
  const control = path.join(dataFolder, 'postgres/global/pg_control');
  const killed = running?.processId ?? 0;
  await rename(control, `${control}.away`);
  process.kill(killed, 'SIGKILL');
  const log = path.join(dataFolder, 'postgres.log');
  await vi.waitFor(async () => expect(await readFile(log, 'utf8')).toContain('could not find the database system'), {
    timeout: 30_000,
  });
  await work();
  await rename(`${control}.away`, control);
  await vi.waitFor(() => expect(running?.processId).not.toBe(killed), { timeout: 30_000, interval: 20 });
}

test('a server whose first start fails is started again at the same address', async () => {
  running = await start();
  const address = running.applicationUrl;
  await whileDown(() => Promise.resolve());
  expect(running.applicationUrl).toBe(address);
  await answersAgain(address);
});

test('a server whose port another program took meanwhile runs at another one, and connections follow it there', async () => {
  const embedded = (running = await start());
  const database = openDatabase({ url: () => embedded.applicationUrl, role: 'holdfast_client', logger: silentLogger });
  onTestFinished(() => database.close());
  await database.ping();
  let reconnects = 0;
  database.listen(
    'any',
    () => undefined,
    () => (reconnects += 1),
  );
  const { port } = new URL(embedded.applicationUrl);
  const other = createServer((socket) => socket.destroy());
  onTestFinished(() => void other.close());
  const taken = (): Promise<void> =>
    new Promise((resolve, reject) => other.once('error', reject).listen({ port: Number(port), host: '127.0.0.1' }, resolve));
  // Each try of the server to start asks for the port, too.
  await whileDown(() => vi.waitFor(taken, { timeout: 30_000, interval: 5 }));
  expect(new URL(embedded.applicationUrl).port).not.toBe(port);
  await vi.waitFor(() => database.ping(), { timeout: 30_000, interval: 50 });
  await vi.waitFor(() => expect(reconnects).toBe(1), { timeout: 30_000, interval: 50 });
});

test.skipIf(process.platform !== 'linux')('a server is started again although a process of the killed one goes on', async () => {
  running = await start();
  const client = new pg.Client({ connectionString: running.administratorUrl });
  client.on('error', () => undefined);
  onTestFinished(() => client.end().catch(() => undefined));
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const left = rows[0]?.pid ?? 0;
  // As one that a machine under load gives no time.
  process.kill(left, 'SIGSTOP');
  onTestFinished(() => {
    try {
      process.kill(left, 'SIGKILL');
    } catch {
      // It was ended, as it has to be.
    }
  });
  const killed = running.processId;
  process.kill(killed, 'SIGKILL');
  await vi.waitFor(() => expect(running?.processId).not.toBe(killed), { timeout: 30_000, interval: 20 });
  await answersAgain(running.applicationUrl);
  await vi.waitFor(() => expect(() => process.kill(left, 0)).toThrow('ESRCH'), { timeout: 30_000 });
});

test('a server that dropped all connections stays claimed: a console command does not stop it', async () => {
  running = await start();
  const { administratorUrl } = running;
  const claims = `select pid from pg_locks where locktype = 'advisory' and granted`;
  const before = await ask(administratorUrl, claims);
  process.kill(Number(before?.['pid']), 'SIGKILL');
  const claimedAgain = async (): Promise<void> => {
    const after = await ask(administratorUrl, claims);
    expect(after).toBeDefined();
    expect(after).not.toEqual(before);
  };
  await vi.waitFor(claimedAgain, { timeout: 30_000, interval: 50 });
  await (await start('guest')).stop();
  expect(await ask(administratorUrl, 'select 1 as one')).toEqual({ one: 1 });
});

test('says that it is lost when it cannot be started again', async () => {
  running = await start();
  await rm(path.join(dataFolder, 'postgres/global/pg_control'));
  process.kill(running.processId, 'SIGKILL');
  expect(await running.lost).toMatchObject({ code: 'database.did-not-start' });
}, 60_000);

test('stops while it waits for a server that does not start', async () => {
  running = await start();
  await rm(path.join(dataFolder, 'postgres/global/pg_control'));
  process.kill(running.processId, 'SIGKILL');
  await systemClock.sleep(300);
  await running.stop();
  running = undefined;
});

test('a folder of a newer version is refused and nothing in it is touched', async () => {
  await mkdir(dataFolder);
  await writeFile(path.join(dataFolder, 'version.json'), JSON.stringify({ layout: 1, schema: 9_999 }));
  await expect(start()).rejects.toMatchObject({ code: 'database.data-directory-newer' });
  expect(await readdir(dataFolder)).toEqual(['version.json']);
});

test('a set-up that was cut off is begun again', async () => {
  await mkdir(path.join(dataFolder, 'postgres.unfinished'), { recursive: true });
  await cp(fileURLToPath(import.meta.url), path.join(dataFolder, 'postgres.unfinished/PG_VERSION'));
  running = await start();
  expect(await readdir(dataFolder)).not.toContain('postgres.unfinished');
});
