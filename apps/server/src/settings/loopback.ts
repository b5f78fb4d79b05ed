import { isIPv4 } from 'node:net';

/** True for an address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  return bare === 'localhost' || bare === '::1' || (isIPv4(bare.replace(/^::ffff:/, '')) && /^(?:::ffff:)?127\./.test(bare));
}
