import { test } from 'vitest';
import { proveProductKills } from '../testing/prove-product-kills.ts';

/** A hundred in five stretches with an installation each, so that one of them can be run by its name. */
test.each([1, 2, 3, 4, 5])(
  'twenty kills of server, PostgreSQL and both lose, double and strand nothing, stretch %i',
  async (stretch) => {
    await proveProductKills({ turns: 20, crashesEach: 0, seed: 4_711 + stretch });
  },
  1_800_000,
);
