import type { FastifyRequest } from 'fastify';
import { isIPv6 } from 'node:net';
import { isLoopback } from '../settings/loopback.ts';

/** The caller's address; undefined once the connection was reset, whatever Fastify's types say. */
export function callerAddress(request: FastifyRequest): string | undefined {
  return request.ip;
}

/** The four groups of an IPv6 address that name a network, with `::` written out. */
function networkOf(address: string): string {
  const [before = '', after] = address.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? [] : Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}

/**
 * What limits by address count: a household or a server has a whole IPv6 network (/64) and could change its address
 * with every request. This machine itself is not limited and has none.
 */
export function limitedAddress(request: FastifyRequest): string | undefined {
  const address = callerAddress(request)?.replace(/^::ffff:(?=\d+\.)/, '');
  if (address === undefined || isLoopback(address)) return undefined;
  return isIPv6(address) ? `${networkOf(address)}::/64` : address;
}

function hostName(host: string | undefined): string {
  const address = `http://${host ?? ''}`;
  return URL.canParse(address) ? new URL(address).hostname : '';
}

/**
 * Whether a person or program on this machine asks, under a name of this machine. A proxy's caller is elsewhere, and
 * another name may be a page of another site whose name was pointed at this machine.
 */
export function isFromThisMachine(request: FastifyRequest): boolean {
  const { headers, socket } = request;
  if (headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined || headers['x-forwarded-host'] !== undefined)
    return false;
  return isLoopback(socket.remoteAddress ?? '') && isLoopback(hostName(headers.host));
}
