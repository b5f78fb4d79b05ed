import type { Scope } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError, isAppError } from '@holdfast/foundation/errors';
import { isGraphError, type GraphClient } from '@holdfast/m365';
import type { TenantGraph } from '../backup/index.ts';
import { inOrder, type Listed } from './candidates.ts';

export type ListName = 'users' | 'groups' | 'sites' | 'teams';

/** Lists of the directory in the order of their names, live but not read anew for every page of a picker. */
export interface Directory {
  list(scope: Scope, tenantId: string, name: ListName): Promise<readonly Listed[]>;
  /** The site at an address, also where Microsoft lists no sites to the app (`Sites.Selected`); nothing when there is none. */
  siteAt(scope: Scope, tenantId: string, address: URL): Promise<readonly Listed[]>;
  members(scope: Scope, tenantId: string, groupId: string): Promise<readonly Listed[]>;
  channels(scope: Scope, tenantId: string, teamId: string): Promise<readonly Pick<Listed, 'id' | 'name'>[]>;
}

/** How old a list may be: long enough to page through it, short enough that a newcomer is found. */
const KEPT_MS = 60_000;
/** Lists kept at a time: a list of 50,000 people is about 15 MB. */
const KEPT_LISTS = 16;

interface NamedUser {
  /** Members of a group may be groups, devices and apps too. */
  readonly '@odata.type'?: string | null | undefined;
  readonly id?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly mail?: string | null | undefined;
  readonly userPrincipalName?: string | null | undefined;
  readonly userType?: string | null | undefined;
  readonly accountEnabled?: boolean | null | undefined;
}

function userOf(user: NamedUser): Listed[] {
  const isPerson = (user['@odata.type'] ?? '#microsoft.graph.user') === '#microsoft.graph.user';
  if (typeof user.id !== 'string' || !isPerson) return [];
  const address = user.mail ?? user.userPrincipalName ?? '';
  const kind = user.userType === 'Guest' ? 'guest' : user.accountEnabled === false ? 'sharedMailbox' : 'user';
  return [{ id: user.id, name: user.displayName ?? address, address, kind }];
}

async function collect<In>(source: AsyncIterable<In>, map: (item: In) => readonly Listed[]): Promise<Listed[]> {
  const out: Listed[] = [];
  for await (const item of source) out.push(...map(item));
  return out;
}

function read(graph: GraphClient, name: ListName): Promise<Listed[]> {
  switch (name) {
    case 'users':
      return collect(graph.directory.users(), userOf);
    case 'groups':
    case 'teams':
      return collect(graph.directory.groups({ teamsOnly: name === 'teams' }), (group) =>
        typeof group.id === 'string'
          ? [{ id: group.id, name: group.displayName ?? '', address: group.mail ?? '', kind: name === 'teams' ? 'team' : 'group' }]
          : [],
      );
    case 'sites':
      return collect(graph.sites.allSites(), siteOf);
  }
}

interface NamedSite {
  readonly id?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly webUrl?: string | null | undefined;
}

function siteOf(site: NamedSite): Listed[] {
  if (typeof site.id !== 'string') return [];
  return [{ id: site.id, name: site.displayName ?? site.name ?? '', address: site.webUrl ?? '', kind: 'site' }];
}

/** No site at the address, none of this tenant, or none that the app may open. */
const NO_SITE = [
  'graph.resource-gone',
  'graph.item-gone',
  'graph.bad-request',
  'graph.access-denied',
  'graph.permission-missing',
  'graph.site-archived',
] as const;

/** A group or team that is not there, or that can't be one, is not found; everything else is about the directory. */
function refusalOf(cause: unknown): AppError {
  if (isAppError(cause, 'tenants.deprovisioned')) return cause;
  const isUnknown = isGraphError(cause, 'graph.resource-gone', 'graph.item-gone', 'graph.bad-request');
  return new AppError(isUnknown ? 'not-found' : 'discovery.directory-unavailable', { cause });
}

interface Kept {
  readonly untilMs: number;
  readonly list: Promise<readonly Listed[]>;
}

export function createDirectory(options: { readonly graph: TenantGraph; readonly clock: Clock }): Directory {
  const { graph, clock } = options;
  const kept = new Map<string, Kept>();

  function remember(key: string, load: () => Promise<readonly Listed[]>): Promise<readonly Listed[]> {
    const nowMs = clock.nowMs();
    const found = kept.get(key);
    if (found && found.untilMs > nowMs) return found.list;
    const list = load()
      .then(inOrder)
      .catch((cause: unknown) => {
        kept.delete(key);
        throw refusalOf(cause);
      });
    kept.delete(key);
    kept.set(key, { untilMs: nowMs + KEPT_MS, list });
    const oldest = kept.keys().next().value;
    if (kept.size > KEPT_LISTS && oldest !== undefined) kept.delete(oldest);
    return list;
  }

  const keyOf = (scope: Scope, ...parts: readonly string[]): string => [scope.organisationId, scope.realm, ...parts].join('/');
  return Object.freeze<Directory>({
    list: (scope, tenantId, name) =>
      remember(keyOf(scope, tenantId, name), () => graph.use(scope, tenantId, (client) => read(client, name))),
    async siteAt(scope, tenantId, { hostname, pathname }) {
      try {
        return siteOf(await graph.use(scope, tenantId, (client) => client.sites.siteByPath(hostname, decodeURIComponent(pathname))));
      } catch (cause) {
        if (isGraphError(cause, ...NO_SITE)) return [];
        throw refusalOf(cause);
      }
    },
    members: (scope, tenantId, groupId) =>
      remember(keyOf(scope, tenantId, 'members', groupId), () =>
        graph.use(scope, tenantId, (client) => collect(client.directory.groupMembers({ groupId }), userOf)),
      ),
    channels: (scope, tenantId, teamId) =>
      remember(keyOf(scope, tenantId, 'channels', teamId), () =>
        graph.use(scope, tenantId, (client) =>
          collect(client.teams.channels({ teamId }), ({ id, displayName }) => [{ id, name: displayName ?? '', address: '', kind: 'team' }]),
        ),
      ),
  });
}
