import { proveSeeds } from '../testing/prove-seeds.ts';

proveSeeds(40_000, 500, 600_000);
