import type { GraphClient } from '@holdfast/m365';
import type { ContentSink, ReadItem, Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { JsonObject } from '../../ports/item.ts';
import { compareListing, guardPart, jsonProperties, without } from '../compare-listing.ts';
import { followCollection } from '../delta-collection.ts';
import { createRemovals, type Removals } from '../removals.ts';

/** Lists whose content is protected as files, or that the service makes and fills itself. */
const NOT_AS_LISTS = new Set(['documentLibrary', 'webPageLibrary', 'mySiteDocumentLibrary', 'pictureLibrary']);

interface ListEntry {
  readonly id: string;
  readonly displayName?: string | null;
  readonly name?: string | null;
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
  const contents = [await sink.store('export', Buffer.from(JSON.stringify(item)), { kind: 'json', mediaType: 'application/json' })];
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
    draft: (item) => {
      const fields = (item.fields ?? {}) as Readonly<Record<string, unknown>>;
      const { createdBy, lastModifiedBy, contentType } = item;
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
    },
  });
}

/** The lists of a site with columns, content types and items; libraries are taken as drives. */
export async function* enumerateLists(run: SiteRun): AsyncGenerator<Step, void, undefined> {
  const { context, graph, siteId, siteKey } = run;
  const found: { readonly id: string; readonly name: string }[] = [];
  const full: Record<string, Readonly<Record<string, unknown>>> = {};

  async function* listed() {
    for await (const list of graph.sites.lists({ siteId })) {
      if (!isOurs(list)) continue;
      full[list.id] = { ...(await graph.sites.list({ siteId, listId: list.id })) };
      yield list as ListEntry;
    }
  }

  yield* compareListing(context, {
    parentKey: siteKey,
    kind: 'list',
    listing: listed(),
    draft: (list) => {
      const name = list.displayName ?? list.name ?? '';
      found.push({ id: list.id, name });
      const { columns, contentTypes, description, list: kind, webUrl } = full[list.id] ?? {};
      const properties = jsonProperties({ columns, contentTypes, description, list: kind, webUrl, internalName: list.name });
      return { key: listKey(list.id), kind: 'list', parentKey: siteKey, name, contentTag: '', properties };
    },
  });
  const removals = createRemovals(context, 'list-removals');
  for (const { id, name } of found) {
    yield* guardPart({ key: `unread:list-items:${id}`, kind: 'list', parentKey: siteKey, name }, () => enumerateItems(run, id, removals));
  }
  yield* removals.settle();
}

/** Pages with their canvas. */
export async function* enumeratePages(run: SiteRun): AsyncGenerator<Step, void, undefined> {
  const { context, graph, siteId, siteKey } = run;
  yield* compareListing(context, {
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
}

export type { SiteRun };
