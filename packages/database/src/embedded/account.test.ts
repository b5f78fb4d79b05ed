import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { chooseLauncher } from './account.ts';
import { findBinaries } from './binaries.ts';

let parent: string;
afterEach(() => rm(parent, { recursive: true, force: true }));

async function copyOfPrograms(): Promise<{ postgres: string; initdb: string }> {
  parent = await mkdtemp(path.join(tmpdir(), 'holdfast-account-'));
  const { folder } = await findBinaries();
  await promisify(execFile)('cp', ['-a', path.join(folder, 'native'), parent]);
  await mkdir(path.join(parent, 'data'));
  const bin = path.join(parent, 'native/bin');
  return { postgres: path.join(bin, 'postgres'), initdb: path.join(bin, 'initdb') };
}

async function exitOf(programs: { postgres: string; initdb: string }): Promise<number> {
  const launcher = await chooseLauncher(programs, path.join(parent, 'data'));
  const child = launcher.launch(programs.initdb, ['--show', '--pgdata=/nowhere'], 'ignore');
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}

test.skipIf(process.platform !== 'linux')('programs below a folder that only this user may enter can be run', async () => {
  const programs = await copyOfPrograms();
  await chmod(parent, 0o700);
  expect(await exitOf(programs)).toBe(0);
});

test.skipIf(process.platform !== 'linux')('programs that everybody can reach can be run', async () => {
  const programs = await copyOfPrograms();
  await chmod(parent, 0o755);
  expect(await exitOf(programs)).toBe(0);
});
