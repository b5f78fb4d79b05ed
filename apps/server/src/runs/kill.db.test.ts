import { killsAskedFor } from '@holdfast/foundation/testing/kills-asked-for';
import { test } from 'vitest';
import { proveProductKills } from '../testing/prove-product-kills.ts';

/** Between two starts of the product PostgreSQL crashes six times: a crash costs a second, a start and what it waits for many. */
const CRASHES_EACH = 6;

test('server, PostgreSQL and both are killed in the middle of backups: nothing is lost, doubled or stuck', async () => {
  const kills = killsAskedFor(0.4, 3);
  const crashesEach = kills > CRASHES_EACH ? CRASHES_EACH : 0;
  await proveProductKills({ turns: Math.ceil(kills / (crashesEach + 1)), crashesEach, seed: 11 });
}, 600_000);
