import { proveSeeds } from './prove-seeds.ts';

proveSeeds(20_000, 500, 600_000);
