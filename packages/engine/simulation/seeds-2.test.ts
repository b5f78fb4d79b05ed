import { proveSeeds } from '../testing/prove-seeds.ts';

proveSeeds(30_000, 500, 600_000);
proveSeeds(40_000, 500, 600_000);
