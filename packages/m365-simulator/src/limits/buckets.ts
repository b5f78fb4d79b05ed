import type { IncomingHttpHeaders } from 'node:http';
import type { RouteEntry } from '../http/route.ts';
import type { Tenant } from '../state/tenant.ts';

/** One limit that counts for a request. */
export interface Bucket {
  /** App, tenant, and what the limit is about. */
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly cost: number;
  /** What a client must pause when this one is full; several buckets share it. */
  readonly scope: string;
  readonly kind: 'requests' | 'units' | 'bytes';
}

/** A request as the limits see it. */
export interface Counted {
  readonly tenant: Tenant;
  readonly appId: string;
  readonly route: RouteEntry;
  readonly method: string;
  readonly params: readonly string[];
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The share of a limit of Teams that may be used without a pause. */
const SUSTAINED = 0.83;
const HOUR_MS = 3_600_000;
const MEGABYTE = 1024 * 1024;
/** In and out of SharePoint in an hour, each. */
const TRANSFER_BYTES = 400 * 1024 * MEGABYTE;

/** Licences up to which a step of the SharePoint limits holds, units a minute, and units a day. As of 2025-10. */
const SHAREPOINT_STEPS = [
  [1000, 1250, 1_200_000],
  [5000, 2500, 2_400_000],
  [15_000, 3750, 3_600_000],
  [50_000, 5000, 4_800_000],
  [Infinity, 6250, 6_000_000],
] as const;

/** Users up to which a step of the directory limits holds, and units in ten seconds. */
const DIRECTORY_STEPS = [
  [50, 3500],
  [500, 5000],
  [Infinity, 8000],
] as const;

function memberCount(tenant: Tenant): number {
  return tenant.recipe.people.members;
}

/** The mailbox that a request of Outlook is about. */
export function mailboxOf(counted: Counted): string {
  const name = counted.params[0] ?? '';
  const id = /^MBX:([0-9a-f-]{36})@/u.exec(name)?.[1] ?? name;
  return counted.tenant.directory.user(id)?.id ?? id;
}

function outlookBuckets(counted: Counted): Bucket[] {
  const scope = `outlook/${counted.appId}/${mailboxOf(counted)}`;
  const requests: Bucket = { key: `${scope}/requests`, scope, limit: 10_000, windowMs: 10 * MINUTE_MS, cost: 1, kind: 'requests' };
  const bytes = Number(counted.headers['content-length'] ?? 0);
  if (counted.method === 'GET' || bytes === 0) return [requests];
  return [requests, { key: `${scope}/upload`, scope, limit: 150 * MEGABYTE, windowMs: 5 * MINUTE_MS, cost: bytes, kind: 'bytes' }];
}

/** 1 for one item, a download, a delta with token; 2 for lists and writes; 5 for anything on permissions. */
export function sharePointCost(counted: Counted): number {
  const { route, method, query } = counted;
  if (route.host === 'sharepoint') return method === 'GET' ? 1 : 2;
  if (/\/(?:permissions|invite|createLink)$/u.test(route.path) || /\$expand=[^&]*permissions/u.test(decodeURIComponent(query))) return 5;
  if (method !== 'GET') return 2;
  if (route.path.endsWith('/delta')) return /(?:^|&)(?:token|\$?(?:skip|delta)token)=/u.test(decodeURIComponent(query)) ? 1 : 2;
  const isList = /\/(?:children|versions|drives|lists|items|sites|columns|contentTypes|pages|getAllSites)$/u.test(route.path);
  return isList ? 2 : 1;
}

function sharePointBuckets(counted: Counted): Bucket[] {
  const { appId, tenant, route } = counted;
  const scope = `sharepoint/${appId}/${tenant.tenantId}`;
  const step = SHAREPOINT_STEPS.find(([licences]) => memberCount(tenant) <= licences) ?? SHAREPOINT_STEPS[4];
  const cost = sharePointCost(counted);
  const buckets: Bucket[] = [
    { key: `${scope}/minute`, scope, limit: step[1], windowMs: MINUTE_MS, cost, kind: 'units' },
    { key: `${scope}/day`, scope, limit: step[2], windowMs: DAY_MS, cost, kind: 'units' },
    { key: `sharepoint/${tenant.tenantId}/all`, scope, limit: step[1] * 15, windowMs: 5 * MINUTE_MS, cost, kind: 'units' },
  ];
  if (/\/(?:invite|createLink)$/u.test(route.path))
    buckets.push({ key: `${scope}/sharing`, scope, limit: 300, windowMs: 5 * MINUTE_MS, cost: 1, kind: 'requests' });
  const transfer = transferBucket(counted, scope);
  return transfer ? [...buckets, transfer] : buckets;
}

/** Bytes that go in are counted when they come; those that go out by `sent`, when the answer is made. */
function transferBucket(counted: Counted, scope: string): Bucket | undefined {
  const bytesIn = counted.method === 'PUT' ? Number(counted.headers['content-length'] ?? 0) : 0;
  const bytes = { scope, limit: TRANSFER_BYTES, windowMs: HOUR_MS, kind: 'bytes' } as const;
  if (bytesIn > 0) return { ...bytes, key: `${scope}/in`, cost: bytesIn };
  return isDownload(counted) ? { ...bytes, key: `${scope}/out`, cost: 0 } : undefined;
}

/** True for the content of files. */
export function isDownload({ route, method }: Counted): boolean {
  return route.host === 'sharepoint' && method === 'GET';
}

type Family = readonly [name: string, perSecond: number];

/** Calls of Teams with a rate of their own, by method and path. The first that fits counts. */
const TEAMS_FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/^GET .*\/getAllMessages$/u, ['export', 200]],
  [/^GET \/(?:chats|users)\/.*\/messages(?:\/|$)/u, ['chatMessages', 20]],
  [/^GET .*\/messages(?:\/|$)/u, ['channelMessages', 20]],
  [/^GET \/users\/\{id\}\/chats$/u, ['chatsOfUsers', 20]],
  [/^GET .*\/(?:members|channels|allChannels)$/u, ['lists', 60]],
  [/^GET /u, ['get', 30]],
  [/^DELETE /u, ['delete', 15]],
  [/^POST \/teams$/u, ['createTeam', 10]],
  [/^POST \/chats$/u, ['createChat', 20]],
  [/^POST .*\/channels$/u, ['createChannel', 10]],
  [/^POST .*\/members(?:\/add)?$/u, ['addMember', 10]],
  [/\/completeMigration$/u, ['completeMigration', 10]],
  [/^\S+ \/chats\/.*\/messages(?:\/|$)/u, ['postChat', 20]],
  [/\/messages(?:\/|$)/u, ['postChannel', 50]],
];

/** The family of a Teams call, and how many of it a second the app may send to the tenant. */
function teamsFamily(method: string, path: string): Family {
  const call = `${method} ${path}`;
  return TEAMS_FAMILIES.find(([pattern]) => pattern.test(call))?.[1] ?? ['write', 30];
}

/** The channel or chat that a call is about; empty when it is about a whole team, or a list. */
function conversationOf({ route, params }: Counted): string {
  if (route.path.startsWith('/teams/{id}/channels/{id}')) return params[1] ?? '';
  return route.path.startsWith('/chats/{id}') ? (params[0] ?? '') : '';
}

function teamsBuckets(counted: Counted): Bucket[] {
  const { appId, tenant, route, method, params } = counted;
  const base = `teams/${appId}/${tenant.tenantId}`;
  const [family, perSecond] = teamsFamily(method, route.path);
  const bucket = (scope: string, limit: number, windowMs: number): Bucket => ({
    key: scope,
    scope,
    limit,
    windowMs,
    cost: 1,
    kind: 'requests',
  });
  const whole = bucket(`${base}/${family}`, perSecond, SECOND_MS);
  const sustained = { ...whole, key: `${whole.key}/sustained`, limit: Math.floor(perSecond * 60 * SUSTAINED), windowMs: MINUTE_MS };
  const buckets = [whole, sustained];
  const [first = ''] = params;
  const conversation = conversationOf(counted);
  if (route.path.startsWith('/teams/{id}')) buckets.push(bucket(`${base}/team/${first}/${family}`, 4, SECOND_MS));
  if (conversation !== '') buckets.push(bucket(`${base}/conversation/${conversation}/${family}`, 1, SECOND_MS));
  if (route.path.startsWith('/users/{id}/chats')) buckets.push(bucket(`${base}/chatsOf/${first}/${family}`, 5, SECOND_MS));
  if (method === 'POST' && /\/members(?:\/add)?$/u.test(route.path))
    buckets.push(bucket(`${base}/addMember/${first}/${family}`, 4, MINUTE_MS));
  return buckets;
}

const DIRECTORY_COSTS: Readonly<Record<string, number>> = { '/users': 2, '/groups/{id}/members': 3, '/groups/{id}/transitiveMembers': 5 };

/** Units of a directory call: more for lists of users and members, less with `$select` or a small `$top`. */
export function directoryCost(counted: Counted): number {
  const query = new URLSearchParams(counted.query);
  let cost = DIRECTORY_COSTS[counted.route.path] ?? 1;
  if (query.has('$select')) cost -= 1;
  if (query.has('$expand')) cost += 1;
  if (query.has('$top') && Number(query.get('$top')) < 20) cost -= 1;
  return Math.max(1, cost);
}

function directoryBuckets(counted: Counted): Bucket[] {
  const scope = `directory/${counted.appId}/${counted.tenant.tenantId}`;
  const step = DIRECTORY_STEPS.find(([users]) => memberCount(counted.tenant) < users) ?? DIRECTORY_STEPS[2];
  const buckets: Bucket[] = [
    { key: `${scope}/units`, scope, limit: step[1], windowMs: 10 * SECOND_MS, cost: directoryCost(counted), kind: 'units' },
  ];
  if (counted.method !== 'GET')
    buckets.push({ key: `${scope}/writes`, scope, limit: 3000, windowMs: 150 * SECOND_MS, cost: 1, kind: 'requests' });
  return buckets;
}

function reportBuckets(counted: Counted): Bucket[] {
  if (!counted.route.path.startsWith('/reports/')) return [];
  const scope = `reports/${counted.appId}/${counted.tenant.tenantId}/${counted.route.path}`;
  return [{ key: scope, scope, limit: 14, windowMs: 10 * MINUTE_MS, cost: 1, kind: 'requests' }];
}

/** All limits that count for a request: those of its service, and the one of the app over all tenants. */
export function bucketsOf(counted: Counted): Bucket[] {
  const scope = `app/${counted.appId}`;
  const app: Bucket = { key: scope, scope, limit: 130_000, windowMs: 10 * SECOND_MS, cost: 1, kind: 'requests' };
  switch (counted.route.service) {
    case 'outlook':
      return [...outlookBuckets(counted), app];
    case 'drives':
    case 'sites':
      return [...sharePointBuckets(counted), app];
    case 'teams':
      return [...teamsBuckets(counted), app];
    case 'directory':
      return [...directoryBuckets(counted), app];
    case 'reports':
      return [...reportBuckets(counted), app];
    case 'core':
      return [app];
  }
}
