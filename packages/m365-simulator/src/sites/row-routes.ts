import { deltaPage } from '../delta/delta-page.ts';
import { positionsOf } from '../state/feed.ts';
import { listPage } from '../delta/list-page.ts';
import { driveTime, renderActor } from '../drives/render-item.ts';
import { objectField, textField } from '../http/body-fields.ts';
import { badRequest, notFound, requireMatch } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import { created, noContent, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import type { ListItemRecord } from '../places/list-records.ts';
import { requireList } from './list-routes.ts';
import { openList, type OpenList } from './open-list.ts';
import type { SitePlace } from '../places/places.ts';
import { type PointerTargets, readFields } from './read-fields.ts';
import { renderFields, renderRow } from './render-list.ts';
import { findList } from './seeded-lists.ts';

interface Rows {
  readonly site: SitePlace;
  readonly open: OpenList;
}

function open(context: Context): Rows {
  const { site, list } = requireList(context);
  return { site, open: openList(context.tenant, list) };
}

function requireRow(context: Context, rows: Rows): ListItemRecord {
  const item = rows.open.get(context.params[2] ?? '');
  if (item) return item;
  throw notFound('sites', 'The specified item was not found');
}

function addressOf({ site, open }: Rows): string {
  return `sites('${site.id}')/lists('${open.list.id}')/items`;
}

/** The people of the site and the rows of its lists, as pointers of a row see them. */
function targetsOf({ site, open: { tenant } }: Rows): PointerTargets {
  return {
    hasPerson: (number) => tenant.directory.userFeed().at(number - 1) !== undefined,
    hasRow(listId, number) {
      const list = findList(tenant, site, listId);
      return list !== undefined && openList(tenant, list).get(String(number)) !== undefined;
    },
  };
}

function listRows(context: Context): Reply {
  const rows = open(context);
  const view = { select: context.query.select, hasFields: context.query.expands('fields') };
  return listPage(context, {
    items: rows.open.feed,
    context: addressOf(rows),
    defaultSize: 200,
    maxSize: 1000,
    render: (item) => renderRow(context, rows, item, view),
  });
}

function rowsDelta(context: Context): Reply {
  const rows = open(context);
  return deltaPage(context, {
    feed: rows.open.feed,
    resource: `list/${rows.open.list.id}`,
    context: 'Collection(listItem)',
    defaultSize: 200,
    maxSize: 1000,
    render: (item, query) => ({
      '@odata.type': '#microsoft.graph.listItem',
      ...renderRow(context, rows, item, { select: query.select, hasFields: query.expands('fields') }),
    }),
    removed: (id) => ({
      '@odata.type': '#microsoft.graph.listItem',
      id: rows.open.numberOf(id),
      deleted: { state: 'deleted' },
      parentReference: { siteId: rows.site.id },
    }),
  });
}

function newRow(context: Context, rows: Rows, body: JsonObject): ListItemRecord {
  const { list } = rows.open;
  if (list.driveId !== undefined) throw badRequest('sites', 'Files are created through the drive of the library.');
  const fields = readFields(list, objectField(body, 'fields') ?? {}, targetsOf(rows));
  const wanted = textField(objectField(body, 'contentType'), 'id') ?? list.contentTypeIds[0] ?? '0x01';
  const contentTypeId = list.contentTypeIds.find((id) => id === wanted) ?? list.contentTypeIds.find((id) => id.startsWith(wanted));
  if (contentTypeId === undefined) throw badRequest('sites', 'The content type is not one of the list.');
  const nowMs = context.tenant.clock.nowMs();
  const actor = { appId: context.caller.appId };
  return {
    id: rows.open.newId(),
    contentTypeId,
    createdMs: nowMs,
    modifiedMs: nowMs,
    createdBy: actor,
    modifiedBy: actor,
    fields,
    revision: 1,
    versions: [{ id: '1.0', fields, modifiedMs: nowMs, modifiedBy: actor }],
  };
}

async function createRow(context: Context): Promise<Reply> {
  const body = await context.json();
  const rows = open(context);
  const item = newRow(context, rows, body);
  rows.open.put(item);
  const row = renderRow(context, rows, item, { hasFields: context.query.expands('fields') });
  return created({ '@odata.context': context.links.context(`${addressOf(rows)}/$entity`), ...row });
}

function readRow(context: Context): Reply {
  const rows = open(context);
  const item = requireRow(context, rows);
  const view = { select: context.query.select, hasFields: context.query.expands('fields') };
  return ok({ '@odata.context': context.links.context(`${addressOf(rows)}/$entity`), ...renderRow(context, rows, item, view) });
}

/** The row with other columns: a new version. */
export function withFields(
  item: ListItemRecord,
  change: { fields: JsonObject; modifiedMs: number; modifiedBy: ListItemRecord['modifiedBy'] },
): ListItemRecord {
  const fields = { ...item.fields, ...change.fields };
  const { modifiedMs, modifiedBy } = change;
  const number = Number.parseInt(item.versions.at(-1)?.id ?? '0', 10) + 1;
  const versions = [...item.versions, { id: `${number}.0`, fields, modifiedMs, modifiedBy }];
  return { ...item, fields, modifiedMs, modifiedBy, revision: item.revision + 1, versions };
}

async function updateFields(context: Context): Promise<Reply> {
  const body = await context.json();
  const rows = open(context);
  const item = requireRow(context, rows);
  requireMatch('sites', context.headers['if-match'], `"${rows.open.list.id},${item.revision}"`);
  const fields = readFields(rows.open.list, body, targetsOf(rows));
  const changed = withFields(item, { fields, modifiedMs: context.tenant.clock.nowMs(), modifiedBy: { appId: context.caller.appId } });
  rows.open.put(changed);
  const stored = rows.open.get(String(item.id)) ?? changed;
  return ok({ '@odata.context': context.links.context('fieldValueSet'), ...renderFields(context, rows.site, rows.open, stored) });
}

function deleteRow(context: Context): Reply {
  const rows = open(context);
  rows.open.remove(String(requireRow(context, rows).id));
  return noContent;
}

function listVersions(context: Context): Reply {
  const rows = open(context);
  const item = requireRow(context, rows);
  const hasFields = context.query.expands('fields');
  return listPage(context, {
    items: positionsOf(item.versions.toReversed()),
    context: `${addressOf(rows)}('${item.id}')/versions`,
    defaultSize: 200,
    maxSize: 1000,
    render: (version) => ({
      '@odata.type': '#microsoft.graph.listItemVersion',
      id: version.id,
      lastModifiedDateTime: driveTime(version.modifiedMs),
      lastModifiedBy: renderActor(context.tenant, version.modifiedBy),
      ...(hasFields
        ? { fields: renderFields(context, rows.site, rows.open, { ...item, ...version, id: item.id, versions: [version] }) }
        : {}),
    }),
  });
}

const ITEMS = '/sites/{id}/lists/{id}/items';

/** Rows of lists; in a library, the columns of its files. */
export const rowRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: ITEMS, service: 'sites', query: ['$expand', '$select', '$top', '$skip'], handler: listRows },
  { method: 'POST', path: ITEMS, service: 'sites', query: ['$expand'], handler: createRow },
  { method: 'GET', path: `${ITEMS}/delta`, service: 'sites', query: ['$expand', '$select', '$top'], handler: rowsDelta },
  {
    method: 'GET',
    path: `${ITEMS}/{id}`,
    service: 'sites',
    query: ['$expand', '$select'],
    handler: readRow,
    vanish: (context) => open(context).open.remove(context.params[2] ?? ''),
  },
  { method: 'DELETE', path: `${ITEMS}/{id}`, service: 'sites', handler: deleteRow },
  { method: 'PATCH', path: `${ITEMS}/{id}/fields`, service: 'sites', handler: updateFields },
  { method: 'GET', path: `${ITEMS}/{id}/versions`, service: 'sites', query: ['$expand', '$top'], handler: listVersions },
];
