import { createChangeLog, type ChangeLog, type Journal } from '../state/change-log.ts';
import type { Tenant } from '../state/tenant.ts';
import type { JsonObject } from '../values/json.ts';
import type { Actor } from '../state/actor.ts';

/** A column as Graph describes it, with the facet that tells its type: `{"name":"Due","dateTime":{…}}`. */
export type ColumnRecord = JsonObject & { readonly id: string; readonly name: string };

/** A list of a site. Libraries are lists too; their items are those of the drive. */
export interface ListRecord {
  readonly id: string;
  readonly siteId: string;
  /** As it stands in the address. */
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly template: string;
  readonly isHidden: boolean;
  readonly isSystem: boolean;
  readonly createdMs: number;
  readonly columns: readonly ColumnRecord[];
  readonly contentTypeIds: readonly string[];
  /** How many items the seed gives it, and from which generator. */
  readonly seededItems: number;
  readonly seedKind: 'tasks' | 'contacts' | 'people' | 'none';
  /** Set for a library. */
  readonly driveId?: string;
}

export interface ListVersion {
  readonly id: string;
  readonly fields: JsonObject;
  readonly modifiedMs: number;
  readonly modifiedBy: Actor;
}

/** A row of a list as it is now; replaced, never changed in place. */
export interface ListItemRecord {
  readonly id: number;
  readonly contentTypeId: string;
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly createdBy: Actor;
  readonly modifiedBy: Actor;
  /** What people enter, by column. */
  readonly fields: JsonObject;
  readonly revision: number;
  /** Oldest first, the present one included. */
  readonly versions: readonly ListVersion[];
  readonly deletedMs?: number;
}

/** What was changed in one list since the seed. */
export interface ListState {
  readonly items: Map<string, ListItemRecord>;
  created: number;
  readonly log: ChangeLog;
  readonly journal: Journal<ListItemRecord>;
}

export interface ContentTypeRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly group: string;
  readonly isBuiltIn: boolean;
  readonly parentId: string;
  /** Names of its columns, those of its parents included. */
  readonly columnNames: readonly string[];
}

/** What was changed about one site since the seed: its lists and content types, not what is in them. */
export interface SiteState {
  readonly lists: Map<string, ListRecord>;
  readonly createdLists: string[];
  /** Lists and pages that are in the recycle bin. */
  readonly recycled: Set<string>;
  readonly contentTypes: ContentTypeRecord[];
  readonly pages: Map<string, JsonObject>;
  readonly createdPages: string[];
  readonly pageJournal: Journal<JsonObject>;
  isArchived: boolean;
}

export function listState(tenant: Tenant, listId: string): ListState {
  return tenant.store.state<ListState>(`list/${listId}`, () => ({ items: new Map(), created: 0, log: createChangeLog(), journal: [] }));
}

export function siteState(tenant: Tenant, siteId: string): SiteState {
  return tenant.store.state<SiteState>(`site/${siteId}`, () => ({
    lists: new Map(),
    createdLists: [],
    recycled: new Set(),
    contentTypes: [],
    pages: new Map(),
    createdPages: [],
    pageJournal: [],
    isArchived: false,
  }));
}
