import type { TaskQueue } from '@holdfast/database';
import { nothingToStop, type Feature } from '../platform/feature.ts';
import { createRunWorker, type RunWorkerOptions } from './run-worker.ts';
import { workerProcess } from './worker-process.ts';
import type { Config } from '../settings/config.ts';

export interface WorkPorts extends Omit<RunWorkerOptions, 'worker' | 'onEnded'> {
  readonly config: Pick<Config, 'HOLDFAST_WORKER_SLOTS' | 'HOLDFAST_WORKER_IP'>;
  readonly queue: TaskQueue;
  /** What else happens when a run has ended, in this order. */
  readonly onEnded: readonly NonNullable<RunWorkerOptions['onEnded']>[];
}

/** Takes runs from the queue until the process drains. */
export function createWorkFeature(ports: WorkPorts): Feature {
  const { config, queue } = ports;
  const slots = config.HOLDFAST_WORKER_SLOTS;
  const handle = createRunWorker({
    ...ports,
    worker: workerProcess(config.HOLDFAST_WORKER_IP, process.pid),
    async onEnded(...ended) {
      for (const then of ports.onEnded) await then(...ended);
    },
  });
  return Object.freeze<Feature>({
    start: {
      async worker() {
        // One slot of each worker is never for the organisation that has all others: nobody holds everybody up.
        await queue.work('runs', { slots, slotsPerOrganisation: Math.max(1, slots - 1) }, handle);
        await queue.work('restores', { slots, slotsPerOrganisation: slots }, handle);
        // The queue ends its work itself.
        return nothingToStop;
      },
    },
  });
}
