import { AppError, systemCode } from '@holdfast/foundation/errors';
import { createHash, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { opendir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fingerprintOf, hashInLine, isSealed, MANIFEST_FORMAT, publicKeyOf, SEALS } from '../features/exports/index.ts';
import { required, type Command } from './command.ts';

/** A file as the manifest has it. */
interface Listed {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

function bad(message: string): AppError {
  return new AppError('admin.export-damaged', { message });
}

async function fileIn(folder: string, name: string): Promise<Buffer> {
  try {
    return await readFile(path.join(folder, name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw bad(`${name} is missing: unpack every part of the export into this folder.`);
    throw error;
  }
}

async function hashed(file: string): Promise<{ readonly size: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(piece);
    size += piece.byteLength;
  }
  return { size, sha256: hash.digest('hex') };
}

/** Says that the manifest is the one that was signed; answers the key. */
async function checkSeal(folder: string, keyFile: string | undefined): Promise<KeyObject> {
  const line = await fileIn(folder, 'manifest.sha256');
  const pem = keyFile === undefined ? await fileIn(folder, 'public-key.pem') : await readFile(keyFile);
  const key = publicKeyOf(pem.toString('utf8'));
  if (!isSealed(line, await fileIn(folder, 'manifest.sha256.sig'), key)) throw bad('manifest.sha256 was not signed with this key.');
  const { sha256 } = await hashed(path.join(folder, 'manifest.json'));
  if (hashInLine(line.toString('utf8')) !== sha256) throw bad('manifest.json is not the one that was signed.');
  return key;
}

/** The files of a manifest, a line at a time: one of millions of files is no larger in memory than one of a few. */
async function* listedIn(folder: string): AsyncGenerator<Listed, void, undefined> {
  const lines = createInterface({ input: createReadStream(path.join(folder, 'manifest.json')), crlfDelay: Infinity });
  let isFiles = false;
  let isKnown = false;
  for await (const line of lines) {
    if (line === ` "format": "${MANIFEST_FORMAT}",`) isKnown = true;
    else if (line === ' "files": [') isFiles = true;
    else if (line === ' ],') isFiles = false;
    else if (isFiles && line !== '') yield JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line) as Listed;
  }
  if (!isKnown) throw bad('This version of Holdfast does not know the form of this manifest.');
}

/** Where a file of the manifest is in the folder: never outside of it, whatever its path says. */
function insideOf(folder: string, name: string): string {
  const file = path.resolve(folder, name);
  if (!file.startsWith(path.resolve(folder) + path.sep)) throw bad(`${name} leads out of the export.`);
  return file;
}

async function problemOf(folder: string, { path: name, size, sha256 }: Listed): Promise<string | undefined> {
  try {
    const found = await hashed(insideOf(folder, name));
    if (found.size !== size) return `${name}: has ${found.size} bytes instead of ${size}`;
    return found.sha256 === sha256 ? undefined : `${name}: was changed`;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return `${name}: is missing`;
    throw error;
  }
}

async function* filesBelow(folder: string, within = ''): AsyncGenerator<string, void, undefined> {
  for await (const entry of await opendir(path.join(folder, within))) {
    const name = within === '' ? entry.name : `${within}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(folder, name);
    else yield name;
  }
}

/** Files that are there and belong to nothing. Paths are kept as hashes: a few bytes each. */
async function* strangers(folder: string, known: ReadonlySet<string>): AsyncGenerator<string, void, undefined> {
  for await (const name of filesBelow(folder)) if (!known.has(digestOf(name))) yield name;
}

const digestOf = (name: string): string => createHash('sha256').update(name.normalize('NFC')).digest('base64').slice(0, 22);

/** Checks an export that was unpacked into a folder: the signature of its manifest, and each file. Needs nothing else. */
export const verifyExport: Command = {
  name: 'verify-export',
  summary: 'Checks an export that was unpacked into a folder: its signature and every file. Needs no database and no network.',
  argument: 'folder',
  options: { folder: 'The same as an option', key: 'File with the public key to trust; without it the one in the export' },
  async run({ print }, given) {
    const folder = required(given, 'folder');
    const key = await checkSeal(folder, given['key']);
    const known = new Set<string>(SEALS.map(digestOf));
    const problems: string[] = [];
    let files = 0;
    for await (const listed of listedIn(folder)) {
      known.add(digestOf(listed.path));
      files += 1;
      const problem = await problemOf(folder, listed);
      if (problem === undefined) continue;
      problems.push(problem);
      print(problem);
    }
    for await (const name of strangers(folder, known)) {
      problems.push(name);
      print(`${name}: does not belong to the export`);
    }
    if (problems.length > 0) throw bad(`The export is not whole: ${problems.length} problems in ${files} files.`);
    print(`The export is whole: ${files} files. Its manifest was signed with the key ${fingerprintOf(key)}.`);
    if (given['key'] === undefined) print('Compare this fingerprint with the one on the page of exports: the key came with the export.');
  },
};
