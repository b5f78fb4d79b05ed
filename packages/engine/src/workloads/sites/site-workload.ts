import type { GraphClient } from '@holdfast/m365';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext, Workload } from '../../pipeline/workload.ts';
import type { ItemKind } from '../../ports/item.ts';
import { guardPart, jsonProperties, removeWithContents } from '../compare-listing.ts';
import { forgetScopes } from '../follow-delta.ts';
import { resolveLost } from '../revisit.ts';
import { driveScopes, enumerateDrive } from '../drives/drive.ts';
import { driveKeys } from '../drives/drive-item.ts';
import { enumerateLists, enumeratePages, type SiteRun } from './lists.ts';

async function* removeLostLibraries(
  context: EnumerateContext,
  siteKey: string,
  seen: ReadonlySet<string>,
): AsyncGenerator<Step, void, undefined> {
  const lost: string[] = [];
  for await (const item of context.known.items({ parentKey: siteKey, kinds: ['library'] })) if (!seen.has(item.key)) lost.push(item.key);
  for (const key of lost) yield* removeWithContents(context, key);
}

/** The libraries of a site as drives; one that can't be read keeps none of the others from being read. */
async function* enumerateLibraries({ context, graph, siteId, siteKey }: SiteRun): AsyncGenerator<Step, void, undefined> {
  const drives = await Array.fromAsync(graph.drives.siteDrives({ siteId }));
  const there = drives.map(({ id }) => id);
  for (const drive of drives) {
    const name = drive.name ?? '';
    const part = { key: `unread:${driveKeys(drive.id).library}`, kind: 'library', parentKey: siteKey, name } as const;
    yield* guardPart(part, () => enumerateDrive(context, graph, { driveId: drive.id, name, parentKey: siteKey }));
  }
  yield* removeLostLibraries(context, siteKey, new Set(there.map((id) => driveKeys(id).library)));
  yield* forgetScopes(context, driveScopes, there);
  yield* resolveLost(context, 'unread:library:', there);
  // What was never read of a library that is not there any more has nobody else to say so.
  const isFile = (kind: ItemKind): boolean => kind === 'file' || kind === 'folder' || kind === 'package' || kind === 'shortcut';
  for (const { key, kind } of context.unread.values())
    if (isFile(kind) && !there.some((id) => key.startsWith(driveKeys(id).item('')))) yield { step: 'resolved', key };
}

async function* enumerate(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  const siteId = context.resource.graphId;
  const site = await graph.sites.site({ siteId });
  const siteKey = `site:${site.id}`;
  const { displayName, description, webUrl, siteCollection, name } = site;
  const properties = jsonProperties({ description, webUrl, siteCollection, name });
  const draft = { key: siteKey, kind: 'site', parentKey: null, name: displayName ?? name ?? '', contentTag: '', properties } as const;
  yield { step: 'put', draft, previous: (await context.known.load([siteKey])).get(siteKey) };
  const run = { context, graph, siteId, siteKey };
  yield* guardPart({ key: 'unread:libraries', kind: 'site', parentKey: null, name: draft.name }, () => enumerateLibraries(run));
  yield* guardPart({ key: 'unread:lists', kind: 'site', parentKey: null, name: draft.name }, () => enumerateLists(run));
  yield* guardPart({ key: 'unread:pages', kind: 'site', parentKey: null, name: draft.name }, () => enumeratePages(run));
}

/** Sites: libraries as drives, lists with items, pages. */
export function createSiteWorkload(graph: GraphClient): Workload {
  return { roles: ['Sites.Read.All', 'Files.Read.All'], enumerate: (context) => enumerate(context, graph) };
}
