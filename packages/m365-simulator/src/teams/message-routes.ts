import { openChannel } from '../conversations/channel-conversation.ts';
import type { MessageRecord } from '../conversations/message-record.ts';
import type { OpenConversation } from '../conversations/open-conversation.ts';
import {
  allMessages,
  deltaMessages,
  listMessages,
  listReplies,
  readHosted,
  readMessage,
  requireMessage,
} from '../conversations/read-messages.ts';
import { importMessage } from '../conversations/write-messages.ts';
import type { Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { requireChannel, requireTeam } from './find-team.ts';
import { channelsOf } from '../places/team-records.ts';

function open(context: Context): OpenConversation {
  return openChannel(context.tenant, requireChannel(context));
}

/** The root that the path names third. */
function rootOf(context: Context, conversation: OpenConversation): MessageRecord {
  return requireMessage(conversation, context.params[2] ?? '');
}

async function post(context: Context): Promise<Reply> {
  const { migration } = requireChannel(context);
  return importMessage(context, open(context), { migration });
}

async function reply(context: Context): Promise<Reply> {
  const { migration } = requireChannel(context);
  const conversation = open(context);
  return importMessage(context, conversation, { migration, root: rootOf(context, conversation) });
}

function everything(context: Context): Reply {
  const team = requireTeam(context);
  const conversations = channelsOf(context.tenant, team.id).map((channel) => openChannel(context.tenant, channel));
  return allMessages(context, conversations, 'Collection(chatMessage)');
}

const MESSAGES = '/teams/{id}/channels/{id}/messages';

/** Posts of channels and their replies. */
export const messageRoutes: readonly RouteEntry[] = [
  {
    method: 'GET',
    path: MESSAGES,
    service: 'teams',
    query: ['$top', '$expand'],
    handler: (context) => listMessages(context, open(context)),
  },
  { method: 'POST', path: MESSAGES, service: 'teams', handler: post },
  {
    method: 'GET',
    path: `${MESSAGES}/delta`,
    service: 'teams',
    query: ['$top', '$expand', '$filter', '$select'],
    handler: (context) => deltaMessages(context, open(context)),
  },
  {
    method: 'GET',
    path: `${MESSAGES}/{id}`,
    service: 'teams',
    query: ['$expand', '$select'],
    handler(context) {
      const conversation = open(context);
      return readMessage(context, conversation, rootOf(context, conversation));
    },
  },
  {
    method: 'GET',
    path: `${MESSAGES}/{id}/replies`,
    service: 'teams',
    query: ['$top'],
    handler(context) {
      const conversation = open(context);
      return listReplies(context, conversation, rootOf(context, conversation));
    },
  },
  { method: 'POST', path: `${MESSAGES}/{id}/replies`, service: 'teams', handler: reply },
  {
    method: 'GET',
    path: `${MESSAGES}/{id}/hostedContents/{id}/$value`,
    service: 'teams',
    handler: (context) => readHosted(context, rootOf(context, open(context)), context.params[3] ?? ''),
  },
  {
    method: 'GET',
    path: `${MESSAGES}/{id}/replies/{id}/hostedContents/{id}/$value`,
    service: 'teams',
    handler: (context) =>
      readHosted(context, requireMessage(open(context), context.params[3] ?? '', context.params[2]), context.params[4] ?? ''),
  },
  { method: 'GET', path: '/teams/{id}/channels/getAllMessages', service: 'teams', query: ['$top', '$filter'], handler: everything },
];
