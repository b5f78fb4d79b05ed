import type { Feed } from '../state/feed.ts';
import type { ItemRecord } from '../drives/drive-record.ts';
import { type OpenDrive, openDrive } from '../drives/open-drive.ts';
import { noteChange } from '../state/change-log.ts';
import type { Tenant } from '../state/tenant.ts';
import { type ListItemRecord, type ListRecord, type ListState, listState } from '../places/list-records.ts';
import { placesOf } from '../places/places.ts';
import { seededListItem } from './seeded-list-items.ts';

/** The rows of a list as they are now, and the only way to change them. For libraries these are the files of the drive. */
export interface OpenList {
  readonly tenant: Tenant;
  readonly list: ListRecord;
  /** Ids in the feed are the numbers of the items as text. */
  readonly feed: Feed<ListItemRecord>;
  get(id: string): ListItemRecord | undefined;
  /** Creates or replaces. In a library only the columns of an existing file can be set. */
  put(item: ListItemRecord): void;
  remove(id: string): void;
  newId(): number;
  /** The file behind the row, in a library. */
  file(id: string): { readonly drive: OpenDrive; readonly item: ItemRecord } | undefined;
  /** The number of a row as text, from its id in the log. */
  numberOf(logId: string): string;
  readonly state: ListState;
  seeded(id: string): ListItemRecord | undefined;
}

function seededBy(tenant: Tenant, list: ListRecord, id: string): ListItemRecord | undefined {
  const number = Number(id);
  return Number.isInteger(number) && number >= 1 && number <= list.seededItems ? seededListItem(tenant, list, number) : undefined;
}

function openGeneric(tenant: Tenant, list: ListRecord): OpenList {
  const state = listState(tenant, list.id);
  const peek = (id: string): ListItemRecord | undefined => state.items.get(id) ?? seededBy(tenant, list, id);
  const get = (id: string): ListItemRecord | undefined => {
    const item = peek(id);
    return item?.deletedMs === undefined ? item : undefined;
  };
  const write = (item: ListItemRecord): void => {
    const id = String(item.id);
    const stored = state.items.get(id);
    const before = stored ?? (seededBy(tenant, list, id) ? null : undefined);
    state.items.set(id, item);
    noteChange(state.log, id);
    state.journal.push({ id, atMs: tenant.clock.nowMs(), before });
  };
  return {
    tenant,
    list,
    state,
    feed: {
      get size() {
        return list.seededItems + state.created;
      },
      at: (position) => get(String(position + 1)),
      log: state.log,
      current: get,
    },
    get,
    put: write,
    remove(id) {
      const item = get(id);
      if (item) write({ ...item, deletedMs: tenant.clock.nowMs() });
    },
    newId() {
      state.created += 1;
      return list.seededItems + state.created;
    },
    file: () => undefined,
    numberOf: (logId) => logId,
    seeded: (id) => seededBy(tenant, list, id),
  };
}

function rowOf(drive: OpenDrive, item: ItemRecord): ListItemRecord {
  const fields = { ...item.fields, FileLeafRef: item.name, Title: item.name.replace(/\.[^.]*$/, '') };
  return {
    id: drive.listItemId(item.id),
    contentTypeId: item.kind === 'file' ? '0x0101' : '0x0120',
    createdMs: item.createdMs,
    modifiedMs: item.modifiedMs,
    createdBy: item.createdBy,
    modifiedBy: item.modifiedBy,
    fields,
    revision: item.revision,
    versions: item.versions.map(({ id, modifiedMs, modifiedBy }) => ({ id, modifiedMs, modifiedBy, fields })),
  };
}

/** Names of columns that follow from the file itself. */
const OF_THE_FILE = new Set(['FileLeafRef', 'Title']);

function openLibrary(tenant: Tenant, list: ListRecord, drive: OpenDrive): OpenList {
  const file = (id: string): { drive: OpenDrive; item: ItemRecord } | undefined => {
    const item = drive.itemByListId(Number(id));
    return item && item.parentId !== undefined ? { drive, item } : undefined;
  };
  const get = (id: string): ListItemRecord | undefined => {
    const found = file(id);
    return found && rowOf(drive, found.item);
  };
  return {
    tenant,
    list,
    state: listState(tenant, list.id),
    feed: {
      get size() {
        return drive.feed.size;
      },
      at(position) {
        const item = drive.feed.at(position);
        return item?.parentId === undefined ? undefined : rowOf(drive, item);
      },
      log: drive.feed.log,
      current(id) {
        const item = drive.feed.current(id);
        return item?.parentId === undefined ? undefined : rowOf(drive, item);
      },
    },
    get,
    put(row) {
      const found = file(String(row.id));
      if (!found) return;
      const fields = Object.fromEntries(Object.entries(row.fields).filter(([name]) => !OF_THE_FILE.has(name)));
      drive.put({ ...found.item, fields, modifiedMs: row.modifiedMs, modifiedBy: row.modifiedBy, revision: row.revision });
    },
    remove(id) {
      const found = file(id);
      if (found) drive.remove(found.item.id, false);
    },
    newId: () => 0,
    file,
    numberOf: (logId) => String(drive.listItemId(logId)),
    seeded: () => undefined,
  };
}

/** Opens a list for one request. */
export function openList(tenant: Tenant, list: ListRecord): OpenList {
  const library = list.driveId === undefined ? undefined : placesOf(tenant).drive(list.driveId);
  return library ? openLibrary(tenant, list, openDrive(tenant, library)) : openGeneric(tenant, list);
}
