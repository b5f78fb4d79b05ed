import { spawnSync } from 'node:child_process';
import { createHash, verify } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { silentLogger } from '@holdfast/foundation/logger';
import { Secret } from '@holdfast/foundation/secrets';
import { createS3BlobStore } from '@holdfast/vault';
import { startSmallObjectStore } from '@holdfast/vault/testing/small-object-store';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '../settings/config.ts';
import { runCommand } from './run-command.ts';

/** A vault of a released format, and the key it was written with: what is left on a dark day. */
const FIXTURE = path.join(import.meta.dirname, '..', '..', '..', '..', 'packages', 'vault', 'fixtures', 'v1');
const RESOURCE = 'mailbox-1';
const { states } = JSON.parse(readFileSync(path.join(FIXTURE, 'expected.json'), 'utf8')) as {
  readonly states: readonly Readonly<Record<string, string>>[];
};

let base = '';
let vault: readonly string[] = [];

const inBase = (...names: string[]): string => path.join(base, ...names);

beforeAll(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'holdfast-admin-'));
  cpSync(path.join(FIXTURE, 'vault'), inBase('vault'), { recursive: true });
  writeFileSync(inBase('master.key'), Buffer.alloc(32, 7).toString('base64'));
  vault = ['--folder', inBase('vault'), '--key-file', inBase('master.key')];
});
afterAll(() => rmSync(base, { recursive: true }));

/** Runs a line of the console; what it printed. */
async function admin(...args: readonly string[]): Promise<string[]> {
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    expect(await runCommand(readConfig({}), silentLogger, ['vault', ...args])).toBe(0);
    return print.mock.calls.map((call) => String(call[0]));
  } finally {
    print.mockRestore();
  }
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** A copy of the vault whose largest pack is cut short. */
function aDamagedCopy(name: string): { options: readonly string[]; pack: string } {
  cpSync(inBase('vault'), inBase(name), { recursive: true });
  const packs = readdirSync(inBase(name, 'packs'), { recursive: true, encoding: 'utf8' }).filter((file) => file.includes(path.sep));
  const bySize = packs.map((pack) => ({ pack, size: statSync(inBase(name, 'packs', pack)).size })).toSorted((a, b) => b.size - a.size);
  const [{ pack, size } = { pack: '', size: 0 }] = bySize;
  truncateSync(inBase(name, 'packs', pack), Math.floor(size / 2));
  return { options: ['--folder', inBase(name), '--key-file', inBase('master.key')], pack: `packs/${pack.replaceAll(path.sep, '/')}` };
}

test('info, as a process of its own with folder and key alone, says what lies in the vault', () => {
  const main = path.join(import.meta.dirname, '..', 'main.ts');
  const done = spawnSync(process.execPath, [main, 'admin', 'vault', 'info', ...vault], { encoding: 'utf8', env: {} });
  expect(done.stderr).toBe('');
  expect(done.status).toBe(0);
  expect(done.stdout).toContain('formatVersion: 1');
  expect(done.stdout).toContain(`resource ${RESOURCE}: ${states.length} commits`);
});

test('a key that does not fit, a folder without a vault and an option that is none are told by code', async () => {
  writeFileSync(inBase('other.key'), Buffer.alloc(32, 8).toString('base64'));
  await expect(admin('info', '--folder', inBase('vault'), '--key-file', inBase('other.key'))).rejects.toMatchObject({
    code: 'vault.wrong-key',
  });
  await expect(admin('info', '--folder', inBase('nothing'), '--key-file', inBase('master.key'))).rejects.toMatchObject({
    code: 'vault.not-found',
  });
  await expect(admin('info', ...vault, '--loudly', 'yes')).rejects.toMatchObject({ code: 'admin.bad-option' });
});

test('ls lists the resources, and the items of one at any commit', async () => {
  const resources = await admin('ls', ...vault);
  expect(new Set(resources.map((line) => line.split('\t')[0]))).toEqual(new Set(['mailbox-1', 'many']));
  for (const [at, state] of states.entries()) {
    const items = await admin('ls', ...vault, '--resource', RESOURCE, '--sequence', String(at + 1));
    expect(items).toHaveLength(Object.keys(state).length);
    expect(new Set(items.map((line) => line.split('\t')[0]))).toEqual(new Set(Object.keys(state)));
  }
});

test('a vault in a bucket is found below its prefix, with a slash at the end and without', async () => {
  const objects = await startSmallObjectStore();
  onTestFinished(() => objects.close());
  const { endpoint } = objects;
  const place = { endpoint, region: 'us-east-1', bucket: 'vaults', accessKeyId: 'key', secretAccessKey: new Secret('secret') };
  const store = createS3BlobStore({ ...place, prefix: 'v' });
  for (const name of readdirSync(inBase('vault'), { recursive: true, encoding: 'utf8' }))
    if (statSync(inBase('vault', name)).isFile()) await store.put(name.replaceAll(path.sep, '/'), [readFileSync(inBase('vault', name))]);
  await store.close();
  writeFileSync(inBase('secret'), 'secret');
  const bucket = ['--bucket', 'vaults', '--endpoint', endpoint, '--access-key-id', 'key', '--secret-file', inBase('secret')];
  const listed = await admin('ls', ...vault);
  for (const prefix of ['v', 'v/', '/v/'])
    expect(await admin('ls', ...bucket, '--prefix', prefix, '--key-file', inBase('master.key')), prefix).toEqual(listed);
});

test('cat writes one content, and never over a file that is there', async () => {
  const item = ['--resource', RESOURCE, '--item', 'file-2', '--output', inBase('file-2')];
  await admin('cat', ...vault, ...item);
  expect(sha256(inBase('file-2'))).toBe(states.at(-1)?.['file-2']);
  await expect(admin('cat', ...vault, ...item)).rejects.toMatchObject({ code: 'EEXIST' });
});

test('an export can be checked with the vault and this program out of reach', async () => {
  await admin('export', ...vault, '--resource', RESOURCE, '--output', inBase('out'));
  const statement = readFileSync(inBase('out', 'statement.txt'));
  expect(verify(null, statement, readFileSync(inBase('out', 'vault.pem')), readFileSync(inBase('out', 'statement.sig')))).toBe(true);
  expect(statement.toString()).toContain(`\nSHA256SUMS: ${sha256(inBase('out', 'SHA256SUMS'))}\n`);
  const sums = readFileSync(inBase('out', 'SHA256SUMS'), 'utf8').trimEnd().split('\n');
  for (const line of sums) {
    const [hash = '', file = ''] = line.split('  ');
    expect(sha256(inBase('out', file))).toBe(hash);
  }
  const items = JSON.parse(readFileSync(inBase('out', 'items.json'), 'utf8')) as { itemId: string; files: { data: string } }[];
  expect(Object.fromEntries(items.map(({ itemId, files }) => [itemId, files.data.slice('content/'.length)]))).toEqual(states.at(-1));
  expect(new Set(sums.map((line) => line.split('  ')[1]))).toEqual(new Set(['items.json', ...items.map(({ files }) => files.data)]));
});

test('an export of a damaged vault holds what can be read, and names the rest', async () => {
  const { options } = aDamagedCopy('holed');
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const line = ['vault', 'export', ...options, '--resource', RESOURCE, '--output', inBase('rest')];
  await expect(runCommand(readConfig({}), silentLogger, line)).rejects.toMatchObject({ code: 'vault.damaged' });
  const missing = print.mock.calls.map((call) => String(call[0])).filter((text) => text.startsWith('not exported: '));
  print.mockRestore();
  const items = JSON.parse(readFileSync(inBase('rest', 'items.json'), 'utf8')) as { itemId: string; files: { data?: string } }[];
  const lost = items.filter(({ files }) => files.data === undefined).map(({ itemId }) => itemId);
  expect(missing.map((text) => text.split(' ')[2])).toEqual(lost);
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.length).toBeLessThan(items.length);
  const kept = items.flatMap(({ itemId, files: { data } }) => (data === undefined ? [] : [{ itemId, hash: sha256(inBase('rest', data)) }]));
  expect(kept).toEqual(kept.map(({ itemId }) => ({ itemId, hash: states.at(-1)?.[itemId] })));
  expect(readdirSync(inBase('rest', 'content'))).toHaveLength(new Set(items.flatMap(({ files }) => files.data ?? [])).size);
});

test('verify says that the vault is whole, or names what is damaged and what that costs', async () => {
  expect((await admin('verify', ...vault)).at(-1)).toMatch(/^What is there is whole/);
  const { options, pack } = aDamagedCopy('damaged');
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await expect(runCommand(readConfig({}), silentLogger, ['vault', 'verify', ...options])).rejects.toMatchObject({ code: 'vault.damaged' });
  const lines = print.mock.calls.map((call) => String(call[0]));
  print.mockRestore();
  expect(lines[0]).toContain(`${pack}: `);
  expect(lines.some((line) => line.startsWith("can't be read: "))).toBe(true);
});

test('verify misses with a witness what is gone altogether, and says without one what it does not know', async () => {
  await admin('witness', ...vault, '--output', inBase('witness.json'));
  await expect(admin('witness', ...vault, '--output', inBase('witness.json'))).rejects.toMatchObject({ code: 'EEXIST' });
  const withWitness = ['--witness', inBase('witness.json')];
  const whole = await admin('verify', ...vault, ...withWitness);
  expect(whole.at(-1)).toMatch(/^What is there is whole: 2 journals.* is missing\.$/);
  expect(whole[0]).toMatch(/^Whether a document or the newest evidence is missing, only /);
  cpSync(inBase('vault'), inBase('emptied'), { recursive: true });
  for (const name of ['packs', 'journal', 'evidence']) rmSync(inBase('emptied', name), { recursive: true, force: true });
  const emptied = ['--folder', inBase('emptied'), '--key-file', inBase('master.key')];
  const told = await admin('verify', ...emptied);
  expect(told[0]).toMatch(/^Without --witness nobody can tell whether whole journals are missing/);
  expect(told[1]).toBe(whole[0]);
  expect(told.at(-1)).toMatch(/^What is there is whole: 0 journals, 0 commits, 0 packs/);
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const line = ['vault', 'verify', ...emptied, ...withWitness];
  await expect(runCommand(readConfig({}), silentLogger, line)).rejects.toMatchObject({ code: 'vault.damaged' });
  const missing = print.mock.calls.map((call) => String(call[0])).filter((text) => text.includes('The journal is missing'));
  print.mockRestore();
  expect(missing).toHaveLength(2);
  writeFileSync(inBase('none.json'), '{"vaultId":"x"}');
  await expect(admin('verify', ...vault, '--witness', inBase('none.json'))).rejects.toMatchObject({ code: 'admin.bad-option' });
});

test('repair makes a damaged vault whole from a second copy of it', async () => {
  const { options } = aDamagedCopy('broken');
  expect((await admin('repair', ...options, '--copy-folder', inBase('vault'))).at(-1)).toBe('The vault is whole.');
  expect((await admin('verify', ...options)).at(-1)).toMatch(/^What is there is whole/);
});

test('copy takes what is missing there, and nothing the second time', async () => {
  await admin('copy', ...vault, '--to-folder', inBase('copied'));
  const [again] = await admin('copy', ...vault, '--to-folder', inBase('copied'));
  // The two headers go along each time: they may have been replaced here.
  expect(again).toMatch(/^copied 2 objects/);
  const copied = ['--folder', inBase('copied'), '--key-file', inBase('master.key')];
  expect((await admin('verify', ...copied)).at(-1)).toMatch(/^What is there is whole/);
});

test('prune refuses while holds are unknown, and lets the newest point of each resource stay', async () => {
  cpSync(inBase('vault'), inBase('pruned'), { recursive: true });
  const pruned = ['--folder', inBase('pruned'), '--key-file', inBase('master.key')];
  await expect(admin('prune', ...pruned, '--keep-days', '1')).rejects.toMatchObject({ code: 'admin.holds-unknown' });
  await expect(admin('prune', ...pruned, '--keep-days', '0', '--no-holds', 'yes')).rejects.toMatchObject({ code: 'admin.bad-option' });
  expect((await admin('prune', ...pruned, '--keep-days', '1', '--no-holds', 'yes')).at(-1)).toMatch(/^marked \d+ packs, swept 0 /);
  const items = await admin('ls', ...pruned, '--resource', RESOURCE);
  expect(items).toHaveLength(Object.keys(states.at(-1) ?? {}).length);
  expect((await admin('verify', ...pruned)).at(-1)).toMatch(/^What is there is whole/);
});

test('prune counts the age of points from the newest commit, for the clock of this machine may be ahead', async () => {
  cpSync(inBase('vault'), inBase('kept'), { recursive: true });
  const kept = ['--folder', inBase('kept'), '--key-file', inBase('master.key')];
  // Every point of this vault was made within an hour, long before today.
  await admin('prune', ...kept, '--keep-days', '1', '--no-holds', 'yes');
  const listed = (await admin('ls', ...kept)).join('\n');
  expect(Date.now() - Date.parse(/\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(listed)?.[0] ?? '')).toBeGreaterThan(86_400_000);
  const folder = readdirSync(inBase('kept'), { encoding: 'utf8' });
  expect(folder).not.toContain('retention');
});
