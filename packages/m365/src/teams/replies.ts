import type { ChatMessage } from '@microsoft/microsoft-graph-types';
import type { Caller } from '../client/caller.ts';
import type { Known } from '../client/calls.ts';
import { textOf } from '../client/checks.ts';
import { listPages } from '../client/paging/listing.ts';
import { UNSIZED } from '../client/paging/page.ts';
import type { Delta, DeltaEntry, Listing } from '../client/paging/paging-types.ts';
import { asKnown } from '../client/checks.ts';
import type { ChannelRef } from './teams-api.ts';

const NEXT_REPLIES = 'replies@odata.nextLink';

/** A thread of more replies than fit comes with a link to the rest, which is followed. */
async function completeThread(caller: Caller, { teamId, channelId }: ChannelRef, root: Known<ChatMessage>): Promise<Known<ChatMessage>> {
  const link = textOf(root, NEXT_REPLIES);
  if (link === undefined) return root;
  const replies = [...(root.replies ?? [])];
  const params = [teamId, channelId, root.id];
  const rest = { route: 'GET /teams/{id}/channels/{id}/messages/{id}/replies', params, link } as const;
  for await (const page of listPages<Known<ChatMessage>>(caller, rest, UNSIZED, asKnown)) replies.push(...page);
  const { [NEXT_REPLIES]: _followed, ...message } = root as Known<ChatMessage> & { readonly [NEXT_REPLIES]?: string };
  return { ...message, replies };
}

/** Root messages, each with all of its replies. */
export function completeThreads(caller: Caller, channel: ChannelRef, roots: Listing<Known<ChatMessage>>): Listing<Known<ChatMessage>> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const root of roots) yield completeThread(caller, channel, root);
    },
  };
}

/** As `completeThreads`, for the pages of a delta. */
export function completeThreadsOfDelta(caller: Caller, channel: ChannelRef, steps: Delta<Known<ChatMessage>>): Delta<Known<ChatMessage>> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const step of steps) {
        if (step.kind === 'reset') {
          yield step;
          continue;
        }
        const entries: DeltaEntry<Known<ChatMessage>>[] = [];
        for (const entry of step.entries) {
          entries.push(entry.kind === 'removed' ? entry : { ...entry, item: await completeThread(caller, channel, entry.item) });
        }
        yield { ...step, entries };
      }
    },
  };
}
