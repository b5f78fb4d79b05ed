import type { JsonObject } from '../values/json.ts';
import type { InProcess } from './in-process.ts';
import type { Shape } from './shape.ts';

/** What messages and members look like, in channels and in chats, and how tests write them. */
export interface Shapes {
  readonly [name: string]: Shape;
}

const text = 'string';

export const member: Shapes = {
  '@odata.type': text,
  id: text,
  roles: [text],
  displayName: text,
  visibleHistoryStartDateTime: text,
  userId: text,
  email: text,
  tenantId: text,
};
const author: Shape = {
  application: null,
  device: null,
  user: { '@odata.type': text, id: text, displayName: text, userIdentityType: text, tenantId: text },
};

export function message(more: Shapes = {}): Shapes {
  return {
    id: text,
    replyToId: null,
    etag: text,
    messageType: text,
    createdDateTime: text,
    lastModifiedDateTime: text,
    lastEditedDateTime: null,
    deletedDateTime: null,
    subject: null,
    summary: null,
    chatId: null,
    channelIdentity: { teamId: text, channelId: text },
    importance: text,
    locale: text,
    webUrl: text,
    policyViolation: null,
    from: author,
    body: { contentType: text, content: text },
    attachments: [],
    mentions: [],
    reactions: [],
    eventDetail: null,
    ...more,
  };
}

export const userOf = (sim: InProcess, index = 0): string => sim.tenant.directory.users()[index]?.id ?? '';
export const bound = (sim: InProcess, index = 0): JsonObject => ({
  '@odata.type': '#microsoft.graph.aadUserConversationMember',
  roles: ['owner'],
  'user@odata.bind': `https://graph.microsoft.com/v1.0/users('${userOf(sim, index)}')`,
});
export const imported = (sim: InProcess, createdDateTime = '2016-01-01T00:00:00.000Z'): JsonObject => ({
  createdDateTime,
  from: { user: { id: userOf(sim), displayName: 'A', userIdentityType: 'aadUser' } },
  body: { contentType: 'html', content: 'Hi' },
});

export async function migrating(sim: InProcess, place: string): Promise<string> {
  await sim.ask('POST', `${place}/startMigration`, { body: { conversationCreationDateTime: '2015-01-01T00:00:00Z' } });
  return place;
}
