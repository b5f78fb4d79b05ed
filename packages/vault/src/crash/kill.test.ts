import { killsAskedFor } from '@holdfast/foundation/testing/kills-asked-for';
import { it } from 'vitest';
import { killRandomly } from '../../testing/kill-rounds.ts';

it('a writing process that is killed at random moments has lost, torn or doubled nothing', async () => {
  const kills = killsAskedFor(0.5, 10);
  await Promise.all([killRandomly(kills, 1), killRandomly(kills, 2)]);
}, 600_000);
