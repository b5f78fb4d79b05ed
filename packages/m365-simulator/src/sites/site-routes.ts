import { deltaPage } from '../delta/delta-page.ts';
import { type Feed, positionsOf } from '../state/feed.ts';
import { listPage } from '../delta/list-page.ts';
import type { JsonObject } from '../values/json.ts';
import { ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { type ChangeLog, createChangeLog, noteChange } from '../state/change-log.ts';
import type { Tenant } from '../state/tenant.ts';
import { requireSite } from '../places/find-site.ts';
import { placesOf, type SitePlace } from '../places/places.ts';
import { renderSite } from './render-site.ts';

interface SitesState {
  /** Ids in the order in which the sites appeared. */
  readonly order: string[];
  readonly known: Set<string>;
  readonly log: ChangeLog;
}

/** Sites in a lasting order: those that appear later come last, and those that go leave a hole and a note. */
function siteFeed(tenant: Tenant): Feed<SitePlace> {
  const places = placesOf(tenant);
  const isFirst = tenant.store.peek('sites') === undefined;
  const state = tenant.store.state<SitesState>('sites', () => ({ order: [], known: new Set(), log: createChangeLog() }));
  for (const { id } of places.sites) {
    if (state.known.has(id)) continue;
    state.order.push(id);
    state.known.add(id);
    if (!isFirst) noteChange(state.log, id);
  }
  for (const id of state.known) {
    if (places.site(id)) continue;
    state.known.delete(id);
    noteChange(state.log, id);
  }
  return {
    size: state.order.length,
    at: (position) => places.site(state.order[position] ?? ''),
    log: state.log,
    current: (id) => places.site(id),
  };
}

/** The next page of this list goes by another name of the function, as in the service: links are to be used as they are. */
function renamed(reply: Reply): Reply {
  const json = reply.json as JsonObject;
  const next = json['@odata.nextLink'];
  if (typeof next !== 'string') return reply;
  const link = next.replace(/\/sites\/getAllSites(?:\(\))?\?/i, '/sites/microsoft.graph.getAllSites()?');
  return { ...reply, json: { ...json, '@odata.nextLink': link } };
}

function getAllSites(context: Context): Reply {
  return renamed(
    listPage(context, {
      items: siteFeed(context.tenant),
      context: 'sites',
      defaultSize: 100,
      maxSize: 999,
      render: (site) => renderSite(context, site),
    }),
  );
}

function search(context: Context): Reply {
  const wanted = (context.query.search ?? '*').replaceAll(/["*]/g, '').toLowerCase();
  return listPage(context, {
    items: siteFeed(context.tenant),
    context: 'sites',
    defaultSize: 100,
    maxSize: 999,
    includes: (site) => site.kind !== 'personal' && `${site.displayName} ${site.path}`.toLowerCase().includes(wanted),
    render: (site) => renderSite(context, site),
  });
}

function sitesDelta(context: Context): Reply {
  return deltaPage(context, {
    feed: siteFeed(context.tenant),
    resource: 'sites',
    context: 'sites',
    defaultSize: 100,
    maxSize: 999,
    render: (site, query) => renderSite(context, site, query.select),
    removed: (id) => ({ id, '@removed': { reason: 'deleted' } }),
  });
}

function readSite(context: Context, site: SitePlace): Reply {
  return ok({ '@odata.context': context.links.context('sites/$entity'), ...renderSite(context, site) });
}

function subsites(context: Context): Reply {
  const parent = requireSite(context);
  return listPage(context, {
    items: positionsOf(placesOf(context.tenant).sites.filter((site) => site.parentId === parent.id)),
    context: `sites('${parent.id}')/sites`,
    defaultSize: 100,
    maxSize: 999,
    render: (site) => renderSite(context, site),
  });
}

const LIST = ['$select', '$top'];

/** Sites by id, by address, by search, and all of them. */
export const siteRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/sites/getAllSites', service: 'sites', query: LIST, handler: getAllSites },
  { method: 'GET', path: '/sites/delta', service: 'sites', query: LIST, handler: sitesDelta },
  { method: 'GET', path: '/sites', service: 'sites', query: [...LIST, 'search'], handler: search },
  {
    method: 'GET',
    path: '/sites/{id}',
    service: 'sites',
    query: ['$select'],
    handler: (context) => readSite(context, requireSite(context)),
  },
  {
    method: 'GET',
    path: '/sites/{id}:/{path}',
    like: '/sites/{id}',
    service: 'sites',
    query: ['$select'],
    handler: (context) => readSite(context, requireSite(context, `${context.params[0] ?? ''}:/${context.params[1] ?? ''}`)),
  },
  { method: 'GET', path: '/sites/{id}/sites', service: 'sites', query: LIST, handler: subsites },
];
