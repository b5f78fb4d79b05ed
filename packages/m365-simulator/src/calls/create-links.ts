import type { Links, SignedLink } from '../http/links.ts';
import { signHs256 } from '../login/jwt.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Address } from './hosts.ts';
import { createHash } from 'node:crypto';

/** Where the token stands in the query of each host. */
export const tokenParameters = { sharepoint: 'tempauth', outlook: 'authtoken', outlookImport: 'authtoken', reports: 'token' } as const;

/** Binds a link to its path without repeating it in the token. */
export function pathMark(path: string): string {
  return createHash('sha256').update(path).digest('base64url').slice(0, 16);
}

function encodeQuery(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name.replace(/^%24/u, '$')}=${encodeURIComponent(value)}`)
    .join('&');
}

/** Links for one request: they begin as the request's own address does. */
export function createLinks(address: Address, tenant: Tenant, appId: string): Links {
  const version = address.path.startsWith('/beta') ? 'beta' : 'v1.0';
  const graph = address.kind === 'graph' ? `${address.origin}/${version}` : `${address.direct || 'https://graph.microsoft.com'}/v1.0`;
  const self = `${address.origin}${address.path}`;
  return {
    graph,
    self,
    context: (fragment) => `${graph}/$metadata#${fragment}`,
    withQuery: (parameters) => `${self}?${encodeQuery(parameters)}`,
    signed(link: SignedLink) {
      const exp = Math.floor(tenant.clock.nowMs() / 1000) + link.livesSeconds;
      const status = link.expiredStatus === undefined ? {} : { st: link.expiredStatus };
      const token = signHs256(tenant.key, {
        tid: tenant.tenantId,
        exp,
        app: appId,
        host: link.host,
        mark: pathMark(link.path),
        ...status,
        claims: link.claims,
      });
      const base = address.direct === '' ? `https://${link.hostName}` : `${address.direct}/${link.hostName}`;
      const query = link.query === undefined ? '' : `${link.query}&`;
      return `${base}${link.path}?${query}${tokenParameters[link.host]}=${token}`;
    },
  };
}
