import type { Selections } from '../../backup/run.ts';
import type { Step } from '../../pipeline/step.ts';
import type { EnumerateContext } from '../../pipeline/workload.ts';

/** Keys of a team's channels. */
export function channelKey(channelId: string): string {
  return `channel:${channelId}`;
}

/** What the jobs over a team say of its channels. */
export interface ChannelChoice {
  /** Whether a channel is read. */
  has(channelId: string): boolean;
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

/** The channels that are chosen, with their names; undefined when a job takes all that there are. */
function chosenOf(selections: Selections): ReadonlyMap<string, string> | undefined {
  const chosen = new Map<string, string>();
  for (const { channels } of selections) {
    if (!channels) return undefined;
    for (const { id, name } of channels) if (!chosen.has(id)) chosen.set(id, name);
  }
  return chosen;
}

/** The channels that a run reads of a team. */
export function createChannelChoice(context: EnumerateContext): ChannelChoice {
  const chosen = chosenOf(context.selections);
  const has = (channelId: string): boolean => chosen?.has(channelId) ?? true;
  return {
    has,
    async *settle(there) {
      for (const id of there) if (!has(id)) yield* removePosts(context, id);
      const gone = [...(chosen ?? [])].filter(([id]) => !there.includes(id));
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
