import type { Channel } from '@microsoft/microsoft-graph-types';
import { isGraphError } from '../errors/errors.ts';
import type { Caller } from '../client/caller.ts';
import type { GraphCall } from '../client/request/graph-call.ts';
import type { ChannelRef, ChatRef } from './teams-api.ts';

type MigrationMode = 'inProgress' | 'completed';

function startBody(conversationCreationDateTime: string | undefined): Pick<GraphCall, 'json'> {
  return conversationCreationDateTime === undefined ? {} : { json: { conversationCreationDateTime } };
}

async function modeOf(caller: Caller, { teamId, channelId }: ChannelRef): Promise<string | undefined> {
  const channel = await caller.known<Channel & { readonly migrationMode?: string | null }>({
    route: 'GET /teams/{id}/channels/{id}',
    params: [teamId, channelId],
    query: { $select: 'id,migrationMode' },
  });
  return channel.migrationMode ?? undefined;
}

/** The service refuses to enter a state that it is in already; the refusal alone does not tell that. */
async function enter(caller: Caller, call: GraphCall, isThere: () => Promise<boolean>): Promise<void> {
  try {
    await caller.send({ ...call, isRepeatable: true });
  } catch (error) {
    if (!isGraphError(error, 'graph.bad-request', 'graph.name-taken') || !(await isThere())) throw error;
  }
}

function channelIs(caller: Caller, channel: ChannelRef, mode: MigrationMode): () => Promise<boolean> {
  return async () => (await modeOf(caller, channel)) === mode;
}

export function startChannelMigration(caller: Caller, channel: ChannelRef, createdAt: string | undefined): Promise<void> {
  const params = [channel.teamId, channel.channelId];
  return enter(
    caller,
    { route: 'POST /teams/{id}/channels/{id}/startMigration', params, ...startBody(createdAt) },
    channelIs(caller, channel, 'inProgress'),
  );
}

export function completeChannelMigration(caller: Caller, channel: ChannelRef): Promise<void> {
  const params = [channel.teamId, channel.channelId];
  return enter(caller, { route: 'POST /teams/{id}/channels/{id}/completeMigration', params }, channelIs(caller, channel, 'completed'));
}

/** A chat's mode can't be read, so a refusal counts as being there: the first import shows whether it is. */
const assumed = (): Promise<boolean> => Promise.resolve(true);

export function startChatMigration(caller: Caller, { chatId }: ChatRef, createdAt: string | undefined): Promise<void> {
  return enter(caller, { route: 'POST /chats/{id}/startMigration', params: [chatId], ...startBody(createdAt) }, assumed);
}

export function completeChatMigration(caller: Caller, { chatId }: ChatRef): Promise<void> {
  return enter(caller, { route: 'POST /chats/{id}/completeMigration', params: [chatId] }, assumed);
}
