import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { writeWholeFile } from '@holdfast/foundation/whole-file';

/** The id of this worker's data folder: a worker that starts again takes over the leases it held when it died. */
export async function instanceIdOf(dataFolder: string, ids: Ids): Promise<string> {
  const folder = path.join(dataFolder, 'receiver');
  const file = path.join(folder, 'instance');
  const known = await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (known !== undefined) return known.trim();
  const made = ids.uuid();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeWholeFile(file, `${made}\n`, { mode: 0o600 });
  return made;
}
