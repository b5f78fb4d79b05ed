import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isFree } from '../packages/foundation/src/port.ts';

/** The port that a file keeps, when it can still be listened on; else 0, which takes any free one. */
export async function keptPort(file: string): Promise<number> {
  const port = Number(await readFile(file, 'utf8').catch(() => '0'));
  return Number.isInteger(port) && port > 0 && port < 65_536 && (await isFree(port)) ? port : 0;
}

/** Keeps a port for the next start. */
export async function keepPort(file: string, port: number): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, String(port));
}
