import type { TruthRecord } from '@holdfast/m365-simulator';
import type { Resource } from '../src/ports/item.ts';
import { factOf, openItems, picked, type Facts } from './facts.ts';
import type { Rig } from './rig.ts';

type Values = Readonly<Record<string, unknown>>;

/** Columns that people fill; what the service fills in follows from these. */
const FIELDS = ['Title', 'Notes', 'Effort', 'Budget', 'Approved', 'Due', 'Status', 'Topics', 'ResponsibleLookupId'];
const PAGE = ['name', 'title', 'pageLayout', 'titleArea', 'canvasLayout', 'promotionKind'];

function isKept({ metadata }: TruthRecord): boolean {
  const { isSystem, template } = metadata as Values;
  return isSystem !== true && template !== 'documentLibrary' && template !== 'webPageLibrary';
}

function columnNames(columns: unknown): readonly string[] {
  return ((columns ?? []) as readonly Values[]).map(({ name }) => String(name)).toSorted();
}

interface RowVersion {
  readonly id: string;
  readonly fields: object;
}

function versionsOf(versions: readonly RowVersion[]): object {
  return Object.fromEntries(versions.map(({ id, fields }) => [id, picked(fields, FIELDS)]));
}

function rowOfTruth({ metadata }: TruthRecord): object {
  const { fields, versions, createdBy, contentTypeId } = metadata as Values;
  const older = versions as readonly RowVersion[];
  return {
    ...picked(fields as object, FIELDS),
    author: createdBy,
    contentTypeId,
    versions: older.length > 1 ? versionsOf(older) : {},
  };
}

/** What the simulator's own record says of a site's lists, rows and pages. */
export async function siteOfTruth(rig: Rig, siteId: string): Promise<Facts> {
  const facts: Facts = new Map();
  const records = await rig.truth('sites', siteId);
  const lists = records.filter((record) => record.kind === 'list' && isKept(record));
  for (const { id, metadata } of lists) {
    const { displayName, columns, contentTypeIds } = metadata as Values;
    const says = { displayName, columns: columnNames(columns), contentTypeIds };
    facts.set(`list:${id}`, factOf(says, ['unread:lists', `unread:list:${id}`]));
  }
  for (const record of records) {
    const list = lists.find(({ path }) => record.path.startsWith(`${path}/`));
    if (record.kind === 'listItem' && list) {
      const within = ['unread:lists', `unread:list-items:${list.id}`];
      facts.set(`list:${list.id}:${record.id}`, factOf(rowOfTruth(record), within));
    }
    if (record.kind === 'page') facts.set(`page:${record.id}`, factOf(picked(record.metadata, PAGE), ['unread:pages']));
  }
  return facts;
}

function authorOf(createdBy: unknown): string {
  const { user, application } = (createdBy ?? {}) as { readonly user?: Values; readonly application?: Values };
  return user ? String(user['id']) : `app:${String(application?.['id'])}`;
}

/** What the vault has of them. */
export async function siteOfVault(rig: Rig, resource: Resource): Promise<Facts> {
  const facts: Facts = new Map();
  const { of, json } = await openItems(rig, resource);
  for (const { key, name, properties } of of('list')) {
    const contentTypeIds = ((properties['contentTypes'] ?? []) as readonly Values[]).map(({ id }) => id);
    facts.set(key, factOf({ displayName: name, columns: columnNames(properties['columns']), contentTypeIds }));
  }
  for (const item of of('listItem')) {
    const { fields, createdBy, contentType } = ((await json(item, 'export')) ?? {}) as Values;
    const versions = ((await json(item, 'version')) ?? []) as readonly RowVersion[];
    const says = {
      ...picked(fields as object | undefined, FIELDS),
      author: authorOf(createdBy),
      contentTypeId: (contentType as Values | undefined)?.['id'],
      versions: versionsOf(versions),
    };
    facts.set(item.key, factOf(says));
  }
  for (const item of of('page')) facts.set(item.key, factOf(picked(await json(item, 'export'), PAGE)));
  return facts;
}
