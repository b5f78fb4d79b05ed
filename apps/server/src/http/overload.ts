import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';

/** A process that is this far behind refuses new work, so that what it has begun comes to its end. */
const MAX_DELAY_MS = 3_000;
const RETRY_AFTER_SECONDS = 5;

/** Answers 503 with `Retry-After` while the event loop lags. Register before routes. */
export async function refuseWhenOverloaded(server: FastifyInstance): Promise<void> {
  await server.register(underPressure, { maxEventLoopDelay: MAX_DELAY_MS, retryAfter: RETRY_AFTER_SECONDS });
}
