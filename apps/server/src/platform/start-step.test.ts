import { createLogger } from '@holdfast/foundation/logger';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { expect, test } from 'vitest';
import { startStep } from './start-step.ts';

/** A logger, and the names and seconds of what it has said. */
function recorded() {
  const said: unknown[] = [];
  const destination = {
    write(line: string) {
      const { event, step, seconds } = JSON.parse(line) as Record<string, unknown>;
      said.push(seconds === undefined ? [event, step] : [event, step, seconds]);
    },
  };
  return { said, logger: createLogger({ level: 'info', destination }) };
}

test('a step that lasts is named every ten seconds until it ends', async () => {
  const { said, logger } = recorded();
  const clock = createFakeClock();
  const { promise, resolve } = Promise.withResolvers<string>();
  const step = startStep({ logger, name: 'migrations', isAnnounced: true, clock }, () => promise);
  await clock.advance(25_000);
  resolve('done');
  expect(await step).toBe('done');
  await clock.advance(60_000);
  expect(said).toEqual([
    ['start-step', 'migrations'],
    ['start-waits', 'migrations', 10],
    ['start-waits', 'migrations', 20],
  ]);
});

test('a step of a console command is silent while it is quick, and a step that fails is not waited for any longer', async () => {
  const { said, logger } = recorded();
  const clock = createFakeClock();
  const failing = startStep({ logger, name: 'database', isAnnounced: false, clock }, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  await clock.advance(60_000);
  expect(said).toEqual([]);
});
