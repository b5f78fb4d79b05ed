import { workerData } from 'node:worker_threads';
import { systemClock } from './clock.ts';

const LOOK_MS = 20;
const mostBytes = (workerData as number) * 1024 * 1024;

/** Ends the process as soon as it takes more than it may, also while its main thread is inside of a library. */
for (;;) {
  await systemClock.sleep(LOOK_MS);
  if (process.memoryUsage.rss() > mostBytes) process.kill(process.pid, 'SIGKILL');
}
