import { killsAskedFor } from '@holdfast/foundation/testing/kills-asked-for';
import { it } from 'vitest';
import { proveKills } from '../testing/prove-kills.ts';

it(
  'a worker that is killed again and again loses nothing and leaves nothing half done',
  () => proveKills(killsAskedFor(0.6, 15), 77),
  300_000,
);
