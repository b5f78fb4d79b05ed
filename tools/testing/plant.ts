import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { root } from '../run.ts';

/**
 * Writes files into a throw-away folder below a package, so that a check sees them under its real
 * configuration. Gone after the test. Returns the folder, relative to the root.
 */
export async function plant(below: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(root, below, 'planted-'));
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder.slice(root.length + 1);
}
