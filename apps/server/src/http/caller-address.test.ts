import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { isLoopback } from '../settings/loopback.ts';
import { callerAddress, limitedAddress } from './caller-address.ts';

function from(ip: string | undefined): FastifyRequest {
  return { ip } as FastifyRequest;
}

test('a caller whose connection was reset has no address, and that is no error', () => {
  expect(callerAddress(from(undefined))).toBeUndefined();
  expect(limitedAddress(from(undefined))).toBeUndefined();
});

test('limits count IPv4 by address and IPv6 by network, however they are written', () => {
  expect(limitedAddress(from('203.0.113.7'))).toBe('203.0.113.7');
  expect(limitedAddress(from('::ffff:203.0.113.7'))).toBe('203.0.113.7');
  expect(limitedAddress(from('2001:db8:1:2:3:4:5:6'))).toBe('2001:db8:1:2::/64');
  expect(limitedAddress(from('2001:db8:1:2::1'))).toBe('2001:db8:1:2::/64');
  expect(limitedAddress(from('2001:db8::1'))).toBe('2001:db8:0:0::/64');
});

test('this machine is loopback and nothing that only looks like it', () => {
  for (const own of ['127.0.0.1', '127.8.9.1', '::1', '[::1]', '::ffff:127.0.0.1', 'localhost']) expect(isLoopback(own)).toBe(true);
  for (const other of ['127.example.com', '10.0.0.1', 'localhost.example.com', '', '::2']) expect(isLoopback(other)).toBe(false);
});
