import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public addresses of the internet alone; everything else leads inwards. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() === 'unicast';
}

type Resolve = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

const resolveAll: Resolve = (host) => lookup(host, { all: true });

/** The addresses of a host; `refused` when one of them leads inwards. */
export async function publicAddresses(host: string, refused: () => Error, resolve: Resolve = resolveAll): ReturnType<Resolve> {
  const found = await resolve(host);
  if (found.length === 0 || found.some(({ address }) => !isPublicAddress(address))) throw refused();
  return found;
}

/**
 * Resolves the host of each connection once and gives out addresses that were checked: a name that is changed after a
 * check leads nowhere. Node asks it for names only; an address given instead of a name is checked beforehand.
 */
export function publicLookup(refused: () => Error, resolve: Resolve = resolveAll): LookupFunction {
  return (host, { all = false }, done) => {
    const answer = async (): Promise<void> => {
      const found = await publicAddresses(host, refused, resolve).catch((error: unknown) => error as Error);
      if (found instanceof Error) done(found, '');
      else if (all) done(null, [...found]);
      else done(null, found[0]?.address ?? '', found[0]?.family);
    };
    void answer();
  };
}

/** The host of an address, an IPv6 one without its brackets. */
export function hostOf(address: Pick<URL, 'hostname'>): string {
  return address.hostname.replaceAll(/^\[|\]$/g, '');
}

/** Whether the operator allowed a host that may lead inwards, with or without its port. */
export function isAllowedHost(address: Pick<URL, 'host' | 'hostname'>, allowedHosts: readonly string[]): boolean {
  return allowedHosts.includes(address.host) || allowedHosts.includes(hostOf(address));
}
