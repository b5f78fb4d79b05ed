import { proveSeeds } from '../testing/prove-seeds.ts';

/** Twenty stretches with a tenant each, so that one of them can be run by its name. */
for (let stretch = 0; stretch < 20; stretch += 1) proveSeeds(100_000 + stretch * 1_000, 1_000, 3_600_000);
