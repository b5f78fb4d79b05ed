/**
 * A Fastify route that does nothing, as a bound for bench/api.ts.
 *
 *   naked    Fastify alone.
 *   dressed  Fastify with what every answer of an API on the open network needs, from the libraries alone: an id, the
 *            same security headers as ours, and a limit in memory by credential.
 */
import { createRequire } from 'node:module';
import { createHash, randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { answerPolicy, everyAnswer } from '../../apps/server/src/http/security-headers.ts';

interface Limiter {
  consume(key: string): Promise<unknown>;
}

/** The server's own copies: a bound made of other versions would be another bound. */
const ofServer = createRequire(new URL('../../apps/server/package.json', import.meta.url));
const MANY = 1_000_000_000;

function dress(server: FastifyInstance): void {
  const { RateLimiterMemory } = ofServer('rate-limiter-flexible') as {
    RateLimiterMemory: new (options: { points: number; duration: number }) => Limiter;
  };
  const limiter = new RateLimiterMemory({ points: MANY, duration: 60 });
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...everyAnswer, 'content-security-policy': answerPolicy, 'x-request-id': request.id, 'cache-control': 'no-store' });
    done();
  });
  server.addHook('onRequest', async (request) => {
    await limiter.consume(
      createHash('sha256')
        .update(request.headers.authorization ?? request.ip)
        .digest('base64url'),
    );
  });
}

const server = process.argv[2] === 'dressed' ? Fastify({ genReqId: () => randomUUID() }) : Fastify();
if (process.argv[2] === 'dressed') dress(server);
server.get('/', async () => ({ email: 'bench@example.com', isEmailConfirmed: true }));
console.log(JSON.stringify({ address: await server.listen({ port: 0, host: '127.0.0.1' }) }));
