import type { Random } from '@holdfast/foundation/random';
import { sentence, subjectLine } from '../content/prose.ts';
import { pick } from '../values/seeded.ts';
import { objectField, textField } from '../http/body-fields.ts';
import { badRequest, notFound } from '../http/failure.ts';
import type { JsonObject } from '../values/json.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Activity } from '../http/workload.ts';
import { type ListItemRecord, siteState } from '../places/list-records.ts';
import { openList, type OpenList } from './open-list.ts';
import { findPage, pagesOf, putPage } from './pages.ts';
import { placesOf, type SitePlace } from '../places/places.ts';
import { withFields } from './row-routes.ts';
import { findList, listsOf } from './seeded-lists.ts';

function siteOf(tenant: Tenant, input: JsonObject): SitePlace {
  const site = placesOf(tenant).site(textField(input, 'site') ?? '');
  if (!site) throw badRequest('sites', 'The change names no site.');
  return site;
}

function listOf(tenant: Tenant, input: JsonObject): OpenList {
  const list = findList(tenant, siteOf(tenant, input), textField(input, 'list') ?? '');
  if (!list) throw badRequest('sites', 'The change names no list.');
  return openList(tenant, list);
}

function authorOf(tenant: Tenant, input: JsonObject): ListItemRecord['createdBy'] {
  const person = tenant.directory.user(textField(input, 'by') ?? '') ?? tenant.directory.users()[0];
  return { userId: person?.id ?? tenant.tenantId };
}

function rowOf(open: OpenList, input: JsonObject): ListItemRecord {
  const row = open.get(textField(input, 'id') ?? '');
  if (!row) throw notFound('sites', 'The change names a row that is not there.');
  return row;
}

function createRow(open: OpenList, input: JsonObject): JsonObject {
  const modifiedMs = open.tenant.clock.nowMs();
  const by = authorOf(open.tenant, input);
  const fields = objectField(input, 'fields') ?? {};
  const id = open.newId();
  const versions = [{ id: '1.0', fields, modifiedMs, modifiedBy: by }];
  const contentTypeId = open.list.contentTypeIds[0] ?? '0x01';
  open.put({ id, contentTypeId, createdMs: modifiedMs, modifiedMs, createdBy: by, modifiedBy: by, fields, revision: 1, versions });
  return { id: String(id) };
}

function editRow(open: OpenList, input: JsonObject): JsonObject {
  const row = rowOf(open, input);
  open.put(
    withFields(row, {
      fields: objectField(input, 'fields') ?? {},
      modifiedMs: open.tenant.clock.nowMs(),
      modifiedBy: authorOf(open.tenant, input),
    }),
  );
  return { id: String(row.id) };
}

function deleteRow(open: OpenList, input: JsonObject): JsonObject {
  const row = rowOf(open, input);
  open.remove(String(row.id));
  return { id: String(row.id) };
}

function onList(name: string, act: (open: OpenList, input: JsonObject) => JsonObject): Activity {
  return { name, run: (tenant, input) => act(listOf(tenant, input), input) };
}

const editPage: Activity = {
  name: 'sites.editPage',
  run(tenant, input) {
    const site = siteOf(tenant, input);
    const page = findPage(tenant, site, textField(input, 'id') ?? '');
    if (!page) throw notFound('sites', 'The change names a page that is not there.');
    const title = textField(input, 'title') ?? page.title;
    putPage(tenant, site, {
      ...page,
      id: page.id,
      name: page.name,
      title,
      modifiedMs: tenant.clock.nowMs(),
      versionId: `${Number.parseInt(page.versionId, 10) + 1}.0`,
    });
    return { id: page.id };
  },
};

/** What people do in lists and pages: `{"do":"sites.editItem","site":"…","list":"…","id":"3","fields":{…}}`. */
export const siteActivities: readonly Activity[] = [
  onList('sites.createItem', createRow),
  onList('sites.editItem', editRow),
  onList('sites.deleteItem', deleteRow),
  editPage,
  {
    name: 'sites.archive',
    run(tenant, input) {
      const { id } = siteOf(tenant, input);
      siteState(tenant, id).isArchived = input['archived'] !== false;
      return { id };
    },
  },
];

function playList(open: OpenList, random: Random): string | undefined {
  const kind = pick(random, ['create', 'edit', 'edit', 'edit', 'delete'] as const);
  if (kind === 'create') {
    createRow(open, { fields: { Title: subjectLine(random, 'en') } });
    return 'sites.createItem';
  }
  const row = open.feed.size === 0 ? undefined : open.feed.at(random.below(open.feed.size));
  if (!row) return undefined;
  if (kind === 'edit') editRow(open, { id: String(row.id), fields: { Title: sentence(random, 'de') } });
  else deleteRow(open, { id: String(row.id) });
  return `sites.${kind}Item`;
}

/** A day of work in the lists and pages of all sites. */
export function playSitesDay(tenant: Tenant, random: Random): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  const count = (name: string | undefined): void => {
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const site of placesOf(tenant).sites.filter((place) => place.lists > 0)) {
    for (const list of listsOf(tenant, site).filter((entry) => entry.driveId === undefined && !entry.isSystem)) {
      for (let round = random.below(4); round > 0; round -= 1) count(playList(openList(tenant, list), random));
    }
    const page = pagesOf(tenant, site).at(0);
    if (page && random.below(2) === 0) {
      editPage.run(tenant, { site: site.id, id: page.id, title: page.title });
      count('sites.editPage');
    }
  }
  return counts;
}
