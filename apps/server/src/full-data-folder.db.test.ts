import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fillDisk, mayMount } from './testing/disks.ts';
import { endProcess } from './testing/processes.ts';
import { serverProcess, type ServerProcess } from './testing/server-process.ts';

/** The embedded PostgreSQL on a disk that becomes full under the running product. */
describe.skipIf(!mayMount)(`a data folder on a disk of its own${mayMount ? '' : ' (this user may not mount)'}`, () => {
  const owner = { email: 'owner@example.com', password: 'Correct-Horse-1!' };
  let disk = '';
  let server: ServerProcess;
  let address = '';

  beforeAll(async () => {
    disk = await mkdtemp(path.join(tmpdir(), 'holdfast-full-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=320m,mode=755', 'tmpfs', disk]);
    server = serverProcess('all', {
      HOLDFAST_DATA_DIR: path.join(disk, 'data'),
      HOLDFAST_PORT: '0',
      HOLDFAST_OWNER_EMAIL: owner.email,
      HOLDFAST_OWNER_PASSWORD: owner.password,
      HOLDFAST_OWNER_ORGANISATION: 'Contoso',
    });
    address = await server.ready();
  }, 90_000);
  afterAll(async () => {
    await server.kill();
    // A server that never started has no database.
    const [databaseId] = await readFile(path.join(disk, 'data/postgres/postmaster.pid'), 'utf8').then(
      (text) => text.split('\n'),
      () => [],
    );
    if (databaseId !== undefined) endProcess(Number(databaseId), 'SIGQUIT');
    execFileSync('umount', ['-l', disk]);
    await rm(disk, { recursive: true });
  });

  async function signIn(email: string, password: string): Promise<{ status: number; code?: string }> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${address}/apollo/login`, { method: 'POST', headers, body: JSON.stringify({ email, password }) });
    const { code } = (await answer.json()) as { code?: string };
    return { status: answer.status, ...(code === undefined ? {} : { code }) };
  }

  test('requests say come back later, and everything works again once there is space', async () => {
    expect(await signIn(owner.email, owner.password)).toMatchObject({ status: 200 });
    const ballast = await fillDisk(disk);
    // A page of a table may still have had space; each address is a row more.
    const statuses = new Set<number>();
    for (let turn = 0; turn < 400 && !statuses.has(503); turn += 1) statuses.add((await signIn(`${turn}@example.com`, 'Wrong-1!')).status);
    expect(await signIn('later@example.com', 'Wrong-1!')).toEqual({ status: 503, code: 'service.unavailable' });
    expect(statuses).not.toContain(500);
    await vi.waitFor(() => expect(server.said()).toContain('No space left on device'), { timeout: 30_000 });
    await rm(ballast);
    await vi.waitFor(async () => expect(await signIn(owner.email, owner.password)).toMatchObject({ status: 200 }), { timeout: 30_000 });
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(server.said()).not.toContain('"event":"database-lost"');
  }, 120_000);
});
