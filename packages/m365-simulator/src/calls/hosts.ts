import type { Host } from '../http/host.ts';

export type HostKind = Host | 'login';

const FIXED: Readonly<Record<string, HostKind>> = {
  'login.microsoftonline.com': 'login',
  'graph.microsoft.com': 'graph',
  'outlook.office.com': 'outlook',
  'outlook.office365.com': 'outlookImport',
  'reports.office.com': 'reports',
};

/** What a certificate must name so that every host of the service is covered. */
export const certificateNames: readonly string[] = [...Object.keys(FIXED), '*.sharepoint.com', 'localhost'];

/** The part of the service behind a host name; `undefined` for a name that is not Microsoft's. */
export function hostKind(name: string): HostKind | undefined {
  const lower = name.toLowerCase();
  return FIXED[lower] ?? (/^[a-z0-9-]+\.sharepoint\.com$/u.test(lower) ? 'sharepoint' : undefined);
}

/** Where a request goes, by its Host header and path. */
export interface Address {
  readonly kind: HostKind;
  readonly hostName: string;
  /** `https://host:port`, and in direct mode the prefix that names the host. */
  readonly origin: string;
  /** What links on other hosts begin with: empty when real names are used. */
  readonly direct: string;
  /** Path without the prefix, encoded. */
  readonly path: string;
  readonly query: string;
}

const knownHeaders = new Map<string, { readonly name: string; readonly kind: HostKind | undefined }>();
const KNOWN_HEADERS = 200;

/** Name and kind of a Host header. */
function readHeader(hostHeader: string): { readonly name: string; readonly kind: HostKind | undefined } {
  let known = knownHeaders.get(hostHeader);
  if (!known) {
    const name = hostHeader.replace(/:\d+$/u, '');
    known = { name, kind: hostKind(name) };
    if (knownHeaders.size >= KNOWN_HEADERS) knownHeaders.clear();
    knownHeaders.set(hostHeader, known);
  }
  return known;
}

/**
 * Reads an address. By the real names (through the proxy) the Host header decides; on the simulator's own address the
 * first segment is a host name, or `/v1.0` and `/beta` are Graph and all else is sign-in.
 */
export function readAddress(hostHeader: string, url: string): Address {
  const at = url.indexOf('?');
  const path = at < 0 ? url : url.slice(0, at);
  const query = at < 0 ? '' : url.slice(at + 1);
  const { name, kind: real } = readHeader(hostHeader);
  if (real) return { kind: real, hostName: name, origin: `https://${hostHeader}`, direct: '', path, query };
  const origin = `https://${hostHeader}`;
  const end = path.indexOf('/', 1);
  const first = path.slice(1, end < 0 ? undefined : end);
  const prefixed = first.includes('.') && first !== 'v1.0' ? hostKind(first) : undefined;
  if (prefixed) {
    const rest = end < 0 ? '/' : path.slice(end);
    return { kind: prefixed, hostName: first, origin: `${origin}/${first}`, direct: origin, path: rest, query };
  }
  const isGraph = first === 'v1.0' || first === 'beta';
  return { kind: isGraph ? 'graph' : 'login', hostName: name, origin, direct: origin, path, query };
}
