import { describe, expect, it } from 'vitest';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { drivesWorkload } from '../drives/drives-workload.ts';
import { answerTo, collection, type DocumentedRow, entity, missingRows } from '../testing/documented-rows.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { bound, imported, member, message, migrating, type Shapes } from '../testing/message-shapes.ts';
import { allChats, openChat } from './chat-records.ts';
import { chatsWorkload } from './chats-workload.ts';

const text = 'string';

const inChat: Shapes = { chatId: text, channelIdentity: null, webUrl: null };
const chat: Shapes = {
  id: text,
  topic: null,
  createdDateTime: text,
  lastUpdatedDateTime: text,
  chatType: text,
  webUrl: text,
  tenantId: text,
  viewpoint: null,
  onlineMeetingInfo: null,
};

const someChat = (sim: InProcess): string => `/chats/${allChats(sim.tenant)[0]?.id ?? ''}`;

function aChatPicture(sim: InProcess): string {
  for (const entry of allChats(sim.tenant)) {
    const { roots } = openChat(sim.tenant, entry);
    for (let position = 0; position < roots.size; position += 1) {
      const found = roots.at(position);
      const [hosted] = found?.hosted ?? [];
      if (found && hosted) return `/chats/${entry.id}/messages/${found.id}/hostedContents/${hosted.id}/$value`;
    }
  }
  throw new Error('The recipe has no picture in a chat.');
}

const rows: readonly DocumentedRow[] = [
  {
    row: 'GET /users/{id}/chats',
    ask: (sim) => `/users/${allChats(sim.tenant)[0]?.members[0]?.userId ?? ''}/chats?$expand=members`,
    status: 200,
    shape: collection({ ...chat, members: [member] }),
  },
  {
    row: 'GET /users/{id}/chats/getAllMessages',
    ask(sim) {
      const { id = '', members = [] } = allChats(sim.tenant)[0] ?? {};
      sim.act('chats.post', { chat: id });
      return `/users/${members[0]?.userId ?? ''}/chats/getAllMessages?$filter=lastModifiedDateTime gt ${new Date(sim.clock.nowMs() - 1000).toISOString()}`;
    },
    status: 200,
    shape: collection(message(inChat)),
  },
  {
    row: 'POST /chats',
    ask: () => '/chats',
    body: (sim) => ({ chatType: 'oneOnOne', members: [bound(sim, 0), bound(sim, -1 + sim.tenant.directory.users().length)] }),
    status: 201,
    shape: entity(chat),
  },
  { row: 'GET /chats/{id}/members', ask: (sim) => `${someChat(sim)}/members`, status: 200, shape: collection(member) },
  {
    row: 'GET /chats/{id}/messages',
    ask(sim) {
      sim.act('chats.post', { chat: allChats(sim.tenant)[0]?.id });
      return `${someChat(sim)}/messages`;
    },
    status: 200,
    shape: collection(message(inChat)),
  },
  {
    row: 'POST /chats/{id}/messages',
    ask: async (sim) => `${await migrating(sim, someChat(sim))}/messages`,
    body: (sim) => imported(sim),
    status: 201,
    shape: entity(message(inChat)),
  },
  { row: 'GET /chats/{id}/messages/{id}/hostedContents/{id}/$value', ask: aChatPicture, status: 200 },
  {
    row: 'POST /chats/{id}/startMigration',
    ask: (sim) => `${someChat(sim)}/startMigration`,
    body: { conversationCreationDateTime: '2015-01-01T00:00:00Z' },
    status: 204,
  },
  {
    row: 'POST /chats/{id}/completeMigration',
    ask: async (sim) => `${await migrating(sim, someChat(sim))}/completeMigration`,
    status: 204,
  },
];

describe('chats answer in the documented shape', () => {
  it.each(rows)('$row', async (documented) => {
    const sim = createInProcess({ workloads: [directoryWorkload, drivesWorkload, chatsWorkload], recipe: 'contoso' });
    expect(await answerTo(sim, documented)).toEqual({ status: documented.status, shape: documented.shape });
    sim.requireValid();
  });

  it('and every route has its row', () => {
    expect(missingRows(chatsWorkload, rows)).toEqual([]);
  });
});
