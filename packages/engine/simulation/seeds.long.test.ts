import { proveSeeds } from '../testing/prove-seeds.ts';

proveSeeds(100_000, 20_000, 7_200_000);
