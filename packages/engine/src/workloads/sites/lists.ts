import type { GraphClient } from '@holdfast/m365';
import type { Unread } from '../../pipeline/cursor-state.ts';
import type { ContentSink, Draft, ReadItem, Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { JsonObject } from '../../ports/item.ts';
import { compareListing, exported, guardPart, jsonProperties, without } from '../compare-listing.ts';
import { followCollection } from '../delta-collection.ts';
import { createRemovals, type Removals } from '../removals.ts';
import { forgetScopes } from '../follow-delta.ts';
import { createRevisits, notListed, resolveLost } from '../revisit.ts';

/** Lists whose content is protected as files, or that the service makes and fills itself. */
const NOT_AS_LISTS = new Set(['documentLibrary', 'webPageLibrary', 'mySiteDocumentLibrary', 'pictureLibrary']);

type ItemEntry = Awaited<ReturnType<GraphClient['sites']['item']>>;

interface ListEntry {
  readonly id: string;
  readonly displayName?: string | null;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly webUrl?: string | null;
  readonly columns?: unknown;
  readonly contentTypes?: unknown;
  readonly list?: { readonly template?: string | null; readonly hidden?: boolean | null } | null;
  readonly system?: unknown;
}

interface SiteRun {
  readonly context: EnumerateContext;
  readonly graph: GraphClient;
  readonly siteId: string;
  readonly siteKey: string;
}

/** Keys of a list and its items. */
export function listKey(listId: string): string {
  return `list:${listId}`;
}

function isOurs(list: ListEntry): boolean {
  return !NOT_AS_LISTS.has(list.list?.template ?? '') && (list.system === undefined || list.system === null);
}

function isFirstVersion(eTag: string | null | undefined): boolean {
  return /,1"?$/u.test(eTag ?? '');
}

async function readItem(
  run: SiteRun,
  listId: string,
  item: { readonly id: string; readonly eTag?: string | null },
  sink: ContentSink,
): Promise<ReadItem> {
  const { graph, siteId } = run;
  const contents = [await sink.store('export', exported(item), { kind: 'json', mediaType: 'application/json' })];
  if (isFirstVersion(item.eTag)) return { contents };
  const versions: JsonObject[] = [];
  for await (const version of graph.sites.itemVersions({ siteId, listId, itemId: item.id }))
    versions.push(jsonProperties(without(version)));
  if (versions.length > 1) {
    contents.push(await sink.store('version', Buffer.from(JSON.stringify(versions)), { kind: 'json', mediaType: 'application/json' }));
  }
  return { contents };
}

function titleOf(fields: Readonly<Record<string, unknown>>): string {
  for (const name of ['Title', 'LinkTitle', 'FileLeafRef']) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

function itemDraft(run: SiteRun, listId: string, item: ItemEntry): Draft {
  const fields = (item.fields ?? {}) as Readonly<Record<string, unknown>>;
  const { createdBy, lastModifiedBy, contentType } = item;
  const parentKey = listKey(listId);
  return {
    key: `${parentKey}:${item.id}`,
    kind: 'listItem',
    parentKey,
    name: titleOf(fields) === '' ? item.id : titleOf(fields),
    contentTag: item.eTag ?? item.lastModifiedDateTime ?? '',
    properties: jsonProperties({ fields: jsonProperties(fields), createdBy, lastModifiedBy, contentType, itemId: item.id }),
    ...(item.createdDateTime ? { createdAt: item.createdDateTime } : {}),
    ...(item.lastModifiedDateTime ? { modifiedAt: item.lastModifiedDateTime } : {}),
    read: (sink) => readItem(run, listId, item, sink),
  };
}

/** An item that an earlier run could not read; with its list it is gone. */
async function* putAgain(run: SiteRun, { key }: Unread, there: ReadonlySet<string>): AsyncGenerator<Step, void, undefined> {
  const [, listId = '', itemId = ''] = key.split(':');
  if (!there.has(listId)) {
    yield { step: 'resolved', key };
    return;
  }
  const item = await run.graph.sites.item({ siteId: run.siteId, listId, itemId });
  const previous = (await run.context.known.load([key])).get(key);
  yield { step: 'put', draft: itemDraft(run, listId, item), previous };
}

async function* enumerateItems(run: SiteRun, listId: string, removals: Removals): AsyncGenerator<Step, void, undefined> {
  const { context, graph, siteId } = run;
  const parentKey = listKey(listId);
  yield* followCollection(context, {
    scope: `list-items:${listId}`,
    parentKey,
    kind: 'listItem',
    removals,
    keyOf: (id) => `${parentKey}:${id}`,
    open: (cursor) => graph.sites.itemDelta({ siteId, listId }, cursor),
    draft: (item) => itemDraft(run, listId, item),
  });
}

/** The lists of a site with columns, content types and items; libraries are taken as drives. */
export async function* enumerateLists(run: SiteRun): AsyncGenerator<Step, void, undefined> {
  const { context, graph, siteId, siteKey } = run;
  const names = new Map<string, string>();
  const revisits = createRevisits(context);

  /** With the columns of its content types, where it has others than the service's own. */
  async function described(list: ListEntry): Promise<ListEntry> {
    const place = { siteId, listId: list.id };
    const whole: ListEntry = { ...list, ...((await graph.sites.list(place)) as Partial<ListEntry>) };
    const known = (whole.contentTypes ?? []) as readonly { readonly isBuiltIn?: boolean | null }[];
    if (known.every(({ isBuiltIn }) => isBuiltIn === true)) return whole;
    const contentTypes: object[] = [];
    for await (const { columns, ...type } of graph.sites.listContentTypes(place))
      contentTypes.push({ ...without(type, '@odata.context'), columns: (columns ?? []).map(({ id, name }) => ({ id, name })) });
    return { ...whole, contentTypes };
  }

  async function* listed() {
    for await (const list of graph.sites.lists({ siteId })) {
      if (isOurs(list)) yield list as ListEntry;
    }
  }

  yield* compareListing(context, {
    parentKey: siteKey,
    kind: 'list',
    listing: listed(),
    draft: (list) => {
      const name = list.displayName ?? list.name ?? '';
      names.set(list.id, name);
      const { columns, contentTypes, description, list: kind, webUrl } = list;
      const properties = jsonProperties({ columns, contentTypes, description, list: kind, webUrl, internalName: list.name });
      return { key: listKey(list.id), kind: 'list', parentKey: siteKey, name, contentTag: '', properties };
    },
    describe: described,
  });
  const removals = createRemovals(context, 'list-removals');
  for (const [id, name] of names) {
    const part = { key: `unread:list-items:${id}`, kind: 'list', parentKey: siteKey, name } as const;
    yield* revisits.noting(guardPart(part, () => enumerateItems(run, id, removals)));
  }
  yield* removals.settle();
  const there = [...names.keys()];
  yield* forgetScopes(context, ['list-items:'], there);
  yield* resolveLost(context, 'unread:list-items:', there);
  yield* revisits.rest(
    ({ kind }) => kind === 'listItem',
    (unread) => putAgain(run, unread, new Set(there)),
  );
}

/** Pages with their canvas. */
export async function* enumeratePages(run: SiteRun): AsyncGenerator<Step, void, undefined> {
  const { context, graph, siteId, siteKey } = run;
  const revisits = createRevisits(context);
  const pages = compareListing(context, {
    parentKey: siteKey,
    kind: 'page',
    listing: graph.sites.pages({ siteId }),
    draft: (page) => ({
      key: `page:${page.id}`,
      kind: 'page',
      parentKey: siteKey,
      name: page.name ?? page.title ?? '',
      contentTag: page.eTag ?? page.lastModifiedDateTime ?? '',
      properties: jsonProperties({
        title: page.title,
        pageId: page.id,
        publishingState: page.publishingState,
        webUrl: page.webUrl,
      }),
      ...(page.createdDateTime ? { createdAt: page.createdDateTime } : {}),
      ...(page.lastModifiedDateTime ? { modifiedAt: page.lastModifiedDateTime } : {}),
      async read(sink: ContentSink) {
        const whole = await graph.sites.page({ siteId, pageId: page.id });
        return {
          contents: [await sink.store('export', Buffer.from(JSON.stringify(whole)), { kind: 'json', mediaType: 'application/json' })],
        };
      },
    }),
  });
  yield* revisits.noting(pages);
  yield* revisits.rest(({ kind }) => kind === 'page', notListed);
}

export type { SiteRun };
