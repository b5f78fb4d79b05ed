import { test } from 'vitest';
import { proveProductKills } from '../testing/prove-product-kills.ts';

test('a hundred kills of server, PostgreSQL and both lose, double and strand nothing', async () => {
  await proveProductKills(100, 4_711);
}, 3_600_000);
