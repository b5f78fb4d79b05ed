import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { secureRandom } from './random.ts';

export interface WholeFileOptions {
  readonly mode: number;
  /** Fails with EEXIST where a file of this name is there already. */
  readonly ifAbsent?: boolean;
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder; its file system keeps names without being asked.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a small file so that a crash at any moment leaves the old one, the new one or none, never half of one. */
export async function writeWholeFile(
  file: string,
  content: string | Uint8Array,
  { mode, ifAbsent = false }: WholeFileOptions,
): Promise<void> {
  // A name of its own: two writers of one file never meet in a half of it.
  const unfinished = `${file}.${secureRandom.bytes(6).toString('hex')}.new`;
  const handle = await open(unfinished, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await (ifAbsent ? link(unfinished, file) : rename(unfinished, file));
  } finally {
    await rm(unfinished, { force: true });
  }
  await syncFolder(dirname(file));
}
