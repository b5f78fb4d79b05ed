import { proveSeeds } from './prove-seeds.ts';

proveSeeds(30_000, 500, 600_000);
