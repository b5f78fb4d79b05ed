import type { Logger } from '@holdfast/foundation/logger';
import type { RequestLog } from './request-log.ts';
import type { Faults } from '../faults/faults.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { SimulatorClock } from '../clock/simulator-clock.ts';
import type { Router } from '../http/router.ts';
import type { SigningKey } from '../login/sign-in.ts';
import type { Permissions } from '../permissions/permissions.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Workload } from '../http/workload.ts';
import type { Validator } from '../validation/validator.ts';

/** Everything that one running simulator has; made by `startSimulator`. */
export interface Simulation {
  readonly clock: SimulatorClock;
  readonly tenants: Map<string, Tenant>;
  readonly router: Router;
  readonly permissions: Permissions;
  readonly signingKey: SigningKey;
  readonly workloads: readonly Workload[];
  /** Present when responses are checked against the metadata. */
  readonly validator: Validator | undefined;
  readonly logger: Logger;
  readonly limiter: Limiter;
  readonly faults: Faults;
  readonly log: RequestLog;
}

/** The tenant called by id or by one of its domains. */
export function findTenant(simulation: Simulation, name: string): Tenant | undefined {
  const lower = name.toLowerCase();
  const byId = simulation.tenants.get(lower);
  if (byId) return byId;
  for (const tenant of simulation.tenants.values()) {
    const { label } = tenant.directory;
    if (lower === `${label}.com` || lower === `${label}.onmicrosoft.com`) return tenant;
  }
  return undefined;
}
