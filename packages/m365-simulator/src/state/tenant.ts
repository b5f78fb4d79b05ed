import type { SimulatorClock } from '../clock/simulator-clock.ts';
import type { Directory } from './directory.ts';
import type { Recipe } from './recipe.ts';
import type { Outbox } from './outbox.ts';
import type { Received } from './received.ts';
import type { Store } from './store.ts';
import type { Switches } from './switches.ts';

/** One tenant: what it was made from, what has changed since, and what it would have sent. */
export interface Tenant {
  readonly tenantId: string;
  readonly seed: number;
  readonly recipe: Recipe;
  readonly store: Store;
  /** Bytes that clients sent; the store has their places. */
  readonly received: Received;
  readonly clock: SimulatorClock;
  readonly outbox: Outbox;
  readonly directory: Directory;
  /** The knobs as they are set now. */
  readonly switches: Switches;
  /** Generated content ends here: nothing that nobody changed is younger. */
  readonly epochMs: number;
  /** Signs delta tokens and links of this tenant; the same for the same seed. */
  readonly key: Buffer;
}
