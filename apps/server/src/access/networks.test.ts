import { expect, test } from 'vitest';
import { isWithin } from './networks.ts';

test('an address counts as within its network, in either spelling of IPv4', () => {
  const networks = ['203.0.113.7', '198.51.100.0/24', '2001:db8:1::/48'];
  for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '198.51.100.255', '2001:db8:1:ffff::1']) {
    expect([address, isWithin(networks, address)]).toEqual([address, true]);
  }
  for (const address of ['203.0.113.8', '198.51.101.0', '2001:db8:2::1', '::1', '']) {
    expect([address, isWithin(networks, address)]).toEqual([address, false]);
  }
});

test('without networks every address is allowed, one that is not known included', () => {
  expect(['203.0.113.8', '2001:db8::1', ''].map((address) => isWithin([], address))).toEqual([true, true, true]);
});
