import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SimulatorClock } from '../clock/simulator-clock.ts';
import { guidOf } from '../values/seeded.ts';
import { createDirectory } from './create-directory.ts';
import type { Recipe } from './recipe.ts';
import { createOutbox } from './outbox.ts';
import { createReceived } from './received.ts';
import { createStore } from './store.ts';
import { defaultSwitches, type Switches } from './switches.ts';
import type { Tenant } from './tenant.ts';

/** Nothing that was generated is younger; a tenant looks the same whenever it is started. */
export const DEFAULT_EPOCH_MS = Date.UTC(2026, 9, 1, 8);

export interface TenantOptions {
  readonly recipe: Recipe;
  readonly seed: number;
  readonly clock: SimulatorClock;
  readonly epochMs?: number;
  /** Where received bytes are kept over restarts; gone with the process unless given. */
  readonly dataFolder?: string;
}

/** The knobs of a tenant, part of its state. */
export function switchesOf(tenant: Pick<Tenant, 'store'>): { value: Switches } {
  return tenant.store.state('switches', () => ({ value: defaultSwitches }));
}

/** Makes a tenant. Costs no more for a million messages than for ten. */
export function createTenant(options: TenantOptions): Tenant {
  const { recipe, seed, clock } = options;
  const epochMs = options.epochMs ?? DEFAULT_EPOCH_MS;
  const store = createStore();
  const tenantSeed = createHash('sha256').update(`${recipe.name}/${seed}`).digest().readUInt32LE(0);
  const tenantId = guidOf(tenantSeed, 'tenant', recipe.name);
  return Object.freeze({
    tenantId,
    seed: tenantSeed,
    recipe,
    store,
    received: createReceived(options.dataFolder === undefined ? undefined : join(options.dataFolder, `${tenantId}.bytes`)),
    clock,
    outbox: createOutbox(store, () => clock.nowMs()),
    directory: createDirectory(store, { recipe, seed: tenantSeed, epochMs }),
    epochMs,
    key: createHash('sha256').update(`key/${tenantSeed}`).digest(),
    get switches() {
      return switchesOf({ store }).value;
    },
  });
}
