import { systemClock } from '@holdfast/foundation/clock';
import { systemCode } from '@holdfast/foundation/errors';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What `postmaster.pid` says. */
export interface Running {
  readonly processId: number;
  readonly port: number | undefined;
  readonly isReady: boolean;
}

const STOP_TIMEOUT_MS = 30_000;

/** The server that holds a cluster by its lock file, whether or not it still lives. */
export async function runningAt(cluster: string): Promise<Running | undefined> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const processId = Number(lines[0]);
  if (!Number.isInteger(processId) || processId <= 0) return undefined;
  const port = Number(lines[3]);
  return { processId, port: Number.isInteger(port) && port > 0 ? port : undefined, isReady: lines[7]?.trim() === 'ready' };
}

/** True while the process lives and is a PostgreSQL: the number of one that died may belong to another by now. */
export async function processAlive(processId: number): Promise<boolean> {
  try {
    process.kill(processId, 0);
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false;
  }
  if (process.platform !== 'linux') return true;
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '');
  return /^Name:\s+postgres/m.test(status) && !/^State:\s+Z/m.test(status);
}

/** Signals a server and waits until it is gone; one that does not go is made to. */
export async function stopPostmaster(processId: number, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  for (const next of [signal, 'SIGQUIT', 'SIGKILL'] as const) {
    if (!(await processAlive(processId))) return;
    try {
      process.kill(processId, next);
    } catch (error) {
      if (systemCode(error) === 'ESRCH') return;
      throw error;
    }
    const deadline = systemClock.monotonicMs() + STOP_TIMEOUT_MS;
    while (systemClock.monotonicMs() < deadline) {
      if (!(await processAlive(processId))) return;
      await systemClock.sleep(15);
    }
  }
}
