import type { TaskQueue } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { nothingToStop, type Feature } from '../../platform/feature.ts';
import { createTenantTaskHandler, type TenantGraphService } from '../tenants/index.ts';
import { provisioningSteps, type ProvisioningParts } from './provisioning.tasks.ts';

export interface ProvisioningPorts extends ProvisioningParts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queue: TaskQueue;
  readonly graph: TenantGraphService;
}

const SLOTS = 2;

export function createProvisioningFeature(ports: ProvisioningPorts): Feature {
  const handle = createTenantTaskHandler({ ...ports, steps: provisioningSteps(ports) });
  return Object.freeze<Feature>({
    start: {
      async worker() {
        await ports.queue.work('tasks', { slots: SLOTS, slotsPerOrganisation: SLOTS }, async (task) => {
          const { taskId } = task.payload;
          if (typeof taskId === 'string') await handle(task.scope, taskId);
        });
        // The queue ends its work itself.
        return nothingToStop;
      },
    },
  });
}
