import { BlockList, isIPv6 } from 'node:net';

/** An IPv4 address that came by an IPv6 socket is the IPv4 address. */
const bare = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Whether an address is one of these addresses or in one of these networks. An empty list allows every address. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  const asked = bare(address);
  const allowed = new BlockList();
  for (const network of networks) {
    const [base = '', bits] = network.split('/');
    const family = isIPv6(base) ? 'ipv6' : 'ipv4';
    if (bits === undefined) allowed.addAddress(base, family);
    else allowed.addSubnet(base, Number(bits), family);
  }
  return asked !== '' && allowed.check(asked, isIPv6(asked) ? 'ipv6' : 'ipv4');
}
