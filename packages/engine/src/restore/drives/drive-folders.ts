import { crashPoint } from '@holdfast/foundation/crash-point';
import { isGraphError, type DriveItemRef } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import type { PlacedContainer, RestoreContext } from '../restorer.ts';
import { nameDifference, nameInFolder } from './allowed-name.ts';
import { placeOf, splitPlace } from './place.ts';
import { restorePermissions } from './permissions.ts';

/** Finds or makes folders of a drive, and gives them their times back when their content is in them. */
export function createDriveFolders(context: RestoreContext) {
  const { request, graph, beginnings } = context;
  const withPermissions = request.options?.permissions ?? context.isOriginal;

  async function ensureFolder(parent: DriveItemRef, name: string, key?: string): Promise<PlacedContainer> {
    const existing = await graph.drives.itemByPath(parent, name);
    if (existing) {
      // One that a worker that died had made still needs its people and times.
      const isLeft = key !== undefined && (await beginnings.isLeft(key, existing));
      return { outcome: isLeft ? 'restored' : 'skipped', targetId: placeOf(parent.driveId, existing.id) };
    }
    if (key !== undefined) await beginnings.begin(key, []);
    try {
      const made = await graph.drives.createFolder(parent, { name, conflict: 'fail' });
      await crashPoint('restore.folder-made');
      await beginnings.wrote({
        key: `folder ${made.id}`,
        kind: 'folder',
        name,
        targetId: made.id,
        place: parent.driveId,
        mark: made.name ?? name,
      });
      return { outcome: 'restored', targetId: placeOf(parent.driveId, made.id) };
    } catch (error) {
      if (!isGraphError(error, 'graph.name-taken')) throw error;
      const taken = await graph.drives.itemByPath(parent, name);
      if (!taken) throw error;
      return { outcome: 'skipped', targetId: placeOf(parent.driveId, taken.id) };
    }
  }

  return {
    /** The root of a drive, or the folder in it that the request names. */
    async root(driveId: string): Promise<PlacedContainer> {
      const root = await graph.drives.root({ driveId });
      let here: PlacedContainer = { outcome: 'skipped', targetId: placeOf(driveId, root.id) };
      for (const name of (request.target.folder ?? '').split('/').filter((part) => part.trim() !== '')) {
        here = await ensureFolder(splitPlace(here.targetId), name);
      }
      return here;
    },
    async place(item: ItemVersion, parent: PlacedContainer): Promise<PlacedContainer> {
      const name = await nameInFolder(graph, splitPlace(parent.targetId), item.name);
      const placed = await ensureFolder(splitPlace(parent.targetId), name, item.key);
      const renamed = nameDifference(item, name);
      const here = renamed.length > 0 ? { ...placed, differences: renamed } : placed;
      if (here.outcome !== 'restored') return here;
      const shared = withPermissions ? await restorePermissions(graph, splitPlace(here.targetId), item) : [];
      const kind = item.kind === 'package' ? ['notebookAsFolder'] : [];
      const described = item.properties['description'] ? ['description'] : [];
      return { ...here, differences: [...renamed, ...shared, ...kind, ...described, 'createdBy', 'lastModifiedBy'] };
    },
    /** The service moves a folder's time with each thing put into it, so its own time comes last. */
    async leave(item: ItemVersion, placed: PlacedContainer): Promise<void> {
      const { createdAt, modifiedAt } = item;
      if (placed.outcome !== 'restored' || createdAt === undefined || modifiedAt === undefined) return;
      const fileSystemInfo = { createdDateTime: createdAt, lastModifiedDateTime: modifiedAt };
      await graph.drives.updateItem(splitPlace(placed.targetId), { fileSystemInfo });
    },
  };
}
