import { guidOf } from '../values/seeded.ts';
import { changeLibraries, placesOf, type SitePlace } from '../places/places.ts';
import type { Tenant } from '../state/tenant.ts';
import { BUILT_IN_COLUMNS, column, everyKindOfColumn } from './columns.ts';
import { type ColumnRecord, type ContentTypeRecord, type ListRecord, siteState } from '../places/list-records.ts';

const ITEM_TYPE = '0x01';
const DOCUMENT_TYPE = '0x0101';
const FOLDER_TYPE = '0x0120';
const PAGE_TYPE = '0x0101009D1CB255DA76424F860D91F20E6C4118';

function builtIn(id: string, name: string, group: string, parentId: string): ContentTypeRecord {
  const description = `Base of ${name.toLowerCase()} entries.`;
  return { id, name, description, group, isBuiltIn: true, parentId, columnNames: ['ContentType', 'Title'] };
}

const BUILT_IN_TYPES: readonly ContentTypeRecord[] = [
  builtIn(ITEM_TYPE, 'Item', 'List Content Types', '0x'),
  builtIn(DOCUMENT_TYPE, 'Document', 'Document Content Types', ITEM_TYPE),
  builtIn(FOLDER_TYPE, 'Folder', 'Folder Content Types', ITEM_TYPE),
  builtIn(PAGE_TYPE, 'Site Page', 'Document Content Types', DOCUMENT_TYPE),
];

/** Columns that sites have of their own. */
const SITE_COLUMNS = ['Notes', 'Effort', 'Budget'];

/** What the sites' columns are that lists and content types take over. */
export function siteColumnsOf(tenant: Tenant, site: SitePlace): readonly ColumnRecord[] {
  const own = site.lists > 0 ? everyKindOfColumn(tenant.seed, `${site.id}/columns`, '') : [];
  return [...BUILT_IN_COLUMNS, ...own.filter(({ name }) => SITE_COLUMNS.includes(name))];
}

/** The id that a content type of a site has in a list: each list has a child of its own. */
export function idInList(tenant: Tenant, listId: string, typeId: string): string {
  return `${typeId}00${guidOf(tenant.seed, 'copied-type', listId, typeId).replaceAll('-', '').toUpperCase()}`;
}

/** Content types of a site: those of SharePoint, one of its own, and what was created. */
export function contentTypesOf(tenant: Tenant, site: SitePlace): ContentTypeRecord[] {
  const own: ContentTypeRecord = {
    id: `0x0100${guidOf(tenant.seed, 'contentType', site.id).replaceAll('-', '').toUpperCase()}`,
    name: 'Vorgang',
    description: 'A case with a deadline',
    group: 'Custom Content Types',
    isBuiltIn: false,
    parentId: ITEM_TYPE,
    columnNames: ['ContentType', 'Title', ...SITE_COLUMNS],
  };
  return [...BUILT_IN_TYPES, ...(site.lists > 0 ? [own] : []), ...siteState(tenant, site.id).contentTypes];
}

interface ListSeed extends Partial<ListRecord> {
  readonly name: string;
}

function makeList(tenant: Tenant, site: SitePlace, seed: ListSeed): ListRecord {
  return {
    id: guidOf(tenant.seed, 'list', site.id, seed.name),
    siteId: site.id,
    displayName: seed.name,
    description: '',
    template: 'genericList',
    isHidden: false,
    isSystem: false,
    createdMs: site.createdMs,
    columns: BUILT_IN_COLUMNS,
    contentTypeIds: [ITEM_TYPE],
    seededItems: 0,
    seedKind: 'none',
    ...seed,
  };
}

const CONTACT_COLUMNS = ['Company', 'EMail', 'Phone'] as const;

function ownLists(tenant: Tenant, site: SitePlace): ListRecord[] {
  const inList = (name: string, ...types: readonly string[]): readonly string[] =>
    types.map((type) => idInList(tenant, guidOf(tenant.seed, 'list', site.id, name), type));
  const contacts = makeList(tenant, site, {
    name: 'Contacts',
    contentTypeIds: inList('Contacts', ITEM_TYPE),
    seededItems: site.itemsPerList,
    seedKind: 'contacts',
    columns: [...BUILT_IN_COLUMNS, ...CONTACT_COLUMNS.map((name) => column(guidOf(tenant.seed, 'column', site.id, name), name, 'text'))],
  });
  const [, , , , own] = contentTypesOf(tenant, site);
  return Array.from({ length: site.lists }, (_, index) => {
    if (index === 1) return contacts;
    const name = index === 0 ? 'Vorgaenge' : `Cases${index}`;
    // The only list of a site points to itself.
    const peerId = site.lists > 1 ? contacts.id : guidOf(tenant.seed, 'list', site.id, name);
    const columns = [...BUILT_IN_COLUMNS, ...everyKindOfColumn(tenant.seed, `${site.id}/${name}`, peerId)];
    const contentTypeIds = inList(name, ITEM_TYPE, ...(own ? [own.id] : []));
    return makeList(tenant, site, {
      name,
      displayName: index === 0 ? 'Vorgänge' : `Cases ${index}`,
      seededItems: site.itemsPerList,
      seedKind: 'tasks',
      columns,
      contentTypeIds,
    });
  });
}

function libraries(tenant: Tenant, site: SitePlace): ListRecord[] {
  return placesOf(tenant)
    .librariesOf(site.id)
    .map((library) =>
      makeList(tenant, site, {
        id: library.listGuid,
        name: library.urlName,
        displayName: library.displayName,
        template: site.kind === 'personal' ? 'mySiteDocumentLibrary' : 'documentLibrary',
        contentTypeIds: [DOCUMENT_TYPE, FOLDER_TYPE],
        columns: [...BUILT_IN_COLUMNS, column(guidOf(tenant.seed, 'column', library.driveId), 'Department', 'text')],
        driveId: library.driveId,
      }),
    );
}

function systemLists(tenant: Tenant, site: SitePlace): ListRecord[] {
  return [
    makeList(tenant, site, {
      name: 'SitePages',
      displayName: 'Site Pages',
      template: 'webPageLibrary',
      contentTypeIds: [PAGE_TYPE],
      isSystem: true,
    }),
    makeList(tenant, site, {
      name: 'users',
      displayName: 'User Information List',
      template: 'userInformation',
      isSystem: true,
      isHidden: true,
      seededItems: tenant.directory.userFeed().size,
      seedKind: 'people',
    }),
    makeList(tenant, site, {
      name: 'Style Library',
      template: 'documentLibrary',
      isSystem: true,
      isHidden: true,
      contentTypeIds: [DOCUMENT_TYPE],
    }),
  ];
}

/** All lists of a site as they are now, hidden ones included. */
export function listsOf(tenant: Tenant, site: SitePlace): ListRecord[] {
  const state = siteState(tenant, site.id);
  const seeded = [...libraries(tenant, site), ...ownLists(tenant, site), ...systemLists(tenant, site)];
  const created = state.createdLists.flatMap((id) => state.lists.get(id) ?? []);
  const all = [...seeded.map((list) => state.lists.get(list.id) ?? list), ...created];
  return all.filter(({ id }) => !state.recycled.has(id));
}

/** By id, name or title. */
export function findList(tenant: Tenant, site: SitePlace, name: string): ListRecord | undefined {
  const lower = name.toLowerCase();
  const lists = listsOf(tenant, site);
  return (
    lists.find((list) => list.id === lower) ??
    lists.find((list) => [list.name, list.displayName].some((text) => text.toLowerCase() === lower))
  );
}

/** Puts a list, or the library with its drive, into the recycle bin. */
export function recycleList(tenant: Tenant, site: SitePlace, { id, driveId }: ListRecord): void {
  siteState(tenant, site.id).recycled.add(id);
  if (driveId !== undefined) changeLibraries(tenant, ({ recycled }) => recycled.add(driveId));
}

/** Creates or replaces a list. */
export function putList(tenant: Tenant, site: SitePlace, list: ListRecord): void {
  const state = siteState(tenant, site.id);
  if (!findList(tenant, site, list.id)) state.createdLists.push(list.id);
  state.lists.set(list.id, list);
}
