import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createRig } from '@holdfast/engine/testing/rig';
import { unzip } from '@holdfast/engine/testing/unzip';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { silentLogger } from '@holdfast/foundation/logger';
import { createFilesystemBlobStore } from '@holdfast/vault';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../settings/config.ts';
import { fillDisk, mayMount } from '../testing/disks.ts';
import { INCOMPLETE } from './command.ts';
import { restore } from './restore.ts';

/** The urgent restore onto a disk that is full, or that nobody may write to. */
describe.skipIf(!mayMount)(`an output on a disk of its own${mayMount ? '' : ' (this user may not mount)'}`, () => {
  let base = '';
  let disk = '';
  let whole: ReadonlySet<string> = new Set();

  beforeAll(async () => {
    base = mkdtempSync(path.join(os.tmpdir(), 'holdfast-bad-disk-'));
    writeFileSync(path.join(base, 'master.key'), Buffer.alloc(32, 7).toString('base64'));
    const rig = await createRig({ store: createFilesystemBlobStore({ root: path.join(base, 'vault'), sync: false }) });
    const [person] = (await Array.fromAsync(rig.graph.directory.users())).filter(({ userType }) => userType === 'Member');
    for (const kind of ['mailbox', 'drive'] as const) await rig.backup(rig.resource(kind, person?.id ?? '', 'Ada'));
    await rig.close();
    whole = (await restored(path.join(base, 'elsewhere'))).contents;
    disk = path.join(base, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]);
  }, 120_000);
  afterAll(() => {
    execFileSync('umount', ['-l', disk]);
    rmSync(base, { recursive: true });
  });

  function filesIn(folder: string): string[] {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(path.join(folder, name)).isFile());
  }

  async function restored(output: string) {
    const lines: string[] = [];
    const context = { config: readConfig({}), logger: silentLogger, print: (line: string) => void lines.push(line) };
    const given = { vault: path.join(base, 'vault'), 'key-file': path.join(base, 'master.key'), output };
    const code = await restore.run(context, given);
    const archives = filesIn(output).map((name) => unzip(readFileSync(path.join(output, name))));
    return { code, lines, contents: new Set(archives.flatMap((archive) => Array.from(archive.values(), sha256Hex))) };
  }

  test('a full one is named for each archive that it has no room for, keeps no half of one, and with room everything comes', async () => {
    const output = path.join(disk, 'out');
    mkdirSync(output);
    const ballast = await fillDisk(disk);
    const { code, lines } = await restored(output);
    expect(code).toBe(INCOMPLETE);
    expect(lines.filter((line) => /^not restored: (?:mailbox|drive) Ada \(.*(?:full|ENOSPC)/.test(line))).toHaveLength(2);
    expect(filesIn(output)).toEqual([]);
    await rm(ballast);
    const again = await restored(output);
    expect(again).toMatchObject({ code: 0, contents: whole });
  });

  test('one that is full in the middle keeps no half of an archive', async () => {
    const output = path.join(disk, 'half');
    mkdirSync(output);
    const ballast = await fillDisk(disk);
    const sizes = filesIn(path.join(base, 'elsewhere')).map((name) => statSync(path.join(base, 'elsewhere', name)).size);
    const { size } = statSync(ballast);
    // Room for the lists of what there is, and for half of the smallest archive.
    const room = Math.min(...sizes) >> 1;
    truncateSync(ballast, size - room);
    const { code } = await restored(output);
    expect(code).toBe(INCOMPLETE);
    expect(filesIn(output)).toEqual([]);
    await rm(ballast);
  });

  test('one that nobody may write to is told at once, by its name', async () => {
    // A stream that failed closes its file a moment later.
    await vi.waitFor(() => execFileSync('mount', ['-o', 'remount,ro', disk], { stdio: 'pipe' }), { timeout: 10_000 });
    await expect(restored(path.join(disk, 'new'))).rejects.toMatchObject({
      code: 'admin.output-unusable',
      message: expect.stringContaining(`Nothing can be written to ${path.join(disk, 'new')}`),
    });
    execFileSync('mount', ['-o', 'remount,rw', disk]);
  });
});
