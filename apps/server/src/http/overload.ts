import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { FastifyInstance } from 'fastify';

/** A process that is this far behind refuses new work, so that what it has begun comes to its end. */
const MOST_BEHIND_MS = 3_000;
const LOOK_EVERY_MS = 500;
const RETRY_AFTER_SECONDS = 5;

/** Answers 503 with `Retry-After` while the event loop is further behind than that. Register before routes. */
export function refuseWhenOverloaded(server: FastifyInstance, clock: Clock, mostBehindMs = MOST_BEHIND_MS): void {
  let behindMs = 0;
  let due = clock.monotonicMs() + LOOK_EVERY_MS;
  // How late a timer is: one number that is always there, however few turns the loop had since the last look.
  const stop = clock.every(LOOK_EVERY_MS, () => {
    const now = clock.monotonicMs();
    behindMs = now - due;
    due = now + LOOK_EVERY_MS;
  });
  server.addHook('onClose', async () => stop());
  server.addHook('onRequest', async () => {
    if (behindMs > mostBehindMs) throw new AppError('service.overloaded', { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
  });
}
