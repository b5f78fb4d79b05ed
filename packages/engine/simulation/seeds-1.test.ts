import { proveSeeds } from '../testing/prove-seeds.ts';

proveSeeds(10_000, 500, 600_000);
proveSeeds(20_000, 500, 600_000);
