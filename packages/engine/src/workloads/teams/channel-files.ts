import { graphOutcome, isGraphError, type GraphClient } from '@holdfast/m365';
import { adviceFor } from '../../pipeline/failure.ts';
import { pathOf } from '../../pipeline/path.ts';
import type { Exclusion, Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { JsonObject } from '../../ports/item.ts';
import { partFailed } from '../compare-listing.ts';
import { enumerateDrive } from '../drives/drive.ts';
import { forgetOtherDrives } from '../drives/lost-libraries.ts';
import { channelKey } from './channel-choice.ts';

/** Where the files of a channel are. */
interface FilesFolder {
  readonly driveId: string;
  readonly itemId: string;
}

/** A channel that is read. */
interface ReadChannel {
  readonly id: string;
  readonly name: string;
}

const PREFIX = 'unread:files:';
const NO_FOLDER = 'coverage.channel-without-folder';

/** Under which the error list speaks for all files of a channel. */
function filesKey(channelId: string): string {
  return `${PREFIX}${channelId}`;
}

function folderIn(properties: JsonObject | undefined): FilesFolder | undefined {
  const { driveId, itemId } = (properties?.['files'] ?? {}) as Partial<FilesFolder>;
  return typeof driveId === 'string' && typeof itemId === 'string' ? { driveId, itemId } : undefined;
}

/**
 * The files of a team's channels: the folder of each channel in the library of the team's site, or of the site that a
 * private or shared channel has for itself. Change tracking is there for whole libraries only, so each is followed once,
 * and of it the folders of the channels are kept.
 */
export function createChannelFiles(context: EnumerateContext, graph: GraphClient, teamKey: string) {
  const teamId = context.resource.graphId;
  const refusals = new Map<string, unknown>();
  /** Channels of which the service says that they have no folder, and never had one. */
  const folderless = new Set<string>();
  const isOpen = ({ id }: ReadChannel): boolean => !refusals.has(id);

  /** Told among what is not protected, as long as it is so. */
  async function notProtected({ id, name }: ReadChannel, why: Pick<Exclusion, 'code' | 'advice'>): Promise<Step> {
    const path = await pathOf(context.known, teamKey, name);
    return { step: 'exclude', exclusion: { key: filesKey(id), kind: 'channel', path, ...why } };
  }

  /** A missing role is no fault of a run, nor is an archived site. */
  async function* refused(channel: ReadChannel, error: unknown): AsyncGenerator<Step, void, undefined> {
    const { id, name } = channel;
    if (isGraphError(error, 'graph.permission-missing', 'graph.site-archived'))
      yield await notProtected(channel, { code: error.code, advice: adviceFor(error.code) });
    else yield partFailed({ key: filesKey(id), kind: 'channel', parentKey: teamKey, name }, error);
  }

  /** What of a channel can't be read, as it was asked where its files are. */
  async function* tell(channel: ReadChannel, folder: FilesFolder | undefined): AsyncGenerator<Step, void, undefined> {
    const refusal = refusals.get(channel.id);
    if (refusal !== undefined) yield* refused(channel, refusal);
    else if (folderless.has(channel.id)) yield await notProtected(channel, { code: NO_FOLDER, advice: 'notPossible' });
    else if (!folder) yield { step: 'resolved', key: filesKey(channel.id) };
  }

  async function* readDrive(driveId: string, channels: ReadonlyMap<string, ReadChannel>): AsyncGenerator<Step, void, undefined> {
    const folders = new Map([...channels].map(([itemId, { id }]) => [itemId, channelKey(id)]));
    try {
      yield* enumerateDrive(context, graph, { driveId, name: '', parentKey: null, folders });
      for (const channel of channels.values()) if (isOpen(channel)) yield { step: 'resolved', key: filesKey(channel.id) };
    } catch (error) {
      for (const channel of channels.values()) if (isOpen(channel)) yield* refused(channel, error);
    }
  }

  return {
    /**
     * Asks where the files of a channel are. One whose folder nobody has opened yet has none, which is told: the answer
     * may be wrong. What is known of it stays when nothing is said.
     */
    async locate(channelId: string): Promise<object | undefined> {
      try {
        const { id, name, webUrl, parentReference } = await graph.teams.filesFolder({ teamId, channelId });
        return { driveId: parentReference?.driveId, itemId: id, name, webUrl };
      } catch (error) {
        const outcome = graphOutcome(error);
        if (outcome === undefined || outcome === 'record' || outcome === 'retry' || outcome === 'tenant') throw error;
        if (isGraphError(error, 'graph.permission-missing', 'graph.access-denied', 'graph.site-archived')) refusals.set(channelId, error);
        const key = channelKey(channelId);
        const files = (await context.known.load([key])).get(key)?.properties['files'] as JsonObject | undefined;
        if (!files && !refusals.has(channelId)) folderless.add(channelId);
        return files;
      }
    },
    /** Reads the files of these channels, and forgets what was noted of others. */
    async *read(channels: readonly ReadChannel[]): AsyncGenerator<Step, void, undefined> {
      const known = await context.known.load(channels.map(({ id }) => channelKey(id)));
      const drives = new Map<string, Map<string, ReadChannel>>();
      for (const channel of channels) {
        const folder = folderIn(known.get(channelKey(channel.id))?.properties);
        yield* tell(channel, folder);
        if (!folder) continue;
        const inDrive = drives.get(folder.driveId) ?? new Map<string, ReadChannel>();
        drives.set(folder.driveId, inDrive.set(folder.itemId, channel));
      }
      for (const [driveId, inDrive] of drives) {
        if ([...inDrive.values()].some(isOpen)) yield* readDrive(driveId, inDrive);
      }
      yield* forgetOtherDrives(context, [...drives.keys()]);
      const there = new Set(channels.map(({ id }) => filesKey(id)));
      for (const key of [...context.unread.keys(), ...context.excluded.keys()])
        if (key.startsWith(PREFIX) && !there.has(key)) yield { step: 'resolved', key };
    },
  };
}
