import { AppError } from '@holdfast/foundation/errors';
import { isGraphError } from '@holdfast/m365';
import type { ItemsQuery } from '../../ports/catalog.ts';
import type { ItemKind, ItemVersion } from '../../ports/item.ts';
import { FILES_NOT_READY } from '../attempt.ts';
import { createDriveFolders } from '../drives/drive-folders.ts';
import { createFileRestorer } from '../drives/files.ts';
import { placeOf } from '../drives/place.ts';
import type { ItemOutcome, PlacedContainer, RestoreContext } from '../restorer.ts';

const FILE_KINDS: readonly ItemKind[] = ['folder', 'package', 'file', 'shortcut'];

/** The service makes the folder of a new channel after a while. */
const LONGEST_WAIT_MS = 5 * 60_000;
const LOOK_AGAIN_MS = 10_000;

/** True for what is in the files of a channel. */
export function isChannelFile({ kind }: Pick<ItemVersion, 'kind'>): boolean {
  return FILE_KINDS.includes(kind);
}

/** Puts the files of channels back, as those of a drive whose root is the folder of the channel at the target. */
export function createChannelFiles(context: RestoreContext, teamIdAtTarget: () => string) {
  const { request, graph, catalog, sequence, clock, signal } = context;
  const folders = createDriveFolders(context);
  const files = createFileRestorer(context);

  async function placeRoot(channel: PlacedContainer): Promise<PlacedContainer> {
    const until = clock.monotonicMs() + LONGEST_WAIT_MS;
    for (;;) {
      try {
        const { id, parentReference } = await graph.teams.filesFolder({ teamId: teamIdAtTarget(), channelId: channel.targetId });
        // What the service has made, and named, is used as it is.
        return { outcome: 'skipped', targetId: placeOf(parentReference?.driveId ?? '', id) };
      } catch (error) {
        if (!isGraphError(error, 'graph.item-gone')) throw error;
        if (clock.monotonicMs() >= until) throw new AppError(FILES_NOT_READY, { cause: error });
      }
      await clock.sleep(LOOK_AGAIN_MS, signal);
    }
  }

  async function hasSome(query: ItemsQuery): Promise<boolean> {
    for await (const item of catalog.items(request.source.id, sequence, query)) return item !== undefined;
    return false;
  }

  return {
    /** Whether files are among what is asked for. */
    async areWanted(): Promise<boolean> {
      if (request.selection === 'all') return hasSome({ kinds: FILE_KINDS });
      for await (const item of catalog.items(request.source.id, sequence, { keys: request.selection })) {
        if (isChannelFile(item)) return true;
        const inside = item.kind === 'team' ? {} : { parentKey: item.key };
        if ((item.kind === 'team' || item.kind === 'channel') && (await hasSome({ ...inside, kinds: FILE_KINDS }))) return true;
      }
      return false;
    },
    /** `above` is the channel itself for its folder, and a folder for what is in that. */
    place(item: ItemVersion, above: PlacedContainer | undefined): Promise<PlacedContainer> {
      const parent = above ?? { outcome: 'failed', targetId: '' };
      return item.parentKey?.startsWith('channel:') ? placeRoot(parent) : folders.place(item, parent);
    },
    restore(item: ItemVersion, parent: PlacedContainer | undefined): Promise<ItemOutcome> {
      return files.restore(item, parent ?? { outcome: 'failed', targetId: '' });
    },
    leave: (item: ItemVersion, placed: PlacedContainer) => folders.leave(item, placed),
    finish: () => files.finish(),
  };
}
