import { isIP } from 'node:net';

/** The installation as browsers and devices know it: passkeys are bound to this name and answer at this origin alone. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** Undefined where no browser allows passkeys: at a bare IP address, and without TLS anywhere but on this machine. */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  if (!URL.canParse(publicUrl)) return undefined;
  const { hostname, origin, protocol } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isName = isIP(hostname.replaceAll(/[[\]]/g, '')) === 0;
  return isName && (protocol === 'https:' || isLocal) ? { id: hostname, origin } : undefined;
}
