import type { ItemKind } from '../../ports/item.ts';
import { driveIdOf } from '../../workloads/drives/drive-item.ts';
import type { RestoreContext, Restorer } from '../restorer.ts';
import { createDriveFolders } from './drive-folders.ts';
import { createFileRestorer } from './files.ts';

/** What the service lets nobody set on files and folders. */
export const FILE_LIMITS: Readonly<Partial<Record<ItemKind, readonly string[]>>> = {
  file: ['restore.limit.file-authors', 'restore.limit.link-address'],
  shortcut: ['restore.limit.shortcut'],
  package: ['restore.limit.notebook'],
};

/** Puts a OneDrive or a single library back. */
export function createDriveRestorer(context: RestoreContext): Restorer {
  const { graph, request } = context;
  const folders = createDriveFolders(context);
  const files = createFileRestorer(context);

  const driveId = (): Promise<string> => driveIdOf(graph, request.target.resource);

  return {
    workloads: async () => ['drives'],
    atATime: () => 3,
    async container(item, parent) {
      return item.kind === 'library' || !parent ? folders.root(await driveId()) : folders.place(item, parent);
    },
    async item(item, parent) {
      return files.restore(item, parent ?? (await folders.root(await driveId())));
    },
    leave: (item, placed) => folders.leave(item, placed),
    finish: () => files.finish(),
    limitsOf: (kind) => FILE_LIMITS[kind] ?? [],
  };
}
