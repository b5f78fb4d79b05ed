import type { GraphClient } from '@holdfast/m365';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext, Workload } from '../../pipeline/workload.ts';
import { describeListed, guardPart, jsonProperties } from '../compare-listing.ts';
import { resolveLost } from '../revisit.ts';
import { enumerateDrive } from '../drives/drive.ts';
import { driveKeys } from '../drives/drive-item.ts';
import { removeLostLibraries } from '../drives/lost-libraries.ts';
import { enumerateLists, enumeratePages, type SiteRun } from './lists.ts';
import { readSiteOwners } from './site-owners.ts';

/** The libraries of a site as drives; one that can't be read keeps none of the others from being read. */
async function* enumerateLibraries({ context, graph, siteId, siteKey }: SiteRun): AsyncGenerator<Step, void, undefined> {
  const drives = await Array.fromAsync(graph.drives.siteDrives({ siteId }));
  const there = drives.map(({ id }) => id);
  for (const drive of drives) {
    const name = drive.name ?? '';
    const part = { key: `unread:${driveKeys(drive.id).library}`, kind: 'library', parentKey: siteKey, name } as const;
    yield* guardPart(part, () => enumerateDrive(context, graph, { driveId: drive.id, name, parentKey: siteKey }));
  }
  yield* removeLostLibraries(context, { parentKey: siteKey, driveIds: there });
  yield* resolveLost(context, 'unread:library:', there);
}

async function* enumerate(context: EnumerateContext, graph: GraphClient): AsyncGenerator<Step, void, undefined> {
  const siteId = context.resource.graphId;
  const site = await graph.sites.site({ siteId });
  const siteKey = `site:${site.id}`;
  const { displayName, description, webUrl, siteCollection, name } = site;
  const properties = jsonProperties({ description, webUrl, siteCollection, name });
  const listed = { key: siteKey, kind: 'site', parentKey: null, name: displayName ?? name ?? '', contentTag: '', properties } as const;
  const draft = yield* describeListed(context, listed, async () => ({
    ...listed,
    properties: { ...properties, ownership: await readSiteOwners(graph, siteId) },
  }));
  if (draft) yield { step: 'put', draft, previous: (await context.known.load([siteKey])).get(siteKey) };
  const run = { context, graph, siteId, siteKey };
  yield* guardPart({ key: 'unread:libraries', kind: 'site', parentKey: null, name: listed.name }, () => enumerateLibraries(run));
  yield* guardPart({ key: 'unread:lists', kind: 'site', parentKey: null, name: listed.name }, () => enumerateLists(run));
  yield* guardPart({ key: 'unread:pages', kind: 'site', parentKey: null, name: listed.name }, () => enumeratePages(run));
}

/** Sites: who owns them, libraries as drives, lists with items, pages. */
export function createSiteWorkload(graph: GraphClient): Workload {
  // Without GroupMember.Read.All a site is whole; only its owners are not known.
  return { roles: ['Sites.Read.All', 'Files.Read.All'], enumerate: (context) => enumerate(context, graph) };
}
