import type { Clock } from '@holdfast/foundation/clock';
import type { HttpApp } from './http-app.ts';

/** How long an answer that is on its way may take to arrive before its connection is cut. */
const DRAIN_MS = 10_000;
const SWEEP_MS = 100;

/**
 * Takes no more requests and waits for the answers that are on their way, for a while. A connection that
 * a client keeps open for later is closed as soon as it has its answer: nothing waits for its time-out.
 */
export async function closeApp({ server }: Pick<HttpApp, 'server'>, clock: Clock): Promise<void> {
  const startedMs = clock.monotonicMs();
  const stopSweeping = clock.every(SWEEP_MS, () => {
    if (clock.monotonicMs() - startedMs < DRAIN_MS) server.server.closeIdleConnections();
    else server.server.closeAllConnections();
  });
  try {
    await server.close();
  } finally {
    stopSweeping();
  }
}
