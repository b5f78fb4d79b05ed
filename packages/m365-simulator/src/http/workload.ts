import type { Random } from '@holdfast/foundation/random';
import type { JsonObject } from '../values/json.ts';
import type { RouteEntry } from './route.ts';
import type { Tenant } from '../state/tenant.ts';
import type { TruthProvider } from '../state/truth.ts';

/** A change as a person makes it, outside Graph and outside limits: `{"do":"mail.deliver", …}`. */
export interface Activity {
  readonly name: string;
  /** Does it and returns what was made or changed (`{"id":…}`). Bad input throws a `Failure` with 400. */
  run(tenant: Tenant, input: JsonObject): JsonObject;
}

/** What each folder below `src` gives to the simulator. */
export interface Workload {
  readonly name: string;
  readonly routes: readonly RouteEntry[];
  readonly truth: readonly TruthProvider[];
  readonly activities: readonly Activity[];
  /** Its share of a day of work: returns how many changes of which activity were made. */
  playDay?(tenant: Tenant, random: Random): Readonly<Record<string, number>>;
}
