import { systemClock } from '@holdfast/foundation/clock';
import { systemCode } from '@holdfast/foundation/errors';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';

const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 25;

interface Process {
  readonly isPostgres: boolean;
  readonly parentId: number;
}

async function processOf(processId: number): Promise<Process> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '');
  return {
    isPostgres: /^Name:\s+postgres/m.test(status) && !/^State:\s+Z/m.test(status),
    parentId: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]),
  };
}

/** True for what a server started for itself: works in its cluster under a title, and the server that would look after it is gone. */
async function isOrphan(processId: number, cluster: string): Promise<boolean> {
  if ((await readlink(`/proc/${processId}/cwd`).catch(() => '')) !== cluster) return false;
  const { isPostgres, parentId } = await processOf(processId);
  if (!isPostgres || (await processOf(parentId)).isPostgres) return false;
  return (await readFile(`/proc/${processId}/cmdline`, 'utf8').catch(() => '')).startsWith('postgres: ');
}

async function orphansOf(cluster: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc').catch(() => [])) {
    const processId = Number(name);
    if (Number.isInteger(processId) && (await isOrphan(processId, cluster))) found.push(processId);
  }
  return found;
}

function end(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL');
  } catch (error) {
    if (systemCode(error) !== 'ESRCH') throw error;
  }
}

/**
 * Ends what a killed server left behind. Each of its processes ends by itself once it waits for something, but one at a
 * long query, or that a busy machine gives no time, holds the old memory until then, and no new server starts beside it.
 * Where processes can't be seen (no /proc), starts are repeated until they are gone.
 */
export async function endOrphans(cluster: string, signal?: AbortSignal): Promise<void> {
  const folder = await realpath(cluster);
  const deadline = systemClock.monotonicMs() + PATIENCE_MS;
  while (systemClock.monotonicMs() < deadline && signal?.aborted !== true) {
    const orphans = await orphansOf(folder);
    if (orphans.length === 0) return;
    for (const processId of orphans) end(processId);
    await systemClock.sleep(LOOK_AGAIN_MS);
  }
}
