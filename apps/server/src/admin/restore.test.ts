import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { driveOfTruth } from '@holdfast/engine/testing/compare-drive';
import { mailOfTruth } from '@holdfast/engine/testing/compare-mail';
import { createRig } from '@holdfast/engine/testing/rig';
import { unzip } from '@holdfast/engine/testing/unzip';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { silentLogger } from '@holdfast/foundation/logger';
import { createFilesystemBlobStore } from '@holdfast/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../settings/config.ts';
import { restore } from './restore.ts';

let base = '';
/** SHA-256 of what the service had when it was backed up. */
let messages: readonly string[] = [];
let files: readonly string[] = [];
let mailboxId = '';
let committedAt = '';

const inBase = (...names: string[]): string => path.join(base, ...names);

/** A mailbox and a OneDrive of the same person, in a vault that nobody knows anything about afterwards. */
beforeAll(async () => {
  base = mkdtempSync(path.join(os.tmpdir(), 'holdfast-restore-'));
  writeFileSync(inBase('master.key'), Buffer.alloc(32, 7).toString('base64'));
  const rig = await createRig({ store: createFilesystemBlobStore({ root: inBase('vault'), sync: false }) });
  try {
    for await (const { id, userType } of rig.graph.directory.users()) {
      if (userType !== 'Member' || mailboxId !== '') continue;
      const mailbox = rig.resource('mailbox', id, 'Ada: Büro');
      mailboxId = mailbox.id;
      await rig.backup(mailbox);
      await rig.backup(rig.resource('drive', id, 'Ada: Büro'));
      committedAt = (await rig.catalog.points(mailbox.id))[0]?.committedAt ?? '';
      messages = Array.from((await mailOfTruth(rig, id)).values(), ({ sha256 }) => sha256);
      files = [...(await driveOfTruth(rig, id)).values()].flatMap(({ kind, sha256 }) => (kind === 'file' && sha256 ? [sha256] : []));
    }
  } finally {
    await rig.close();
  }
});
afterAll(() => rmSync(base, { recursive: true }));

/** Restores with the vault and the key alone; what it printed. */
async function run(output: string, ...more: readonly (readonly [string, string])[]): Promise<string[]> {
  const printed: string[] = [];
  const context = { config: readConfig({}), logger: silentLogger, print: (line: string) => void printed.push(line) };
  const given = { vault: inBase('vault'), 'key-file': inBase('master.key'), output: inBase(output), ...Object.fromEntries(more) };
  await restore.run(context, given).catch((error: unknown) => printed.push(String(error)));
  return printed;
}

function archives(output: string, kind: string): Map<string, Buffer>[] {
  return readdirSync(inBase(output, kind)).map((name) => unzip(readFileSync(inBase(output, kind, name))));
}

const hashesOf = (archive: ReadonlyMap<string, Buffer> = new Map()): string[] => Array.from(archive.values(), sha256Hex);

test('everything comes back as files, byte for byte', async () => {
  expect((await run('all')).at(-1)).toBe('2 archives written; nothing is missing.');
  expect(readdirSync(inBase('all')).toSorted()).toEqual(['drive', 'mailbox']);
  expect(readdirSync(inBase('all', 'mailbox'))).toEqual([expect.stringMatching(/^Ada_ Büro \d{4}-\d\d-\d\d \d\d\.\d\d\.zip$/u)]);
  expect(hashesOf(archives('all', 'mailbox')[0])).toEqual(expect.arrayContaining([...messages]));
  expect(hashesOf(archives('all', 'drive')[0])).toEqual(expect.arrayContaining([...files]));
  expect(messages.length * files.length).toBeGreaterThan(0);
});

test('earlier versions of files come along when they are asked for', async () => {
  const versionsIn = (output: string) =>
    [...(archives(output, 'drive')[0] ?? new Map()).keys()].filter((name) => name.includes(' versions/'));
  expect(versionsIn('all')).toEqual([]);
  await run('versions', ['versions', 'yes']);
  expect(versionsIn('versions').length).toBeGreaterThan(0);
});

test('one resource, and a moment, can be chosen; what is neither is told', async () => {
  await run('one', ['resource', mailboxId], ['time', committedAt]);
  expect(readdirSync(inBase('one'))).toEqual(['mailbox']);
  const [line] = await run('early', ['resource', mailboxId], ['time', '2001-01-01']);
  expect(line).toBe('left out: mailbox Ada: Büro (no restore point is as old as that)');
  expect((await run('bad', ['time', 'yesterday'])).join()).toContain('--time yesterday is no time');
  expect((await run('bad', ['resource', 'nobody'])).join()).toContain('There is no resource "nobody"');
});

test('what is damaged is named, and everything else is there', async () => {
  const packs = readdirSync(inBase('vault', 'packs'), { recursive: true, encoding: 'utf8' }).map((name) => inBase('vault', 'packs', name));
  const [largest = ''] = packs.filter((file) => statSync(file).isFile()).toSorted((a, b) => statSync(b).size - statSync(a).size);
  truncateSync(largest, Math.floor(statSync(largest).size / 2));
  const lines = await run('damaged');
  const damaged = lines.filter((line) => line.startsWith('not restored: ')).length;
  expect(damaged).toBeGreaterThan(0);
  expect(lines.at(-1)).toContain(`${damaged} things could not be read; all others are there.`);
  const whole = [...hashesOf(archives('damaged', 'mailbox')[0]), ...hashesOf(archives('damaged', 'drive')[0])];
  const there = [...messages, ...files].filter((sha256) => whole.includes(sha256)).length;
  expect(there).toBeLessThan(messages.length + files.length);
  expect(there).toBeGreaterThan(0);
});

test('a reader that leaves before the end is no fault', () => {
  const main = path.join(import.meta.dirname, '..', 'main.ts');
  const line = `"${process.execPath}" "${main}" admin vault ls --folder "${inBase('vault')}" --key-file "${inBase('master.key')}" | true`;
  expect(spawnSync('sh', ['-c', line], { encoding: 'utf8', env: {} })).toMatchObject({ status: 0, stderr: '' });
});
