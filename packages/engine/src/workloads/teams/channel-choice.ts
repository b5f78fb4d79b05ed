import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';
import type { ItemVersion, JsonObject } from '../../ports/item.ts';

/** Keys of a team's channels. */
export function channelKey(channelId: string): string {
  return `channel:${channelId}`;
}

/** A channel that is not read: as it is stored when other runs read it, else by its name alone. */
export interface LeftOutChannel {
  readonly name: string;
  readonly properties: JsonObject;
}

/** What the selection of a job says of the channels of a team. */
export interface ChannelChoice {
  /** Undefined when the channel is read. */
  leftOut(channel: { readonly id: string; readonly displayName?: string | null }): LeftOutChannel | undefined;
  /** Once all were asked for: empties those that nobody chooses, and names those that were chosen and are not there. */
  settle(read: readonly string[]): AsyncGenerator<Step, void, undefined>;
  /** Those that are there and that other runs read. */
  readonly kept: ReadonlySet<string>;
}

const CHANNEL_GONE = 'coverage.channel-gone';

/** Channels that were told to be gone and that nobody chooses any more. */
function* forgetGone({ excluded }: EnumerateContext, told: ReadonlySet<string>): Generator<Step, void, undefined> {
  for (const [key, { code }] of excluded) if (code === CHANNEL_GONE && !told.has(key)) yield { step: 'resolved', key };
}

/** A channel that is not chosen any more holds nothing from now on; earlier restore points keep it. */
async function* removePosts(context: EnumerateContext, channelId: string): AsyncGenerator<Step, void, undefined> {
  const below: string[] = [];
  for await (const inner of context.known.descendants(channelKey(channelId))) below.push(inner);
  for (const key of below.reverse()) yield { step: 'remove', key };
  for (const scope of [`history:${channelId}`, `posts:${channelId}`]) {
    if (context.cursor(scope) !== undefined) yield { step: 'cursor', scope, value: null };
  }
}

/** The choice of a run; all channels of the team when its selection names none. */
export async function createChannelChoice(context: EnumerateContext, teamKey: string): Promise<ChannelChoice> {
  const { channels } = context.selection;
  if (!channels)
    return {
      leftOut: () => undefined,
      settle: async function* () {
        yield* forgetGone(context, new Set());
      },
      kept: new Set(),
    };
  const chosen = new Map(channels.chosen.map(({ id, name }) => [id, name]));
  const stored = new Map<string, ItemVersion>();
  for await (const item of context.known.items({ parentKey: teamKey, kinds: ['channel'] })) stored.set(item.key, item);
  const kept = new Set<string>();
  const dropped = new Set<string>();

  async function* settle(read: readonly string[]): AsyncGenerator<Step, void, undefined> {
    for (const id of dropped) yield* removePosts(context, id);
    const gone = [...chosen].filter(([id]) => !read.includes(id));
    yield* forgetGone(context, new Set(gone.map(([id]) => channelKey(id))));
    for (const [id, name] of gone) {
      yield { step: 'exclude', exclusion: { key: channelKey(id), kind: 'channel', path: name, code: CHANNEL_GONE, advice: 'notPossible' } };
    }
  }

  return {
    leftOut({ id, displayName }) {
      if (chosen.has(id)) return undefined;
      const isKept = channels.kept === 'all' || channels.kept.includes(id);
      (isKept ? kept : dropped).add(id);
      const before = isKept ? stored.get(channelKey(id)) : undefined;
      return before ?? { name: displayName ?? '', properties: { notProtected: 'channelNotSelected' } };
    },
    settle,
    kept,
  };
}
