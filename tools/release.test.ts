import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { committedFiles, signingKey, writeRelease } from './release.ts';
import { verifyRelease } from './verify-release.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const publicPem = publicKey.export({ type: 'spki', format: 'pem' });
const longName = `apps/${'a-long-folder/'.repeat(8)}file.ts`;
let folder: string;

async function release(name: string): Promise<string> {
  const files = [
    { name: 'tools/run.sh', source: path.join(folder, 'run.sh'), isExecutable: true },
    { name: longName, source: path.join(folder, 'file'), isExecutable: false },
  ];
  const out = path.join(folder, name);
  await writeRelease(
    { name: 'holdfast-1.2.3', files: name === 'two' ? files.toReversed() : files, seconds: 1_700_000_000, bill: '{}\n', key: privateKey },
    out,
  );
  return out;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-release-'));
  await writeFile(path.join(folder, 'run.sh'), '#!/bin/sh\n');
  await writeFile(path.join(folder, 'file'), 'x'.repeat(1_025));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the same files make the same bytes, which tar unpacks with names, modes and times', async () => {
  const [one, two] = [await release('one'), await release('two')];
  for (const file of ['holdfast-1.2.3.tar.gz', 'holdfast-1.2.3.cdx.json', 'SHA256SUMS', 'SHA256SUMS.sig']) {
    expect([file, (await readFile(path.join(one, file))).equals(await readFile(path.join(two, file)))]).toEqual([file, true]);
  }
  const done = spawnSync('tar', ['-xzf', path.join(one, 'holdfast-1.2.3.tar.gz'), '-C', folder], { encoding: 'utf8' });
  expect([done.status, done.stderr]).toEqual([0, '']);
  expect(await readFile(path.join(folder, 'holdfast-1.2.3', longName), 'utf8')).toHaveLength(1_025);
  const script = await stat(path.join(folder, 'holdfast-1.2.3/tools/run.sh'));
  expect([script.mode & 0o777, script.mtimeMs]).toEqual([0o755, 1_700_000_000_000]);
});

test('a release verifies with its key, and with the tools that everybody has', async () => {
  const out = await release('verified');
  expect(await verifyRelease(out, publicPem)).toEqual(['holdfast-1.2.3.tar.gz', 'holdfast-1.2.3.cdx.json']);
  expect(spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out }).status).toBe(0);
  await writeFile(path.join(out, 'key.pub'), publicPem);
  const words = ['pkeyutl', '-verify', '-pubin', '-inkey', 'key.pub', '-rawin', '-in', 'SHA256SUMS', '-sigfile', 'SHA256SUMS.sig'];
  // A machine without OpenSSL has checked the signature above.
  const { error, status } = spawnSync('openssl', words, { cwd: out });
  expect(error === undefined ? status : 0).toBe(0);
});

test('a changed archive, changed checksums and another key are refused', async () => {
  const out = await release('changed');
  await appendFile(path.join(out, 'holdfast-1.2.3.tar.gz'), 'x');
  await expect(verifyRelease(out, publicPem)).rejects.toThrow('holdfast-1.2.3.tar.gz was changed');
  await appendFile(path.join(out, 'SHA256SUMS'), `${'0'.repeat(64)}  more\n`);
  await expect(verifyRelease(out, publicPem)).rejects.toThrow('not signed with this key, or was changed');
  const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' });
  await expect(verifyRelease(await release('other'), other)).rejects.toThrow('not signed with this key');
});

test('only an Ed25519 key signs, and only plain files are released', async () => {
  const file = path.join(folder, 'rsa.pem');
  await writeFile(file, generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await expect(signingKey(file)).rejects.toThrow('is not an Ed25519 key');
  await expect(signingKey(undefined)).rejects.toThrow('--key release.pem');
  const listed = committedFiles('100755 e69de29 0\ttools/run me.sh\x00100644 e69de29 0\tREADME.md\x00');
  expect(listed.map(({ name, isExecutable }) => [name, isExecutable])).toEqual([
    ['tools/run me.sh', true],
    ['README.md', false],
  ]);
  expect(() => committedFiles('120000 e69de29 0\tlink\x00')).toThrow('link is not a plain file');
});
