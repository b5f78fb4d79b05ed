import { readFile } from 'node:fs/promises';

/** A file of an archive, by its path there. */
export interface ArchivedFile {
  readonly name: string;
  /** Where it is read from. */
  readonly source: string;
  readonly isExecutable: boolean;
}

const BLOCK = 512;
const NAME = 100;
const PREFIX = 155;

/** A name cut at a slash into the two fields that ustar has for it. */
function fieldsOf(name: string): readonly [prefix: string, rest: string] {
  if (Buffer.byteLength(name) <= NAME) return ['', name];
  for (let slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1)) {
    const [prefix, rest] = [name.slice(0, slash), name.slice(slash + 1)];
    if (Buffer.byteLength(prefix) <= PREFIX && Buffer.byteLength(rest) <= NAME) return [prefix, rest];
  }
  throw new Error(`This path is too long for an archive: ${name}`);
}

function headerOf({ name, isExecutable }: ArchivedFile, size: number, seconds: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number): void => void header.write(`${value.toString(8).padStart(digits, '0')}\0`, at);
  const [prefix, rest] = fieldsOf(name);
  header.write(rest, 0);
  octal(isExecutable ? 0o755 : 0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(seconds, 136, 11);
  header.write('        0', 148);
  header.write('ustar\u000000', 257);
  header.write(prefix, 345);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  return header;
}

/** A tar archive (ustar) that depends on names, contents and the time given alone: the same files make the same bytes. */
export async function* tarOf(files: readonly ArchivedFile[], seconds: number): AsyncGenerator<Buffer, void, undefined> {
  for (const file of files.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const content = await readFile(file.source);
    yield headerOf(file, content.byteLength, seconds);
    yield content;
    yield Buffer.alloc((BLOCK - (content.byteLength % BLOCK)) % BLOCK);
  }
  yield Buffer.alloc(2 * BLOCK);
}
