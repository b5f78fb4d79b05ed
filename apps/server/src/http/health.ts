import { errorText } from '@holdfast/foundation/errors';
import type { FastifyInstance } from 'fastify';

/** Something that must work before requests are welcome. Resolves when it does. */
export interface ReadinessCheck {
  readonly name: string;
  check(): Promise<void>;
}

export interface Health {
  /** From now on `/readyz` answers 503, so that a load balancer stops sending. */
  drain(): void;
}

/** `/healthz`: the process lives. `/readyz`: it can do its work, check by check. */
export function serveHealth(server: FastifyInstance, checks: readonly ReadinessCheck[]): Health {
  let isDraining = false;
  server.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      checks.map(async (readiness) => {
        const { name } = readiness;
        try {
          await readiness.check();
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
