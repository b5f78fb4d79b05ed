import type { RouteCost } from './route-cost.ts';

const service = 'teams';
const inTeam = { service, team: 0 } as const;
const readTeam = { ...inTeam, family: 'readOther' } as const;
const writeTeam = { ...inTeam, family: 'postOther' } as const;
const readMembers = { ...inTeam, family: 'readMembersAndChannels' } as const;
const readChannel = { ...inTeam, family: 'readChannelMessages', conversation: 1 } as const;
const importChannel = { ...inTeam, family: 'postChannelMessage', conversation: 1 } as const;
const readChat = { service, family: 'readChatMessages', conversation: 0 } as const;
const writeChat = { service, family: 'postOther', conversation: 0 } as const;
const addMember = { ...inTeam, family: 'addMembers', addsMember: true } as const;
const complete = { ...inTeam, family: 'completeMigration' } as const;
const inConversation = { conversation: 1 } as const;

/** Teams, channels and chats. */
export const teamsRoutes = {
  'POST /teams': { service, family: 'createTeam' },
  'GET /teams/{id}': readTeam,
  'PATCH /teams/{id}': writeTeam,
  'GET /teams/{id}/operations/{id}': readTeam,
  'GET /teams/{id}/members': readMembers,
  'POST /teams/{id}/members/add': addMember,
  'GET /teams/{id}/installedApps': readTeam,
  'POST /teams/{id}/installedApps': writeTeam,
  'GET /teams/{id}/channels': readMembers,
  'POST /teams/{id}/channels': { ...inTeam, family: 'createChannel' },
  'GET /teams/{id}/allChannels': readMembers,
  'GET /teams/{id}/channels/{id}': { ...readTeam, ...inConversation },
  'PATCH /teams/{id}/channels/{id}': { ...writeTeam, ...inConversation },
  'DELETE /teams/{id}/channels/{id}': { ...writeTeam, ...inConversation },
  'GET /teams/{id}/channels/{id}/filesFolder': { ...readTeam, ...inConversation },
  'GET /teams/{id}/channels/{id}/members': { ...readMembers, ...inConversation },
  'POST /teams/{id}/channels/{id}/members': { ...addMember, ...inConversation },
  'GET /teams/{id}/channels/{id}/tabs': { ...readTeam, ...inConversation },
  'POST /teams/{id}/channels/{id}/tabs': { ...writeTeam, ...inConversation },
  'GET /teams/{id}/channels/{id}/messages': readChannel,
  'POST /teams/{id}/channels/{id}/messages': importChannel,
  'GET /teams/{id}/channels/{id}/messages/delta': readChannel,
  'GET /teams/{id}/channels/{id}/messages/{id}': readChannel,
  'GET /teams/{id}/channels/{id}/messages/{id}/replies': readChannel,
  'POST /teams/{id}/channels/{id}/messages/{id}/replies': importChannel,
  'GET /teams/{id}/channels/{id}/messages/{id}/hostedContents/{id}/$value': readChannel,
  'GET /teams/{id}/channels/{id}/messages/{id}/replies/{id}/hostedContents/{id}/$value': readChannel,
  'GET /teams/{id}/channels/getAllMessages': { ...inTeam, family: 'readAllMessages' },
  'POST /teams/{id}/channels/{id}/startMigration': { ...writeTeam, ...inConversation },
  'POST /teams/{id}/channels/{id}/completeMigration': { ...complete, ...inConversation },
  'POST /teams/{id}/completeMigration': complete,
  'GET /users/{id}/chats': { service, family: 'readChatsOfUsers', chatsOfUser: 0 },
  'GET /users/{id}/chats/getAllMessages': { service, family: 'readAllMessages', chatsOfUser: 0 },
  'GET /chats/{id}/members': { service, family: 'readMembersAndChannels', conversation: 0 },
  'GET /chats/{id}/messages': readChat,
  'POST /chats/{id}/messages': { service, family: 'postChatMessage', conversation: 0 },
  'GET /chats/{id}/messages/{id}/hostedContents/{id}/$value': readChat,
  'POST /chats': { service, family: 'createChat' },
  'POST /chats/{id}/startMigration': writeChat,
  'POST /chats/{id}/completeMigration': { service, family: 'completeMigration', conversation: 0 },
} as const satisfies Record<string, RouteCost>;
