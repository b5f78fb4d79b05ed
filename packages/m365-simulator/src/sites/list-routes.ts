import { guidOf } from '../values/seeded.ts';
import { positionsOf } from '../state/feed.ts';
import { listPage } from '../delta/list-page.ts';
import { listField, objectField, textField } from '../http/body-fields.ts';
import { badRequest, conflict, notFound } from '../http/failure.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import { created, noContent, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { BUILT_IN_COLUMNS, column, COLUMN_KINDS, kindOf } from './columns.ts';
import { requireSite } from '../places/find-site.ts';
import { type ColumnRecord, type ContentTypeRecord, type ListRecord, siteState } from '../places/list-records.ts';
import { createLibrary, type SitePlace } from '../places/places.ts';
import { contentTypesOfList, renderContentType, renderList } from './render-list.ts';
import { contentTypesOf, findList, idInList, listsOf, putList, recycleList, siteColumnsOf } from './seeded-lists.ts';

export interface ListPlace {
  readonly site: SitePlace;
  readonly list: ListRecord;
}

/** The list that the path names second, in the site that it names first. */
export function requireList(context: Context): ListPlace {
  const site = requireSite(context);
  const list = findList(context.tenant, site, context.params[1] ?? '');
  if (list) return { site, list };
  throw notFound('sites', 'The specified list was not found');
}

function page<Item>(context: Context, items: readonly Item[], address: string, render: (item: Item) => JsonObject): Reply {
  return listPage(context, { items: positionsOf(items), context: address, defaultSize: 200, maxSize: 999, render });
}

function listLists(context: Context): Reply {
  const site = requireSite(context);
  const isSystemWanted = context.query.select?.includes('system') ?? false;
  const lists = listsOf(context.tenant, site).filter((list) => isSystemWanted || (!list.isSystem && !list.isHidden));
  return page(context, lists, `sites('${site.id}')/lists`, (list) => renderList(context, site, list));
}

/** Reads the description of a new column: a name and the facet of one type. */
function readColumn(tenant: { readonly seed: number }, key: string, body: JsonObject): ColumnRecord {
  const name = textField(body, 'name') ?? '';
  const kind = kindOf(body);
  if (!/^[\w]+$/.test(name)) throw badRequest('sites', 'The name of the column is missing or has signs that are not allowed.');
  if (!kind) throw badRequest('sites', `The column '${name}' has none of the types ${COLUMN_KINDS.join(', ')}.`);
  const { id: _id, [kind]: facet, ...rest } = body;
  const given = Object.fromEntries(Object.entries(rest).filter(([property]) => !property.includes('@')));
  return column(guidOf(tenant.seed, 'new-column', key, name), name, kind, { rest: given, ...(isJsonObject(facet) ? { facet } : {}) });
}

/** A name of SharePoint's own gets a number, as `Author` becomes `Author0`; one of the list's own is refused. */
function withColumn(list: ListRecord, given: ColumnRecord): ListRecord {
  const isNamed = (name: string) => (known: ColumnRecord) => known.name.toLowerCase() === name.toLowerCase();
  const added = BUILT_IN_COLUMNS.some(isNamed(given.name)) ? { ...given, name: `${given.name}0` } : given;
  const isTaken = list.columns.some(isNamed(added.name));
  if (isTaken) throw conflict('sites', `A column called '${added.name}' exists.`);
  return { ...list, columns: [...list.columns, added] };
}

function madeLibrary(context: Context, site: SitePlace, displayName: string): Reply {
  const { tenant } = context;
  const { listGuid } = createLibrary(tenant, site, displayName);
  const list = findList(tenant, site, listGuid) as ListRecord;
  return created({ '@odata.context': context.links.context(`sites('${site.id}')/lists/$entity`), ...renderList(context, site, list) });
}

function deleteList(context: Context): Reply {
  const { site, list } = requireList(context);
  if (list.isSystem) throw badRequest('sites', 'A list of the system can not be deleted.');
  recycleList(context.tenant, site, list);
  return noContent;
}

async function createList(context: Context): Promise<Reply> {
  const body = await context.json();
  const site = requireSite(context);
  const { tenant } = context;
  const displayName = textField(body, 'displayName') ?? '';
  if (displayName === '') throw badRequest('sites', 'displayName is required.');
  if (findList(tenant, site, displayName)) throw conflict('sites', 'A list with this name exists.');
  const template = textField(objectField(body, 'list'), 'template') ?? 'genericList';
  if (template === 'documentLibrary') return madeLibrary(context, site, displayName);
  const id = guidOf(tenant.seed, 'new-list', site.id, siteState(tenant, site.id).createdLists.length);
  let list: ListRecord = {
    id,
    siteId: site.id,
    name: displayName.replaceAll(/[^\w]/g, ''),
    displayName,
    description: textField(body, 'description') ?? '',
    template,
    isHidden: false,
    isSystem: false,
    createdMs: tenant.clock.nowMs(),
    columns: BUILT_IN_COLUMNS,
    contentTypeIds: [idInList(tenant, id, '0x01')],
    seededItems: 0,
    seedKind: 'none',
  };
  for (const value of listField(body, 'columns').filter(isJsonObject)) list = withColumn(list, readColumn(tenant, list.id, value));
  putList(tenant, site, list);
  return created({ '@odata.context': context.links.context(`sites('${site.id}')/lists/$entity`), ...renderList(context, site, list) });
}

function readList(context: Context): Reply {
  const { site, list } = requireList(context);
  return ok({ '@odata.context': context.links.context(`sites('${site.id}')/lists/$entity`), ...renderList(context, site, list) });
}

async function addColumn(context: Context): Promise<Reply> {
  const body = await context.json();
  const { site, list } = requireList(context);
  const changed = withColumn(list, readColumn(context.tenant, list.id, body));
  putList(context.tenant, site, changed);
  return created({ '@odata.context': context.links.context('columnDefinition'), ...changed.columns.at(-1) });
}

function siteColumns(context: Context): Reply {
  const site = requireSite(context);
  return page(context, siteColumnsOf(context.tenant, site), `sites('${site.id}')/columns`, (entry) => entry);
}

/** What stands last in the canonical address of something of this site: `https://…/sites/{id}/contentTypes/0x01`. */
function idInAddress(address: string | undefined, site: SitePlace, collection: string): string | undefined {
  const [, siteId = '', id] = /^https:\/\/.+\/sites\/([^/]+)\/(?:contentTypes|columns)\/([^/]+)$/u.exec(address ?? '') ?? [];
  return decodeURIComponent(siteId) === site.id && address?.includes(`/${collection}/`) ? id : undefined;
}

async function createContentType(context: Context): Promise<Reply> {
  const body = await context.json();
  const site = requireSite(context);
  const { tenant } = context;
  const name = textField(body, 'name') ?? '';
  const types = contentTypesOf(tenant, site);
  if (name === '') throw badRequest('sites', 'name is required.');
  if (types.some((type) => type.name === name)) throw conflict('sites', 'A content type with this name exists.');
  const baseId = textField(objectField(body, 'base'), 'id') ?? textField(body, 'parentId') ?? '0x01';
  const base = types.find((type) => type.id === baseId);
  if (!base) throw badRequest('sites', `The base content type '${baseId}' is not known.`);
  const suffix = guidOf(tenant.seed, 'new-type', site.id, types.length).replaceAll('-', '').toUpperCase();
  const type: ContentTypeRecord = {
    id: `${baseId}00${suffix}`,
    name,
    description: textField(body, 'description') ?? '',
    group: textField(body, 'group') ?? 'Custom Content Types',
    isBuiltIn: false,
    parentId: baseId,
    columnNames: base.columnNames,
  };
  siteState(tenant, site.id).contentTypes.push(type);
  return created({ '@odata.context': context.links.context('contentType'), ...renderContentType(type) });
}

async function copyContentType(context: Context): Promise<Reply> {
  const body = await context.json();
  const { site, list } = requireList(context);
  const { tenant } = context;
  const typeId = idInAddress(textField(body, 'contentType'), site, 'contentTypes');
  const type = contentTypesOf(tenant, site).find((known) => known.id === typeId);
  if (!type) throw badRequest('sites', 'The content type is not one of the site.');
  const id = idInList(tenant, list.id, type.id);
  if (list.contentTypeIds.includes(id)) throw conflict('sites', 'The content type is in the list already.');
  const lacking = siteColumnsOf(tenant, site).filter(
    ({ name }) => type.columnNames.includes(name) && !list.columns.some((known) => known.name === name),
  );
  putList(tenant, site, { ...list, columns: [...list.columns, ...lacking], contentTypeIds: [...list.contentTypeIds, id] });
  return created({ '@odata.context': context.links.context('contentType'), ...renderContentType({ ...type, id, parentId: type.id }) });
}

/** Takes a column of the site into a content type of the site. */
async function addContentTypeColumn(context: Context): Promise<Reply> {
  const body = await context.json();
  const site = requireSite(context);
  const types = siteState(context.tenant, site.id).contentTypes;
  const position = types.findIndex(({ id }) => id === context.params[1]);
  const type = types[position];
  if (!type) throw notFound('sites', 'The specified content type was not found');
  const columnId = idInAddress(textField(body, 'sourceColumn@odata.bind'), site, 'columns');
  const added = siteColumnsOf(context.tenant, site).find(({ id }) => id === columnId);
  if (!added) throw badRequest('sites', 'The column is not one of the site.');
  if (type.columnNames.includes(added.name)) throw conflict('sites', 'The column is in the content type already.');
  types[position] = { ...type, columnNames: [...type.columnNames, added.name] };
  return ok({ '@odata.context': context.links.context('columnDefinition'), ...added });
}

const LIST = ['$select', '$top'];

/** Lists with their columns and content types. */
export const listRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/sites/{id}/lists', service: 'sites', query: [...LIST, '$expand'], handler: listLists },
  { method: 'POST', path: '/sites/{id}/lists', service: 'sites', handler: createList },
  { method: 'GET', path: '/sites/{id}/lists/{id}', service: 'sites', query: ['$select', '$expand'], handler: readList },
  { method: 'DELETE', path: '/sites/{id}/lists/{id}', service: 'sites', handler: deleteList },
  {
    method: 'GET',
    path: '/sites/{id}/lists/{id}/columns',
    service: 'sites',
    query: LIST,
    handler(context) {
      const { site, list } = requireList(context);
      return page(context, list.columns, `sites('${site.id}')/lists('${list.id}')/columns`, (entry) => entry);
    },
  },
  { method: 'POST', path: '/sites/{id}/lists/{id}/columns', service: 'sites', handler: addColumn },
  { method: 'GET', path: '/sites/{id}/columns', service: 'sites', query: LIST, handler: siteColumns },
  {
    method: 'GET',
    path: '/sites/{id}/contentTypes',
    service: 'sites',
    query: LIST,
    handler(context) {
      const site = requireSite(context);
      return page(context, contentTypesOf(context.tenant, site), `sites('${site.id}')/contentTypes`, (type) => renderContentType(type));
    },
  },
  { method: 'POST', path: '/sites/{id}/contentTypes', service: 'sites', handler: createContentType },
  { method: 'POST', path: '/sites/{id}/contentTypes/{id}/columns', service: 'sites', handler: addContentTypeColumn },
  {
    method: 'GET',
    path: '/sites/{id}/lists/{id}/contentTypes',
    service: 'sites',
    query: [...LIST, '$expand'],
    handler(context) {
      const { site, list } = requireList(context);
      const columns = context.query.expands('columns') ? list.columns : undefined;
      const types = contentTypesOfList(context, site, list);
      return page(context, types, `sites('${site.id}')/lists('${list.id}')/contentTypes`, (type) => renderContentType(type, columns));
    },
  },
  { method: 'POST', path: '/sites/{id}/lists/{id}/contentTypes/addCopy', service: 'sites', handler: copyContentType },
];
