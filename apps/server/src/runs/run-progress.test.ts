import { AppError } from '@holdfast/foundation/errors';
import { silentLogger as logger } from '@holdfast/foundation/logger';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { expect, test } from 'vitest';
import { createRunProgress } from './run-progress.ts';
import type { RunFigures } from './run.ts';

const waited = { microsoft: 0, storage: 0, database: 0 };

test('a database that is away is waited for, and once it is back the run says for how long', async () => {
  const clock = createFakeClock();
  const written: RunFigures[] = [];
  let isAway = false;
  const sink = {
    async run(figures: RunFigures) {
      if (isAway) throw new AppError('database.unavailable');
      written.push(figures);
      return { isCancelled: false };
    },
    accounts: async () => undefined,
  };
  const progress = createRunProgress({ sink, clock, logger, waited, onCancel: () => undefined, onLost: () => undefined });
  await clock.advance(1_000);
  expect(written.at(-1)?.waited).toEqual(waited);
  isAway = true;
  await clock.advance(30_000);
  isAway = false;
  await clock.advance(1_000);
  const told = written.at(-1)?.waited.database ?? 0;
  expect(told).toBeGreaterThanOrEqual(29_000);
  expect(told).toBeLessThanOrEqual(31_000);
  await clock.advance(60_000);
  await progress.close();
  expect(written.at(-1)?.waited).toEqual({ ...waited, database: told });
});
