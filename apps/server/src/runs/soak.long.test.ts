import { soakMinutes } from '@holdfast/foundation/testing/soak-minutes';
import { test } from 'vitest';
import { proveSoak } from '../testing/prove-soak.ts';

const MINUTES = soakMinutes(30);
const SETTLING_MINUTES = 30;

test(
  `every part of a working installation fails for ${MINUTES} minutes: the vault verifies and equals what there is`,
  async () => {
    await proveSoak({ minutes: MINUTES, seed: 4_711 });
  },
  (MINUTES + SETTLING_MINUTES) * 60_000,
);
