import { proveSeeds } from './prove-seeds.ts';

proveSeeds(40_000, 500, 600_000);
