/**
 * `npm run release -- --key release.pem`: one archive of all that the commit holds with the portal built, its bill of materials,
 * their checksums and an Ed25519 signature of these. The same commit makes the same bytes. See docs/operations/release.md.
 */
import { createHash, createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { buildPortal } from './build-portal.ts';
import { root, run } from './run.ts';
import { billOf, type Lock } from './sbom.ts';
import { tarOf, type ArchivedFile } from './tar.ts';

/** The names of the two files that vouch for the others. */
export const sumsFile = 'SHA256SUMS';
export const signatureFile = 'SHA256SUMS.sig';

export interface Release {
  readonly name: string;
  readonly files: readonly ArchivedFile[];
  /** When the commit was made, in seconds: the time of every file. */
  readonly seconds: number;
  readonly bill: string;
  readonly key: KeyObject;
}

export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Writes archive, bill of materials, checksums and signature into a fresh folder. */
export async function writeRelease({ name, files, seconds, bill, key }: Release, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = `${name}.tar.gz`;
  const billFile = `${name}.cdx.json`;
  const placed = files.map((file) => ({ ...file, name: `${name}/${file.name}` }));
  await pipeline(Readable.from(tarOf(placed, seconds)), createGzip({ level: 9 }), createWriteStream(path.join(folder, archive)));
  await writeFile(path.join(folder, billFile), bill);
  const lines = [];
  for (const file of [archive, billFile]) lines.push(`${await sha256OfFile(path.join(folder, file))}  ${file}\n`);
  const sums = Buffer.from(lines.join(''));
  await writeFile(path.join(folder, sumsFile), sums);
  await writeFile(path.join(folder, signatureFile), sign(null, sums, key));
}

/** The key of a file. Throws a sentence for the operator. */
export async function signingKey(file: string | undefined): Promise<KeyObject> {
  if (file === undefined) throw new Error('Name the signing key: npm run release -- --key release.pem');
  const key = createPrivateKey(await readFile(file));
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} is not an Ed25519 key.`);
  return key;
}

async function git(...words: readonly string[]): Promise<string> {
  const { code, output } = await run('git', words);
  if (code !== 0) throw new Error(`git ${words.join(' ')}: ${output}`);
  return output;
}

/** What the commit holds: mode and path of each file. */
export function committedFiles(listing: string): ArchivedFile[] {
  return listing
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const mode = line.slice(0, line.indexOf(' '));
      const name = line.slice(line.indexOf('\t') + 1);
      if (mode !== '100644' && mode !== '100755') throw new Error(`${name} is not a plain file.`);
      return { name, source: path.join(root, name), isExecutable: mode === '100755' };
    });
}

async function builtFiles(): Promise<ArchivedFile[]> {
  const folder = 'apps/portal/dist';
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((source) => ({ name: path.relative(root, source), source, isExecutable: false }));
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { key: { type: 'string' }, out: { type: 'string', default: 'artifacts/release' } } });
  const key = await signingKey(values.key);
  if ((await git('status', '--porcelain')) !== '')
    throw new Error('Commit or remove what is changed first: a release is made of a commit.');
  await buildPortal(true);
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
  const folder = path.resolve(root, values.out);
  await writeRelease(
    {
      name: `holdfast-${lock.version}`,
      files: [...committedFiles(await git('ls-files', '--stage', '-z')), ...(await builtFiles())],
      seconds: Number(await git('log', '-1', '--format=%ct')),
      bill: `${JSON.stringify(billOf(lock), null, 1)}\n`,
      key,
    },
    folder,
  );
  console.log(await readFile(path.join(folder, sumsFile), 'utf8'));
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}
