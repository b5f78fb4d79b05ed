import type { Channel, ChatMessage, ConversationMember, Team, TeamsAppInstallation, TeamsTab } from '@microsoft/microsoft-graph-types';
import { isGraphError } from '../errors/errors.ts';
import type { Caller } from '../client/caller.ts';
import type { Body, CreateOptions, Known } from '../client/calls.ts';
import { readContent } from '../client/content/content.ts';
import { readDelta } from '../client/paging/delta.ts';
import { list } from '../client/paging/listing.ts';
import { UNSIZED, type PageSize } from '../client/paging/page.ts';
import type { GraphCall } from '../client/request/graph-call.ts';
import type { RouteName } from '../client/routes/routes.ts';
import { completeChannelMigration, startChannelMigration } from './migration.ts';
import { modifiedBetween } from './modified-range.ts';
import { addMembers, readOperation, readOperationState, waitForOperation } from './operations.ts';
import { completeThreads, completeThreadsOfDelta } from './replies.ts';
import type { ChannelMessageRef, ChannelRef, ChannelReplyRef, TeamCalls } from './teams-api.ts';

const PAGE: PageSize = { by: 'top', size: 50 };
const WITH_REPLIES = { $expand: 'replies' };
/** `migrationMode` comes only when it is selected, and then everything else must be named too. */
const CHANNEL_FIELDS =
  'id,displayName,description,email,webUrl,membershipType,isArchived,isFavoriteByDefault,createdDateTime,tenantId,summary,migrationMode';

type Structure = Pick<
  TeamCalls,
  | 'team'
  | 'createTeam'
  | 'operation'
  | 'waitFor'
  | 'updateTeam'
  | 'members'
  | 'addMembers'
  | 'apps'
  | 'installApp'
  | 'completeTeamMigration'
>;
type ChannelCalls = Pick<
  TeamCalls,
  | 'channels'
  | 'allChannels'
  | 'channel'
  | 'createChannel'
  | 'updateChannel'
  | 'deleteChannel'
  | 'filesFolder'
  | 'channelMembers'
  | 'addChannelMember'
  | 'tabs'
  | 'createTab'
>;
type Conversation = Omit<TeamCalls, keyof Structure | keyof ChannelCalls>;

const inChannel = ({ teamId, channelId }: ChannelRef): readonly string[] => [teamId, channelId];
const inMessage = ({ teamId, channelId, messageId }: ChannelMessageRef): readonly string[] => [teamId, channelId, messageId];

async function readTeam(caller: Caller, teamId: string): Promise<Known<Team> | undefined> {
  try {
    return await caller.known<Team>({ route: 'GET /teams/{id}', params: [teamId] });
  } catch (error) {
    if (isGraphError(error, 'graph.resource-gone', 'graph.item-gone')) return undefined;
    throw error;
  }
}

/** A create that may be repeated only when its result can be looked for. */
function create<T>(
  caller: Caller,
  route: RouteName,
  place: { params: readonly string[]; json: Body },
  options: CreateOptions<Known<T>> = {},
): Promise<Known<T>> {
  return caller.known<T>({ route, ...place, ...(options.recover ? { recover: options.recover } : {}) });
}

function structure(caller: Caller): Structure {
  return {
    team: ({ teamId }) => readTeam(caller, teamId),
    async createTeam(json, options = {}) {
      return readOperation(await caller.answer({ route: 'POST /teams', json, ...(options.recover ? { recover: options.recover } : {}) }));
    },
    operation: (operation) => readOperationState(caller, operation),
    waitFor: (operation) => waitForOperation(caller, operation),
    updateTeam: ({ teamId }, json) => caller.send({ route: 'PATCH /teams/{id}', params: [teamId], json }),
    members: ({ teamId }) =>
      list<ConversationMember>(caller, { route: 'GET /teams/{id}/members', params: [teamId] }, { by: 'top', size: 999 }),
    addMembers: (team, members) => addMembers(caller, team, members),
    apps: ({ teamId }) =>
      list<TeamsAppInstallation>(
        caller,
        { route: 'GET /teams/{id}/installedApps', params: [teamId], query: { $expand: 'teamsApp,teamsAppDefinition' } },
        UNSIZED,
      ),
    // An app that is installed already is refused.
    installApp: ({ teamId }, json) => caller.send({ route: 'POST /teams/{id}/installedApps', params: [teamId], json, isRepeatable: true }),
    completeTeamMigration: ({ teamId }) =>
      caller.send({ route: 'POST /teams/{id}/completeMigration', params: [teamId], isRepeatable: true }),
  };
}

function channelCalls(caller: Caller): ChannelCalls {
  return {
    channels: ({ teamId }) => list<Channel>(caller, { route: 'GET /teams/{id}/channels', params: [teamId] }, UNSIZED),
    allChannels: ({ teamId }) => list<Channel>(caller, { route: 'GET /teams/{id}/allChannels', params: [teamId] }, UNSIZED),
    channel: (channel) =>
      caller.known({ route: 'GET /teams/{id}/channels/{id}', params: inChannel(channel), query: { $select: CHANNEL_FIELDS } }),
    createChannel: ({ teamId }, json, options) => create(caller, 'POST /teams/{id}/channels', { params: [teamId], json }, options),
    updateChannel: (channel, json) => caller.send({ route: 'PATCH /teams/{id}/channels/{id}', params: inChannel(channel), json }),
    deleteChannel: (channel) => caller.remove({ route: 'DELETE /teams/{id}/channels/{id}', params: inChannel(channel) }),
    filesFolder: (channel) => caller.known({ route: 'GET /teams/{id}/channels/{id}/filesFolder', params: inChannel(channel) }),
    channelMembers: (channel) =>
      list<ConversationMember>(caller, { route: 'GET /teams/{id}/channels/{id}/members', params: inChannel(channel) }, UNSIZED),
    addChannelMember: (channel, json, options) =>
      create(caller, 'POST /teams/{id}/channels/{id}/members', { params: inChannel(channel), json }, options),
    tabs: (channel) =>
      list<TeamsTab>(
        caller,
        { route: 'GET /teams/{id}/channels/{id}/tabs', params: inChannel(channel), query: { $expand: 'teamsApp' } },
        UNSIZED,
      ),
    createTab: (channel, json, options) =>
      create(caller, 'POST /teams/{id}/channels/{id}/tabs', { params: inChannel(channel), json }, options),
  };
}

function hostedContent({ replyId, ...message }: ChannelReplyRef, hostedContentId: string): GraphCall {
  if (replyId === undefined) {
    return {
      route: 'GET /teams/{id}/channels/{id}/messages/{id}/hostedContents/{id}/$value',
      params: [...inMessage(message), hostedContentId],
    };
  }
  return {
    route: 'GET /teams/{id}/channels/{id}/messages/{id}/replies/{id}/hostedContents/{id}/$value',
    params: [...inMessage(message), replyId, hostedContentId],
  };
}

function conversation(caller: Caller): Conversation {
  const listRoots = (channel: ChannelRef): GraphCall => ({
    route: 'GET /teams/{id}/channels/{id}/messages',
    params: inChannel(channel),
    query: WITH_REPLIES,
  });
  return {
    messages: (channel) => completeThreads(caller, channel, list<ChatMessage>(caller, listRoots(channel), PAGE)),
    messageDelta(channel, cursor) {
      const call: GraphCall = { route: 'GET /teams/{id}/channels/{id}/messages/delta', params: inChannel(channel), query: WITH_REPLIES };
      const query = { call, page: PAGE, list: { call: listRoots(channel), page: PAGE } };
      return completeThreadsOfDelta(caller, channel, readDelta<ChatMessage>(caller, query, cursor));
    },
    message: (message) => caller.known({ route: 'GET /teams/{id}/channels/{id}/messages/{id}', params: inMessage(message) }),
    replies: (message) =>
      list<ChatMessage>(caller, { route: 'GET /teams/{id}/channels/{id}/messages/{id}/replies', params: inMessage(message) }, PAGE),
    allMessages: ({ teamId }, range) =>
      list<ChatMessage>(
        caller,
        { route: 'GET /teams/{id}/channels/getAllMessages', params: [teamId], query: modifiedBetween(range) },
        PAGE,
      ),
    hostedContent: (message, id) => readContent(caller, hostedContent(message, id)),
    startMigration: (channel, createdAt) => startChannelMigration(caller, channel, createdAt),
    importMessage: (channel, json, options) =>
      create(caller, 'POST /teams/{id}/channels/{id}/messages', { params: inChannel(channel), json }, options),
    importReply: (message, json, options) =>
      create(caller, 'POST /teams/{id}/channels/{id}/messages/{id}/replies', { params: inMessage(message), json }, options),
    completeMigration: (channel) => completeChannelMigration(caller, channel),
  };
}

/** Calls of teams and channels. */
export function createTeamCalls(caller: Caller): TeamCalls {
  return Object.freeze<TeamCalls>({ ...structure(caller), ...channelCalls(caller), ...conversation(caller) });
}
