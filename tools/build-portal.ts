import { createHash } from 'node:crypto';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root, run } from './run.ts';

/** Everything the bundle is made of. */
const sources = ['apps/portal', 'packages/contract/src', 'packages/phrases/src', 'package-lock.json'];
const stampFile = join(root, 'apps/portal/dist/.built-from');

async function filesBelow(path: string): Promise<string[]> {
  if (/\.\w+$/.test(path)) return [path];
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/node_modules|[\\/]dist/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

/** One hash over all sources, so that a second start builds nothing. */
async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of await filesBelow(source)) hash.update(file).update(await readFile(join(root, file)));
  }
  return hash.digest('hex');
}

/** Builds the portal when its sources have changed since the last build; always with `force`. */
export async function buildPortal(force = false): Promise<void> {
  const hash = await sourceHash();
  const builtFrom = await readFile(stampFile, 'utf8').catch(() => '');
  if (!force && builtFrom === hash) return;
  console.log('Building the portal …');
  const done = await run('vite', ['build', 'apps/portal', '--logLevel', 'warn']);
  if (done.code !== 0) throw new Error(`The portal could not be built.\n${done.output}`);
  await writeFile(stampFile, hash);
}

if (import.meta.main) await buildPortal(process.argv.includes('--force'));
