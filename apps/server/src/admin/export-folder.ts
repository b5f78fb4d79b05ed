import { AppError, systemCode } from '@holdfast/foundation/errors';
import { createHash, type KeyObject } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { opendir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { hashInLine, isSealed, MANIFEST_FORMAT, publicKeyOf, SEALS } from '../features/exports/index.ts';

/** A file as the manifest has it. */
export interface Listed {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** What the check of a folder has found. */
export interface CheckedExport {
  readonly key: KeyObject;
  readonly files: number;
  readonly problems: number;
}

export function badExport(message: string): AppError {
  return new AppError('admin.export-damaged', { message });
}

async function fileIn(folder: string, name: string): Promise<Buffer> {
  try {
    return await readFile(path.join(folder, name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw badExport(`${name} is missing: unpack every part of the export into this folder.`);
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
  if (!isSealed(line, await fileIn(folder, 'manifest.sha256.sig'), key)) throw badExport('manifest.sha256 was not signed with this key.');
  const { sha256 } = await hashed(path.join(folder, 'manifest.json'));
  if (hashInLine(line.toString('utf8')) !== sha256) throw badExport('manifest.json is not the one that was signed.');
  return key;
}

const linesOf = (folder: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(path.join(folder, 'manifest.json')), crlfDelay: Infinity });

/** The files of a manifest, a line at a time: one of millions of files is no larger in memory than one of a few. */
export async function* listedIn(folder: string): AsyncGenerator<Listed, void, undefined> {
  let isFiles = false;
  let isKnown = false;
  for await (const line of linesOf(folder)) {
    if (line === ` "format": "${MANIFEST_FORMAT}",`) isKnown = true;
    else if (line === ' "files": [') isFiles = true;
    else if (line === ' ],') isFiles = false;
    else if (isFiles && line !== '') yield JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line) as Listed;
  }
  if (!isKnown) throw badExport('This version of Holdfast does not know the form of this manifest.');
}

/** What a manifest says before its list of files. */
export async function headOf(folder: string): Promise<unknown> {
  const lines: string[] = [];
  for await (const line of linesOf(folder)) {
    if (line === ' "files": [') break;
    lines.push(line);
  }
  return JSON.parse(`${lines.join('\n').replace(/,\s*$/u, '')}}`);
}

/** Where a file of the manifest is in the folder: never outside of it, whatever its path says. */
function insideOf(folder: string, name: string): string {
  const file = path.resolve(folder, name);
  if (!file.startsWith(path.resolve(folder) + path.sep)) throw badExport(`${name} leads out of the export.`);
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

/** Checks the signature of an export that was unpacked into a folder, and each of its files, and reports what is wrong with them. */
export async function checkExport(
  folder: string,
  keyFile: string | undefined,
  onProblem: (problem: string) => void,
): Promise<CheckedExport> {
  const key = await checkSeal(folder, keyFile);
  const known = new Set<string>(SEALS.map(digestOf));
  let [files, problems] = [0, 0];
  const found = (problem: string): void => {
    problems += 1;
    onProblem(problem);
  };
  for await (const listed of listedIn(folder)) {
    known.add(digestOf(listed.path));
    files += 1;
    const problem = await problemOf(folder, listed);
    if (problem !== undefined) found(problem);
  }
  for await (const name of strangers(folder, known)) found(`${name}: does not belong to the export`);
  return { key, files, problems };
}
