import { proveSeeds } from './prove-seeds.ts';

proveSeeds(10_000, 500, 600_000);
