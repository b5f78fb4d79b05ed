import type { ItemKind, ItemVersion } from '../../ports/item.ts';
import { besideName } from '../beside.ts';
import { createDriveFolders } from '../drives/drive-folders.ts';
import { FILE_LIMITS } from '../drives/drive-restorer.ts';
import { createFileRestorer } from '../drives/files.ts';
import { writtenOf, type PlacedContainer, type RestoreContext, type Restorer } from '../restorer.ts';
import { createListRestorer } from './lists.ts';
import { createPageRestorer } from './pages.ts';

const LIMITS: Readonly<Partial<Record<ItemKind, readonly string[]>>> = {
  ...FILE_LIMITS,
  listItem: ['restore.limit.list-item-authors'],
  page: ['restore.limit.page-authors'],
};

/** Puts a site's libraries, lists and pages back, into this or another site. */
export function createSiteRestorer(context: RestoreContext): Restorer {
  const { graph, request } = context;
  const siteId = request.target.resource.graphId;
  const folders = createDriveFolders(context);
  const files = createFileRestorer(context);
  const lists = createListRestorer(context, siteId);
  const pages = createPageRestorer(context, siteId);
  let libraries: Promise<Map<string, string>> | undefined;

  async function readLibraries(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const drive of graph.drives.siteDrives({ siteId })) {
      found.set((drive.name ?? '').toLowerCase(), drive.id);
      found.set(drive.id, drive.id);
    }
    return found;
  }

  /** The library of the item, or one of its name; one that has to be made beside what is there says so in its name. */
  async function library(item: ItemVersion): Promise<PlacedContainer> {
    libraries ??= readLibraries();
    const own = item.key.slice('library:'.length);
    const displayName = besideName(item.name, request.target.folder);
    const names = [...(context.isOriginal ? [own] : []), item.name.toLowerCase(), displayName.toLowerCase()];
    const there = await libraries;
    const known = names.map((name) => there.get(name)).find((id) => id !== undefined);
    if (known !== undefined) return folders.root(known);
    const list = await graph.sites.createList(
      { siteId },
      { displayName, list: { template: 'documentLibrary' } },
      { recover: async () => undefined },
    );
    libraries = readLibraries();
    const made = (await libraries).get(displayName.toLowerCase());
    if (made === undefined) return { outcome: 'failed', targetId: '', code: 'restore.container-failed' };
    await context.beginnings.wrote({ ...writtenOf(item), name: displayName, targetId: list.id, place: siteId, mark: displayName });
    return { ...(await folders.root(made)), outcome: 'restored' };
  }

  return {
    workloads: async () => ['sites', 'drives'],
    atATime: () => 3,
    async container(item, parent) {
      if (item.kind === 'site') return { outcome: 'skipped', targetId: siteId };
      if (item.kind === 'library') return library(item);
      if (item.kind === 'list') return lists.place(item);
      return folders.place(item, parent ?? { outcome: 'skipped', targetId: siteId });
    },
    async item(item, parent) {
      if (item.kind === 'listItem') return lists.restore(item);
      if (item.kind === 'page') return pages.restore(item);
      return files.restore(item, parent ?? { outcome: 'failed', targetId: '' });
    },
    async leave(item, placed) {
      if (item.kind === 'folder' || item.kind === 'package') await folders.leave(item, placed);
    },
    finish: () => files.finish(),
    limitsOf: (kind) => LIMITS[kind] ?? [],
  };
}
