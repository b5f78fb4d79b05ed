/** The bound that the simulator is held against: one HTTPS route of Fastify that answers so many bytes from memory. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { createServerCertificate } from '../../packages/m365-simulator/src/server/certificates.ts';

const tls = await createServerCertificate(['localhost']);
const bodies = new Map<number, Buffer>();
const server = Fastify({ https: { key: tls.key, cert: tls.certificate } });
server.get<{ Params: { readonly size: string } }>('/:size', (request, reply) => {
  const size = Number(request.params.size);
  let body = bodies.get(size);
  if (!body) {
    body = Buffer.alloc(size, 'x');
    bodies.set(size, body);
  }
  return reply.type('application/octet-stream').send(body);
});
const address = await server.listen({ port: 0, host: '127.0.0.1' });
const ca = join(mkdtempSync(join(tmpdir(), 'holdfast-bench-')), 'ca.pem');
writeFileSync(ca, tls.ca);
console.log(JSON.stringify({ graph: address, ca }));
process.once('SIGTERM', () => process.exit(0));
