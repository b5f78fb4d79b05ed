import { unwind } from '../state/change-log.ts';
import type { JsonObject } from '../values/json.ts';
import type { Tenant } from '../state/tenant.ts';
import type { TruthProvider, TruthRecord } from '../state/truth.ts';
import { type ListItemRecord, listState, siteState } from '../places/list-records.ts';
import { type OpenList, openList } from './open-list.ts';
import { type PageRecord, pagesOf } from './pages.ts';
import { placesOf, type SitePlace } from '../places/places.ts';
import { contentTypesOf, listsOf } from './seeded-lists.ts';

function actorText(actor: ListItemRecord['createdBy']): string {
  return 'appId' in actor ? `app:${actor.appId}` : actor.userId;
}

function rowFacts(item: ListItemRecord): JsonObject {
  return {
    fields: item.fields,
    contentTypeId: item.contentTypeId,
    createdAt: new Date(item.createdMs).toISOString(),
    modifiedAt: new Date(item.modifiedMs).toISOString(),
    createdBy: actorText(item.createdBy),
    modifiedBy: actorText(item.modifiedBy),
    revision: item.revision,
    versions: item.versions.map(({ id, fields, modifiedMs }) => ({ id, fields, modifiedAt: new Date(modifiedMs).toISOString() })),
  };
}

function* rowsOf(open: OpenList, path: string, at: number | undefined): Generator<TruthRecord, void, undefined> {
  const then = at === undefined ? new Map<string, ListItemRecord | null | undefined>() : unwind(open.state.journal, at);
  for (let position = 0; position < open.feed.size; position += 1) {
    const id = String(position + 1);
    const before = then.get(id);
    const item = then.has(id) ? (before === null ? open.seeded(id) : before) : open.get(id);
    if (item && item.deletedMs === undefined) yield { path: `${path}/${id}`, id, kind: 'listItem', metadata: rowFacts(item) };
  }
}

function* pageRecords(tenant: Tenant, site: SitePlace, path: string, at: number | undefined): Generator<TruthRecord, void, undefined> {
  const then = at === undefined ? new Map<string, JsonObject | null | undefined>() : unwind(siteState(tenant, site.id).pageJournal, at);
  const pages = pagesOf(tenant, site);
  for (let position = 0; position < pages.size; position += 1) {
    const now = pages.at(position);
    const page = (now && then.has(now.id) ? then.get(now.id) : now) as PageRecord | null | undefined;
    if (page) yield { path: `${path}/${page.name}`, id: page.id, kind: 'page', metadata: page };
  }
}

/** How the changes of a site up to number `at` fall to its pages and lists, in the order of time. */
function shareOf(tenant: Tenant, site: SitePlace, at: number): { readonly pages: number; readonly lists: ReadonlyMap<string, number> } {
  const changes = [
    ...siteState(tenant, site.id).pageJournal.map(({ atMs }) => ({ key: '', atMs })),
    ...listsOf(tenant, site).flatMap((list) => listState(tenant, list.id).journal.map(({ atMs }) => ({ key: list.id, atMs }))),
  ];
  const share = new Map<string, number>();
  for (const { key } of changes.sort((a, b) => a.atMs - b.atMs).slice(0, at)) share.set(key, (share.get(key) ?? 0) + 1);
  return { pages: share.get('') ?? 0, lists: share };
}

function* recordsOf(tenant: Tenant, siteId: string, at: number | undefined): Generator<TruthRecord, void, undefined> {
  const site = placesOf(tenant).site(siteId);
  if (!site) return;
  const share = at === undefined ? undefined : shareOf(tenant, site, at);
  yield {
    path: site.path,
    id: site.id,
    kind: 'site',
    metadata: {
      displayName: site.displayName,
      parentId: site.parentId ?? null,
      contentTypes: contentTypesOf(tenant, site).map(({ id, name }) => ({ id, name })),
    },
  };
  for (const list of listsOf(tenant, site)) {
    const path = `${site.path}/${list.name}`;
    const { displayName, description, template, isHidden, isSystem, columns, contentTypeIds } = list;
    yield {
      path,
      id: list.id,
      kind: 'list',
      metadata: { displayName, description, template, isHidden, isSystem, columns, contentTypeIds, driveId: list.driveId ?? null },
    };
    if (list.driveId === undefined) yield* rowsOf(openList(tenant, list), path, share && (share.lists.get(list.id) ?? 0));
  }
  yield* pageRecords(tenant, site, `${site.path}/SitePages`, share?.pages);
}

/** What is really in a site: lists with their rows, and pages. Files are the truth of its drives. */
export const siteTruth: TruthProvider = {
  kind: 'sites',
  owners: (tenant) => placesOf(tenant).sites.map((site) => site.id),
  changeCount(tenant, owner) {
    const site = placesOf(tenant).site(owner);
    if (!site) return 0;
    const rows = listsOf(tenant, site).reduce((sum, list) => sum + listState(tenant, list.id).journal.length, 0);
    return rows + siteState(tenant, site.id).pageJournal.length;
  },
  records: (tenant, owner, at) => recordsOf(tenant, owner, at),
};
