import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root, run } from './run.ts';

interface SourceFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

const isSource = (file: string): boolean => /^(?:apps|packages)\/[^/]+\/src\/.*\.tsx?$/.test(file) && !/\.test\.|\/testing\//.test(file);

/** The room of a file below `src`. */
function roomOf(file: string): string {
  const folders = path.dirname(file).split('/');
  return folders.slice(0, folders[0] === 'features' ? 2 : 1).join('/');
}

/** The rooms of one package, each with the rooms that it imports. */
function importsOf(files: readonly SourceFile[], src: string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const { path: file, text } of files) {
    const from = roomOf(path.relative(src, file));
    const known = imports.get(from) ?? new Set();
    imports.set(from, known);
    for (const [, target = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
      const to = path.relative(src, path.join(path.dirname(file), target));
      if (!to.startsWith('..') && roomOf(to) !== from) known.add(roomOf(to));
    }
  }
  return imports;
}

function reachable(from: string, imports: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>();
  const open = [...(imports.get(from) ?? [])];
  for (let room = open.pop(); room !== undefined; room = open.pop()) {
    if (found.has(room)) continue;
    found.add(room);
    open.push(...(imports.get(room) ?? []));
  }
  return found;
}

/** The rooms of each package that reach themselves through others, and how many files are in them. */
export function circles(files: readonly SourceFile[]): Map<string, { readonly rooms: readonly string[]; readonly files: number }> {
  const packages = Map.groupBy(
    files.filter((file) => isSource(file.path)),
    (file) => file.path.split('/').slice(0, 2).join('/'),
  );
  const found = new Map<string, { rooms: readonly string[]; files: number }>();
  for (const [name, own] of packages) {
    const src = `${name}/src`;
    const imports = importsOf(own, src);
    const rooms = [...imports.keys()].filter((room) => reachable(room, imports).has(room)).toSorted();
    const count = own.filter((file) => rooms.includes(roomOf(path.relative(src, file.path)))).length;
    if (count > 0) found.set(name, { rooms, files: count });
  }
  return found;
}

/** One line for each package whose rooms import each other in a circle. A room is a first folder below `src`, or a feature. */
export function wrongRooms(found: ReturnType<typeof circles>): string[] {
  return [...found].map(([name, { rooms, files }]) => `${name}: ${files} files are in rooms that import each other: ${rooms.join(', ')}.`);
}

/** Reads the sources that git tracks. */
export async function checkRooms(): Promise<string> {
  const listed = await run('git', ['ls-files', 'apps', 'packages']);
  const paths = listed.output.split('\n').filter(isSource);
  const files = await Promise.all(
    paths.map(async (file) => ({ path: file, text: await readFile(path.join(root, file), 'utf8').catch(() => '') })),
  );
  return wrongRooms(circles(files)).join('\n');
}
