import { afterEach, describe, expect, it } from 'vitest';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { drivesWorkload } from '../drives/drives-workload.ts';
import { listField, objectField, textField } from '../http/body-fields.ts';
import type { JsonObject } from '../values/json.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { allChats, type ChatRecord } from './chat-records.ts';
import { chatsWorkload } from './chats-workload.ts';

let simulator: InProcess | undefined;

function start(): InProcess {
  simulator = createInProcess({ workloads: [directoryWorkload, drivesWorkload, chatsWorkload], recipe: 'contoso' });
  return simulator;
}

afterEach(() => simulator?.requireValid());

function chatIn(sim: InProcess, type: ChatRecord['chatType']): ChatRecord {
  const found = allChats(sim.tenant).find((chat) => chat.chatType === type);
  if (!found) throw new Error(`The recipe has no ${type} chat.`);
  return found;
}

function member(userId: string): JsonObject {
  const type = '#microsoft.graph.aadUserConversationMember';
  return { '@odata.type': type, roles: ['owner'], 'user@odata.bind': `https://graph.microsoft.com/v1.0/users('${userId}')` };
}

describe('chats', () => {
  it('appear under each of their members, with the members when they are expanded', async () => {
    const sim = start();
    for (const type of ['oneOnOne', 'group', 'meeting'] as const) {
      const chat = chatIn(sim, type);
      for (const { userId } of chat.members) {
        const { entries } = await sim.all(`/users/${userId}/chats?$expand=members&$top=5`);
        const found = entries.find((entry) => entry['id'] === chat.id);
        expect(found?.['chatType']).toBe(type);
        expect(listField(found, 'members')).toMatchObject(chat.members.map(({ userId }) => ({ userId })));
      }
      const members = await sim.all(`/chats/${chat.id}/members`);
      expect(members.entries).toHaveLength(chat.members.length);
    }
  });

  it('give all their messages to lists and to getAllMessages, and the bytes of pictures', async () => {
    const sim = start();
    const chat = chatIn(sim, 'group');
    const truth = (await sim.truth('chats', chat.id)).filter((line) => line.kind === 'chatMessage');
    const { entries } = await sim.all(`/chats/${chat.id}/messages?$top=7`);
    expect(entries.map((entry) => entry['id'])).toEqual(truth.map((line) => line.id).toReversed());
    const user = chat.members[0]?.userId ?? '';
    const all = await sim.all(`/users/${user}/chats/getAllMessages?$top=50`);
    expect(all.entries.filter((entry) => entry['chatId'] === chat.id)).toHaveLength(truth.length);
    const picture = all.entries
      .map((entry) => /src="([^"]+)"/.exec(textField(objectField(entry, 'body'), 'content') ?? '')?.[1])
      .find((address) => address);
    expect((await sim.get(picture ?? '')).bytes.subarray(1, 4).toString()).toBe('PNG');
  });

  it('of two people exist once, whoever makes them, and only of owners and guests', async () => {
    const sim = start();
    const [a, b] = sim.tenant.directory
      .users()
      .filter((person) => person.kind === 'guest')
      .map((person) => person.id);
    const body = { chatType: 'oneOnOne', members: [member(a ?? ''), member(b ?? '')] };
    const first = await sim.ask('POST', '/chats', { body });
    const second = await sim.ask('POST', '/chats', { body: { ...body, members: body.members.toReversed() } });
    expect([first.status, second.json['id']]).toEqual([201, first.json['id']]);
    expect((await sim.ask('POST', '/chats', { body: { ...body, members: [member(a ?? '')] } })).status).toBe(400);
    const neither = { ...member(b ?? ''), roles: [] };
    expect((await sim.ask('POST', '/chats', { body: { ...body, members: [member(a ?? ''), neither] } })).status).toBe(400);
  });

  it('can be migrated unless they are of a meeting', async () => {
    const sim = start();
    const body = { conversationCreationDateTime: '2015-01-01T00:00:00Z' };
    expect((await sim.ask('POST', `/chats/${chatIn(sim, 'meeting').id}/startMigration`, { body })).status).toBe(400);
    const chat = `/chats/${chatIn(sim, 'oneOnOne').id}`;
    expect((await sim.ask('POST', `${chat}/startMigration`, { body })).status).toBe(204);
    const from = { user: { id: chatIn(sim, 'oneOnOne').members[0]?.userId ?? '', userIdentityType: 'aadUser' } };
    const post = { createdDateTime: '2016-01-01T00:00:00.000Z', from, body: { contentType: 'text', content: 'Hi' } };
    const made = await sim.ask('POST', `${chat}/messages`, { body: post });
    expect([made.status, made.json['createdDateTime']]).toEqual([201, '2016-01-01T00:00:00.000Z']);
    expect((await sim.ask('POST', `${chat}/completeMigration`)).status).toBe(204);
    expect((await sim.ask('POST', `${chat}/messages`, { body: post })).status).toBe(403);
  });
});
