import { driveTime, renderActor } from '../drives/render-item.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../values/json.ts';
import { project } from '../http/query.ts';
import type { Context } from '../http/route.ts';
import { kindOf } from './columns.ts';
import type { ColumnRecord, ContentTypeRecord, ListItemRecord, ListRecord } from '../places/list-records.ts';
import type { OpenList } from './open-list.ts';
import type { SitePlace } from '../places/places.ts';
import { lookupIdOf } from './seeded-list-items.ts';
import { contentTypesOf } from './seeded-lists.ts';

export function webUrlOfList(site: SitePlace, list: ListRecord): string {
  const folder = list.driveId === undefined && list.template === 'genericList' ? '/Lists' : '';
  return `https://${site.hostName}${site.path}${folder}/${encodeURIComponent(list.name)}`;
}

/** A list as Graph answers it. */
export function renderList(context: Context, site: SitePlace, list: ListRecord): JsonObject {
  const { query, tenant } = context;
  const time = driveTime(list.createdMs);
  const entity: JsonObject = {
    '@odata.etag': `"${list.id},${list.columns.length}"`,
    id: list.id,
    name: list.name,
    displayName: list.displayName,
    description: list.description,
    eTag: `"${list.id},${list.columns.length}"`,
    webUrl: webUrlOfList(site, list),
    createdDateTime: time,
    lastModifiedDateTime: time,
    createdBy: { user: { displayName: 'System Account' } },
    parentReference: { siteId: site.id },
    list: { contentTypesEnabled: list.contentTypeIds.length > 1, hidden: list.isHidden, template: list.template },
    ...(list.isSystem ? { system: {} } : {}),
    ...(query.expands('columns') ? { columns: list.columns } : {}),
    ...(query.expands('contentTypes')
      ? { contentTypes: contentTypesOfList(context, site, list).map((type) => renderContentType(type)) }
      : {}),
  };
  const isSystemWanted = query.select?.includes('system') ?? false;
  const shown = list.isSystem && !isSystemWanted ? { ...entity, system: undefined } : entity;
  return project(
    {
      ...shown,
      sharepointIds: query.select?.includes('sharepointIds')
        ? { listId: list.id, siteId: site.collectionGuid, webId: site.webGuid, tenantId: tenant.tenantId }
        : undefined,
    },
    query.select && [...query.select, 'columns', 'contentTypes'],
  );
}

/** A content type as Graph answers it, with its columns out of these. */
export function renderContentType(type: ContentTypeRecord, columns?: readonly ColumnRecord[]): JsonObject {
  return {
    ...(columns ? { columns: columns.filter(({ name }) => type.columnNames.includes(name)) } : {}),
    id: type.id,
    name: type.name,
    description: type.description,
    group: type.group,
    hidden: false,
    isBuiltIn: type.isBuiltIn,
    readOnly: false,
    sealed: type.isBuiltIn,
    parentId: type.parentId,
  };
}

/** The content type behind an id; the copy in a list has an id that begins with that of the site's. */
export function contentTypeNamed(context: Context, site: SitePlace, id: string): ContentTypeRecord {
  const types = contentTypesOf(context.tenant, site).toSorted((a, b) => b.id.length - a.id.length);
  const found = types.find((type) => id.startsWith(type.id));
  return {
    id,
    name: 'Item',
    description: '',
    group: '_Hidden',
    isBuiltIn: false,
    parentId: '0x01',
    columnNames: [],
    ...(found ? { ...found, id, parentId: found.id === id ? found.parentId : found.id } : {}),
  };
}

/** The content types of a list, the default one first. */
export function contentTypesOfList(context: Context, site: SitePlace, list: ListRecord): readonly ContentTypeRecord[] {
  return list.contentTypeIds.map((id) => contentTypeNamed(context, site, id));
}

function actorNumber(open: OpenList, actor: ListItemRecord['createdBy']): string {
  return 'userId' in actor ? String(lookupIdOf(open.tenant, actor.userId)) : '1073741822';
}

function calculated(open: OpenList, fields: JsonObject): JsonObject {
  const column = open.list.columns.find((candidate) => kindOf(candidate) === 'calculated');
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  return column ? { [column.name]: `${text('Status')} ${text('Title')}` } : {};
}

/** Pointers to several people, with the names that these have. */
function people({ tenant, list }: OpenList, fields: JsonObject): JsonObject {
  const named: Record<string, JsonValue> = {};
  for (const column of list.columns) {
    const value = fields[column.name];
    if (kindOf(column) !== 'personOrGroup' || !Array.isArray(value)) continue;
    named[column.name] = value.filter(isJsonObject).map((pointer) => {
      const number = Number(pointer['LookupId']);
      return { LookupId: number, LookupValue: tenant.directory.userFeed().at(number - 1)?.displayName ?? '' };
    });
  }
  return named;
}

/** The columns of a row, with those that the service fills in. */
export function renderFields(context: Context, site: SitePlace, open: OpenList, item: ListItemRecord): JsonObject {
  return {
    '@odata.etag': `"${open.list.id},${item.revision}"`,
    ...item.fields,
    ...people(open, item.fields),
    ...calculated(open, item.fields),
    id: String(item.id),
    ContentType: contentTypeNamed(context, site, item.contentTypeId).name,
    Modified: driveTime(item.modifiedMs),
    Created: driveTime(item.createdMs),
    AuthorLookupId: actorNumber(open, item.createdBy),
    EditorLookupId: actorNumber(open, item.modifiedBy),
    _UIVersionString: item.versions.at(-1)?.id ?? '1.0',
    Attachments: false,
    Edit: '',
    LinkTitleNoMenu: item.fields['Title'],
    LinkTitle: item.fields['Title'],
    ItemChildCount: '0',
    FolderChildCount: '0',
  };
}

export interface RowView {
  readonly select?: readonly string[] | undefined;
  readonly hasFields: boolean;
}

/** A row as Graph answers it. */
export function renderRow(context: Context, place: { site: SitePlace; open: OpenList }, item: ListItemRecord, view: RowView): JsonObject {
  const { site, open } = place;
  const { tenant, list } = open;
  const eTag = `"${list.id},${item.revision}"`;
  const entity: JsonObject = {
    '@odata.etag': eTag,
    id: String(item.id),
    eTag,
    createdDateTime: driveTime(item.createdMs),
    lastModifiedDateTime: driveTime(item.modifiedMs),
    webUrl: `${webUrlOfList(site, list)}/${item.id}_.000`,
    createdBy: renderActor(tenant, item.createdBy),
    lastModifiedBy: renderActor(tenant, item.modifiedBy),
    parentReference: { id: list.id, siteId: site.id },
    contentType: { id: item.contentTypeId, name: contentTypeNamed(context, site, item.contentTypeId).name },
    ...(view.hasFields ? { fields: renderFields(context, site, open, item) } : {}),
  };
  return project(entity, view.select && [...view.select, 'fields']);
}
