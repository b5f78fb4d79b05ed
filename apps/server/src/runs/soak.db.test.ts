import { test } from 'vitest';
import { proveSoak } from '../testing/prove-soak.ts';

test('every part of a working installation fails once: the vault verifies and equals what there is', async () => {
  await proveSoak({ minutes: 0, seed: 7 });
}, 600_000);
