import type { ContentType, List, ListItem, ListItemVersion, Site, SitePage } from '@microsoft/microsoft-graph-types';
import { graphError } from '../errors/errors.ts';
import type { Caller } from '../client/caller.ts';
import type { Body, CreateOptions, Known } from '../client/calls.ts';
import { asObject } from '../client/checks.ts';
import { readDelta } from '../client/paging/delta.ts';
import { list } from '../client/paging/listing.ts';
import { UNSIZED, type PageSize } from '../client/paging/page.ts';
import type { Listing } from '../client/paging/paging-types.ts';
import type { GraphCall } from '../client/request/graph-call.ts';
import type { ListItemRef, ListRef, SiteCalls } from './sites-api.ts';

const PAGE: PageSize = { by: 'top', size: 200 };
const LIST_FIELDS = 'id,name,displayName,description,createdDateTime,lastModifiedDateTime,webUrl,list,system,eTag,parentReference';
const WITH_FIELDS = { $expand: 'fields' };
const PAGE_TYPE = '#microsoft.graph.sitePage';

type SiteReads = Pick<
  SiteCalls,
  'allSites' | 'siteDelta' | 'search' | 'site' | 'siteByPath' | 'subsites' | 'siteColumns' | 'siteContentTypes'
>;
type ListReads = Pick<SiteCalls, 'lists' | 'list' | 'columns' | 'listContentTypes' | 'items' | 'itemDelta' | 'item' | 'itemVersions'>;
type PageCalls = Pick<SiteCalls, 'pages' | 'page' | 'createPage' | 'updatePage' | 'publishPage' | 'deletePage'>;
type WriteCalls = Omit<SiteCalls, keyof SiteReads | keyof ListReads | keyof PageCalls>;

const inList = ({ siteId, listId }: ListRef): readonly string[] => [siteId, listId];
const inItem = ({ siteId, listId, itemId }: ListItemRef): readonly string[] => [siteId, listId, itemId];

function withoutPersonal(sites: Listing<Known<Site>>): Listing<Known<Site>> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const site of sites) if (site.isPersonalSite !== true) yield site;
    },
  };
}

/** Host and path are one key of the address, so neither may lead out of it. */
async function siteByPath(caller: Caller, hostName: string, path: string): Promise<Known<Site>> {
  const names = path.split('/').filter(Boolean);
  if (!/^[a-z0-9.-]+$/i.test(hostName)) throw graphError('graph.bad-request', { field: 'hostName' });
  if (names.some((name) => name === '.' || name === '..')) throw graphError('graph.bad-request', { field: 'path' });
  const encoded = names.map(encodeURIComponent).join('/');
  return caller.known({ route: 'GET /sites/{id}', link: `${caller.parts.graphUrl}/v1.0/sites/${hostName}:/${encoded}` });
}

function siteReads(caller: Caller): SiteReads {
  return {
    allSites: () => withoutPersonal(list<Site>(caller, { route: 'GET /sites/getAllSites' }, PAGE)),
    siteDelta: (cursor) => readDelta<Site>(caller, { call: { route: 'GET /sites/delta' }, page: UNSIZED }, cursor),
    search: (text) => list<Site>(caller, { route: 'GET /sites', query: { search: text } }, UNSIZED),
    site: ({ siteId }) => caller.known({ route: 'GET /sites/{id}', params: [siteId] }),
    siteByPath: (hostName, path) => siteByPath(caller, hostName, path),
    subsites: ({ siteId }) => list<Site>(caller, { route: 'GET /sites/{id}/sites', params: [siteId] }, UNSIZED),
    siteColumns: ({ siteId }) => list(caller, { route: 'GET /sites/{id}/columns', params: [siteId] }, UNSIZED),
    siteContentTypes: ({ siteId }) => list<ContentType>(caller, { route: 'GET /sites/{id}/contentTypes', params: [siteId] }, UNSIZED),
  };
}

function listReads(caller: Caller): ListReads {
  return {
    lists: ({ siteId }) =>
      list<List>(caller, { route: 'GET /sites/{id}/lists', params: [siteId], query: { $select: LIST_FIELDS } }, UNSIZED),
    list: (place) =>
      caller.known({ route: 'GET /sites/{id}/lists/{id}', params: inList(place), query: { $expand: 'columns,contentTypes' } }),
    columns: (place) => list(caller, { route: 'GET /sites/{id}/lists/{id}/columns', params: inList(place) }, UNSIZED),
    listContentTypes: (place) =>
      list(caller, { route: 'GET /sites/{id}/lists/{id}/contentTypes', params: inList(place), query: { $expand: 'columns' } }, UNSIZED),
    items: (place) =>
      list<ListItem>(caller, { route: 'GET /sites/{id}/lists/{id}/items', params: inList(place), query: WITH_FIELDS }, PAGE),
    itemDelta: (place, cursor) =>
      readDelta<ListItem>(
        caller,
        { call: { route: 'GET /sites/{id}/lists/{id}/items/delta', params: inList(place), query: WITH_FIELDS }, page: PAGE },
        cursor,
      ),
    item: (place) => caller.known({ route: 'GET /sites/{id}/lists/{id}/items/{id}', params: inItem(place), query: WITH_FIELDS }),
    itemVersions: (place) =>
      list<ListItemVersion>(
        caller,
        { route: 'GET /sites/{id}/lists/{id}/items/{id}/versions', params: inItem(place), query: WITH_FIELDS },
        UNSIZED,
      ),
  };
}

function recoverable<T>(options: CreateOptions<T> = {}): Pick<GraphCall, 'recover'> {
  return options.recover ? { recover: options.recover } : {};
}

/** The canonical address of something in a site. */
function addressIn(caller: Caller, siteId: string, rest: string): string {
  return `${caller.parts.graphUrl}/v1.0/sites/${siteId}/${rest}`;
}

function writeCalls(caller: Caller): WriteCalls {
  return {
    createList: ({ siteId }, json, options) =>
      caller.known({ route: 'POST /sites/{id}/lists', params: [siteId], json, ...recoverable(options) }),
    deleteList: (place) => caller.remove({ route: 'DELETE /sites/{id}/lists/{id}', params: inList(place) }),
    createColumn: (place, json, options) =>
      caller.known({ route: 'POST /sites/{id}/lists/{id}/columns', params: inList(place), json, ...recoverable(options) }),
    createSiteContentType: ({ siteId }, json, options) =>
      caller.known({ route: 'POST /sites/{id}/contentTypes', params: [siteId], json, ...recoverable(options) }),
    // Adding what is there is refused, so that repeating does no harm. Both name what they add by its address.
    addContentTypeColumn: ({ siteId }, contentTypeId, columnId) =>
      caller.known({
        route: 'POST /sites/{id}/contentTypes/{id}/columns',
        params: [siteId, contentTypeId],
        json: { 'sourceColumn@odata.bind': addressIn(caller, siteId, `columns/${columnId}`) },
        isRepeatable: true,
      }),
    addContentTypeCopy: (place, contentTypeId) =>
      caller.known({
        route: 'POST /sites/{id}/lists/{id}/contentTypes/addCopy',
        params: inList(place),
        json: { contentType: addressIn(caller, place.siteId, `contentTypes/${contentTypeId}`) },
        isRepeatable: true,
      }),
    createItem: (place, json, options) =>
      caller.known({ route: 'POST /sites/{id}/lists/{id}/items', params: inList(place), json, ...recoverable(options) }),
    deleteItem: (place) => caller.remove({ route: 'DELETE /sites/{id}/lists/{id}/items/{id}', params: inItem(place) }),
    updateFields: (place, json) =>
      caller.get({ route: 'PATCH /sites/{id}/lists/{id}/items/{id}/fields', params: inItem(place), json }, asObject<Body>),
  };
}

function pageCalls(caller: Caller): PageCalls {
  const typed = (json: object): object => ({ '@odata.type': PAGE_TYPE, ...json });
  return {
    pages: ({ siteId }) => list<SitePage>(caller, { route: 'GET /sites/{id}/pages', params: [siteId] }, UNSIZED),
    page: ({ siteId, pageId }) =>
      caller.known({
        route: 'GET /sites/{id}/pages/{id}/microsoft.graph.sitePage',
        params: [siteId, pageId],
        query: { $expand: 'canvasLayout' },
      }),
    createPage: ({ siteId }, json, options) =>
      caller.known({ route: 'POST /sites/{id}/pages', params: [siteId], json: typed(json), ...recoverable(options) }),
    updatePage: ({ siteId, pageId }, json) =>
      caller.known({
        route: 'PATCH /sites/{id}/pages/{id}/microsoft.graph.sitePage',
        params: [siteId, pageId],
        json: typed(json),
      }),
    publishPage: ({ siteId, pageId }) =>
      caller.send({
        route: 'POST /sites/{id}/pages/{id}/microsoft.graph.sitePage/publish',
        params: [siteId, pageId],
        isRepeatable: true,
      }),
    deletePage: ({ siteId, pageId }) => caller.remove({ route: 'DELETE /sites/{id}/pages/{id}', params: [siteId, pageId] }),
  };
}

/** Calls of sites, lists and pages. */
export function createSiteCalls(caller: Caller): SiteCalls {
  return Object.freeze<SiteCalls>({ ...siteReads(caller), ...listReads(caller), ...writeCalls(caller), ...pageCalls(caller) });
}
