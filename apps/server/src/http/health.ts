import type { Clock } from '@holdfast/foundation/clock';
import { errorText } from '@holdfast/foundation/errors';
import type { FastifyInstance } from 'fastify';

/** Something that must work before requests are welcome. Resolves when it does. */
export interface ReadinessCheck {
  readonly name: string;
  readonly check: () => Promise<void>;
}

export interface Health {
  /** From now on `/readyz` answers 503, so that a load balancer stops sending. */
  drain(): void;
}

/** Something that hangs is not ready, and whoever asks must hear so before losing patience. */
const LONGEST_CHECK_MS = 5_000;

async function inTime({ name, check }: ReadinessCheck, clock: Clock): Promise<void> {
  const done = new AbortController();
  const late = clock.sleep(LONGEST_CHECK_MS, done.signal).then(() => {
    throw new Error(`The check of ${name} took longer than ${LONGEST_CHECK_MS} ms.`);
  });
  const checked = check();
  // Whichever loses has nobody to hear it.
  for (const one of [late, checked]) one.catch(() => undefined);
  try {
    await Promise.race([checked, late]);
  } finally {
    done.abort();
  }
}

/** `/healthz`: the process lives. `/readyz`: it can do its work, check by check. */
export function serveHealth(server: FastifyInstance, checks: readonly ReadinessCheck[], clock: Clock): Health {
  let isDraining = false;
  server.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      checks.map(async (readiness) => {
        const { name } = readiness;
        try {
          await inTime(readiness, clock);
          return { name, ok: true };
        } catch (error) {
          server.log.warn({ check: name, reason: errorText(error) }, 'not ready');
          return { name, ok: false };
        }
      }),
    );
    const isReady = !isDraining && results.every((result) => result.ok);
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: isDraining ? 'draining' : isReady ? 'ready' : 'not ready', checks: results });
  });
  return {
    drain() {
      isDraining = true;
    },
  };
}
