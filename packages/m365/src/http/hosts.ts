import { graphError } from '../errors/errors.ts';

/** Hosts of public cloud addresses that carry their own permission. A leading dot stands for any name below. */
const CONTENT_HOSTS = ['.sharepoint.com', 'outlook.office.com', 'outlook.office365.com', 'reports.office.com'] as const;

/** Where requests may go. Everything else the service names is refused, so that an answer can't send a token elsewhere. */
export interface HostRules {
  /** A link of a Graph answer (`nextLink`, `deltaLink`, `Location`): the configured origin only. */
  checkGraphLink(link: string): URL;
  /** An address with its own permission: Graph's origin, when that is not Microsoft's, or a known content host. */
  checkContentAddress(address: string): URL;
}

function parse(address: string, base: string): URL {
  const url = URL.parse(address, base);
  if (!url) throw graphError('graph.unexpected-response', { reason: 'address is no URL' });
  return url;
}

function refuse(url: URL): never {
  throw graphError('graph.foreign-host', { host: url.host });
}

/** Rules for one tenant's endpoints. Throws `graph.foreign-host` for what they don't allow. */
export function createHostRules(graphUrl: string, contentHosts: readonly string[] = CONTENT_HOSTS): HostRules {
  const graph = new URL(graphUrl);
  const isMicrosoft = graph.host === 'graph.microsoft.com';
  function isContentHost(url: URL): boolean {
    if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
    if (url.origin === graph.origin) return !isMicrosoft;
    if (url.port !== '') return false;
    return contentHosts.some((host) => (host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host));
  }
  return Object.freeze({
    checkGraphLink(link: string) {
      const url = parse(link, graph.origin);
      const isPlain = url.username === '' && url.password === '';
      return url.origin === graph.origin && isPlain ? url : refuse(url);
    },
    checkContentAddress(address: string) {
      const url = parse(address, graph.origin);
      return isContentHost(url) ? url : refuse(url);
    },
  });
}
