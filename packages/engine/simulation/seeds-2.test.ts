import { proveSeeds } from '../testing/prove-seeds.ts';

proveSeeds(20_000, 500, 600_000);
