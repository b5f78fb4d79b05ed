import type { ItemVersion, Resource } from '../src/ports/item.ts';
import { driveOfTruth, driveOfVault, type ComparedFile } from './compare-drive.ts';
import type { Rig } from './rig.ts';

/** Where a channel's files are. */
export interface ChannelPlace {
  readonly id: string;
  readonly name: string;
  readonly driveId: string;
  readonly folderId: string;
  /** The name of its folder. */
  readonly folder: string;
}

/** The channels of a team and their folders, as the service tells them. */
export async function channelPlaces(rig: Rig, teamId: string): Promise<ChannelPlace[]> {
  const places: ChannelPlace[] = [];
  for await (const { id, displayName } of rig.graph.teams.channels({ teamId })) {
    const folder = await rig.graph.teams.filesFolder({ teamId, channelId: id });
    const driveId = folder.parentReference?.driveId ?? '';
    places.push({ id, name: displayName ?? '', driveId, folderId: folder.id, folder: folder.name ?? '' });
  }
  return places;
}

/** What the simulator's own record says of the files of channels, folders of the channels included, by id. */
export async function channelFilesOfTruth(rig: Rig, places: readonly ChannelPlace[]): Promise<Map<string, ComparedFile>> {
  const found = new Map<string, ComparedFile>();
  for (const { driveId, folder } of places) {
    for (const [id, file] of await driveOfTruth(rig, driveId))
      if (file.path === folder || file.path.startsWith(`${folder}/`)) found.set(id, file);
  }
  return found;
}

/** What the vault has of them, with paths as they are in the library. */
export async function channelFilesOfVault(rig: Rig, team: Resource, sequence?: number): Promise<Map<string, ComparedFile>> {
  const items = await rig.items(team, sequence);
  const depth = (item: ItemVersion | undefined): number => (item ? 1 + depth(items.find(({ key }) => key === item.parentKey)) : 0);
  const above = new Map(items.filter(({ kind }) => kind === 'channel').map((item) => [item.key, depth(item)]));
  const [levels = 0] = above.values();
  const files = await driveOfVault(rig, team, sequence);
  return new Map([...files].map(([id, file]) => [id, { ...file, path: file.path.split('/').slice(levels).join('/') }]));
}
