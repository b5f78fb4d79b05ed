import type { GraphClient } from '@holdfast/m365';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext, Workload } from '../../pipeline/workload.ts';
import { guardPart, jsonProperties, removeWithContents } from '../compare-listing.ts';
import { enumerateDrive } from '../drives/drive.ts';
import { driveKeys } from '../drives/drive-item.ts';
import { enumerateLists, enumeratePages } from './lists.ts';

async function* removeLostLibraries(
  context: EnumerateContext,
  siteKey: string,
  seen: ReadonlySet<string>,
): AsyncGenerator<Step, void, undefined> {
  const lost: string[] = [];
  for await (const item of context.known.items({ parentKey: siteKey, kinds: ['library'] })) if (!seen.has(item.key)) lost.push(item.key);
  for (const key of lost) yield* removeWithContents(context, key);
}

async function* enumerate(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  const siteId = context.resource.graphId;
  const site = await graph.sites.site({ siteId });
  const siteKey = `site:${site.id}`;
  const { displayName, description, webUrl, siteCollection, name } = site;
  const properties = jsonProperties({ description, webUrl, siteCollection, name });
  const draft = { key: siteKey, kind: 'site', parentKey: null, name: displayName ?? name ?? '', contentTag: '', properties } as const;
  yield { step: 'put', draft, previous: (await context.known.load([siteKey])).get(siteKey) };
  const seen = new Set<string>();
  for await (const drive of graph.drives.siteDrives({ siteId })) {
    seen.add(driveKeys(drive.id).library);
    const place = { driveId: drive.id, name: drive.name ?? '', parentKey: siteKey };
    yield* enumerateDrive(context, graph, place);
  }
  yield* removeLostLibraries(context, siteKey, seen);
  const run = { context, graph, siteId, siteKey };
  yield* guardPart({ key: 'unread:lists', kind: 'site', parentKey: null, name: draft.name }, () => enumerateLists(run));
  yield* guardPart({ key: 'unread:pages', kind: 'site', parentKey: null, name: draft.name }, () => enumeratePages(run));
}

/** Sites: libraries as drives, lists with items, pages. */
export function createSiteWorkload(graph: GraphClient): Workload {
  return { roles: ['Sites.Read.All', 'Files.Read.All'], enumerate: (context) => enumerate(context, graph) };
}
