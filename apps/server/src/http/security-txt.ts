import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { FastifyInstance } from 'fastify';

const PATH = '/.well-known/security.txt';
/** RFC 9116 wants less than a year; whoever reads it later asks again. */
const VALID_MS = 180 * 24 * 60 * 60_000;

export interface SecurityTxtOptions {
  /** Where a weakness is reported, as the operator says; nowhere when empty. */
  readonly contacts: readonly string[];
  readonly publicUrl: string;
  readonly clock: Clock;
}

/** `GET /.well-known/security.txt`: whom to tell of a weakness in this installation (RFC 9116). */
export function serveSecurityTxt(server: FastifyInstance, { contacts, publicUrl, clock }: SecurityTxtOptions): void {
  server.get(PATH, async (_request, reply) => {
    if (contacts.length === 0) throw new AppError('not-found');
    const lines = [
      ...contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${new Date(now(clock).getTime() + VALID_MS).toISOString()}`,
      `Canonical: ${new URL(PATH, publicUrl).href}`,
      'Preferred-Languages: en, de',
    ];
    return reply
      .header('content-type', 'text/plain; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(`${lines.join('\n')}\n`);
  });
}
