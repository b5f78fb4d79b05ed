import type { Logger } from '@holdfast/foundation/logger';
import type { Feature, Role, Stop } from './feature.ts';

/** What has been started in a process, ended in the opposite order. */
export interface ProcessLife {
  /** Something that has begun, and how it ends. */
  began(stop: Stop): void;
  /** Starts what the features do in these roles, in the order of roles and features. */
  start(features: readonly Feature[], roles: readonly Role[]): Promise<void>;
  /** Ends everything. What can't be ended is logged, so that it holds up nothing else. */
  stop(): Promise<void>;
}

export function createProcessLife(logger: Logger): ProcessLife {
  const stops: Stop[] = [];
  return Object.freeze<ProcessLife>({
    began: (stop) => void stops.push(stop),
    async start(features, roles) {
      for (const role of roles) {
        for (const { start } of features) {
          const begin = start?.[role];
          if (begin) stops.push(await begin());
        }
      }
    },
    async stop() {
      for (const stop of stops.splice(0).reverse()) {
        try {
          await stop();
        } catch (error) {
          logger.warn({ err: error }, 'a part of the process could not be stopped properly');
        }
      }
    },
  });
}

/** Lets go of what features hold, the newest first. */
export async function closeFeatures(features: readonly Feature[]): Promise<void> {
  for (const feature of features.toReversed()) await feature.close?.();
}
