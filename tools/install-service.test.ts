import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { unitFor } from './install-service.ts';
import { root } from './run.ts';

const ANALYZE = '/usr/bin/systemd-analyze';
const hasSystemd = existsSync(ANALYZE);
const template = await readFile(path.join(root, 'deploy/systemd/holdfast.service'), 'utf8');

/** The unit of this checkout in a folder of its own, under a user that every machine has. */
async function unitFile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-unit-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'holdfast.service');
  await writeFile(file, unitFor(template, { program: root, node: process.execPath }).replace('User=holdfast', 'User=daemon'));
  return file;
}

test('the unit names this checkout and the pinned Node, and nothing is left to fill in', () => {
  const unit = unitFor(template, { program: '/opt/hold fast/100%', node: '/opt/hold fast/bin/node' });
  expect(unit).toContain('ExecStart="/opt/hold fast/bin/node" "/opt/hold fast/100%%/apps/server/src/main.ts" all');
  expect(unit).toContain('WorkingDirectory=/opt/hold fast/100%%\n');
  expect(unit).not.toMatch(/@[A-Z]+@/);
  expect(existsSync(path.join(root, 'apps/server/src/main.ts'))).toBe(true);
});

test('the unit is hardened, keeps its data, and gives up on wrong settings only', () => {
  const lines = new Set(template.split('\n'));
  const wanted = [
    'User=holdfast',
    'StateDirectory=holdfast',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'CapabilityBoundingSet=',
    'SystemCallFilter=@system-service',
    'Restart=always',
    'RestartPreventExitStatus=2',
  ];
  expect(wanted.filter((line) => !lines.has(line))).toEqual([]);
  // Node compiles while it runs.
  expect(template).not.toContain('MemoryDenyWriteExecute');
});

test.skipIf(!hasSystemd)('systemd accepts the unit and calls its exposure low (skipped without systemd-analyze)', async () => {
  const file = await unitFile();
  const verified = spawnSync(ANALYZE, ['verify', '--man=no', file], { encoding: 'utf8' });
  const own = verified.stderr.split('\n').filter((line) => line.includes('holdfast'));
  expect([verified.status, own]).toEqual([0, []]);
  const security = spawnSync(ANALYZE, ['security', '--offline=true', '--threshold=30', '--no-pager', file], { encoding: 'utf8' });
  expect([security.status, /exposure level.*: [\d.]+ \w+/.exec(security.stdout)?.[0]]).toEqual([
    0,
    expect.stringMatching(/: [0-2]\.\d OK$/),
  ]);
});
