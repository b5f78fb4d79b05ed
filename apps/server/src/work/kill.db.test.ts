import { test } from 'vitest';
import { proveProductKills } from '../testing/prove-product-kills.ts';

test('server, PostgreSQL and both are killed in the middle of backups: nothing is lost, doubled or stuck', async () => {
  await proveProductKills(3, 11);
}, 300_000);
