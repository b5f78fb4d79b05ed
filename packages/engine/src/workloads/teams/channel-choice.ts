import type { Selections } from '../../ports/run.ts';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';

/** Keys of a team's channels. */
export function channelKey(channelId: string): string {
  return `channel:${channelId}`;
}

/** A channel as Microsoft 365 lists it. */
export interface ChannelKind {
  readonly id: string;
  readonly membershipType?: string | null;
}

/** What the jobs over a team say of its channels. */
export interface ChannelChoice {
  /** Why a channel is not read; `undefined` for one that is. Each channel that is listed is asked for once. */
  exclusion(channel: ChannelKind): 'channelNotSelected' | 'privateChannelsOff' | undefined;
  /** Once all were asked for: empties those that nobody chooses, and names those that were chosen and are not there. */
  settle(there: readonly string[]): AsyncGenerator<Step, void, undefined>;
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
}

/** The channels that are chosen by name. */
function chosenOf(selections: Selections): ReadonlyMap<string, string> {
  const chosen = new Map<string, string>();
  for (const { channels = [] } of selections) {
    for (const { id, name } of channels) if (!chosen.has(id)) chosen.set(id, name);
  }
  return chosen;
}

/** The channels that a run reads of a team. */
export function createChannelChoice(context: EnumerateContext): ChannelChoice {
  const chosen = chosenOf(context.selections);
  const whole = context.selections.filter(({ channels }) => !channels);
  const takesPrivate = whole.some(({ privateChannels }) => privateChannels !== false);
  const left = new Set<string>();

  function reasonOf({ id, membershipType }: ChannelKind): ReturnType<ChannelChoice['exclusion']> {
    if (chosen.has(id)) return undefined;
    if (whole.length === 0) return 'channelNotSelected';
    return membershipType === 'private' && !takesPrivate ? 'privateChannelsOff' : undefined;
  }

  return {
    exclusion(channel) {
      const reason = reasonOf(channel);
      if (reason !== undefined) left.add(channel.id);
      return reason;
    },
    async *settle(there) {
      for (const id of there) if (left.has(id)) yield* removePosts(context, id);
      // Where a job takes the whole team, nobody misses a channel that is not there any more.
      const gone = whole.length > 0 ? [] : [...chosen].filter(([id]) => !there.includes(id));
      yield* forgetGone(context, new Set(gone.map(([id]) => channelKey(id))));
      for (const [id, name] of gone) {
        yield {
          step: 'exclude',
          exclusion: { key: channelKey(id), kind: 'channel', path: name, code: CHANNEL_GONE, advice: 'notPossible' },
        };
      }
    },
  };
}
