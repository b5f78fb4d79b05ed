import { outlookRoutes } from './outlook-routes.ts';
import type { RouteCost } from './route-cost.ts';
import { sharePointRoutes } from './sharepoint-routes.ts';
import { teamsRoutes } from './teams-routes.ts';

const unit = (units: number): RouteCost => ({ service: 'directory', units });

/** The directory: `GET users` costs 2 and `$select` takes one off; members cost 3. */
const directoryRoutes = {
  'GET /organization': unit(1),
  'GET /subscribedSkus': unit(1),
  'GET /users': unit(1),
  'GET /users/delta': unit(1),
  'GET /users/{id}': unit(1),
  'GET /users/{id}/licenseDetails': unit(1),
  'GET /directory/deletedItems/microsoft.graph.user': unit(1),
  'GET /groups': unit(1),
  'GET /groups/delta': unit(1),
  'GET /groups/{id}/owners': unit(1),
  'GET /groups/{id}/transitiveMembers': unit(4),
  'GET /admin/reportSettings': unit(1),
  'GET /reports/getMailboxUsageDetail(period={value})': { service: 'report' },
  'GET /reports/getOneDriveUsageAccountDetail(period={value})': { service: 'report' },
  'GET /reports/getSharePointSiteUsageDetail(period={value})': { service: 'report' },
  'GET /reports/getTeamsTeamActivityDetail(period={value})': { service: 'report' },
  'GET reports:{reportUrl}': { service: 'none' },
  'POST /$batch': { service: 'none' },
} as const satisfies Record<string, RouteCost>;

/** Every request this client can send. Nothing else can be written down: the name is the type of a call's first field. */
export const routes = { ...directoryRoutes, ...outlookRoutes, ...sharePointRoutes, ...teamsRoutes } as const satisfies Record<
  string,
  RouteCost
>;

export type RouteName = keyof typeof routes;
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export function costOf(route: RouteName): RouteCost {
  return routes[route];
}

export function methodOf(route: RouteName): Method {
  return route.slice(0, route.indexOf(' ')) as Method;
}

/** `false` for addresses that carry their own permission: no token may go there. */
export function isGraphRoute(route: RouteName): boolean {
  return route.startsWith('/', route.indexOf(' ') + 1);
}

function encodeSegment(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%40', '@').replaceAll('%21', '!');
}

/** A path keeps its slashes; each of its names is encoded for itself. A colon would end it, so it is always encoded. */
function encodePath(value: string): string {
  return value
    .split('/')
    .map((name) => encodeURIComponent(name).replaceAll("'", '%27'))
    .join('/');
}

/** The path below the service's root, version included, with parameters in order of their places. */
export function pathOf(route: RouteName, params: readonly string[]): string {
  const template = route.slice(route.indexOf(' ') + 1);
  let position = 0;
  const path = template.replaceAll(/\{(\w+)\}/g, (_, kind: string) => {
    const value = params[position] ?? '';
    position += 1;
    if (value === '' || value === '.' || value === '..') throw new RangeError(`Parameter ${position} of ${route} is empty or no name.`);
    if (kind === 'value') return `'${encodeURIComponent(value)}'`;
    return kind === 'path' || kind === 'name' ? encodePath(value) : encodeSegment(value);
  });
  return path.startsWith('/beta/') ? path : `/v1.0${path}`;
}
