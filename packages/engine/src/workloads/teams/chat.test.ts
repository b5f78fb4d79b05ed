import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { Resource } from '../../ports/item.ts';

describe('a chat in a vault', () => {
  let rig: Rig;
  let chat: Resource;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['contoso'], clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users()) {
      if (user.userType !== 'Member' || chat) continue;
      for await (const one of rig.graph.chats.chats({ userId: user.id }))
        if (one.chatType === 'group') chat ??= rig.resource('chat', one.id, one.topic ?? 'chat');
    }
  });
  afterAll(() => rig.close());

  async function idsOfTruth(): Promise<string[]> {
    return (await rig.truth('chats', chat.graphId))
      .filter((record) => record.kind === 'chatMessage')
      .map((record) => record.id)
      .toSorted();
  }

  async function idsOfVault(): Promise<string[]> {
    return (await rig.items(chat))
      .filter((item) => item.kind === 'chatMessage')
      .map((item) => item.key.slice('message:'.length))
      .toSorted();
  }

  it('has every message once', async () => {
    expect((await rig.backup(chat)).status).toBe('successful');
    expect(await idsOfVault()).toEqual(await idsOfTruth());
  });

  it('takes only what was said since', async () => {
    rig.act('chats.post', { chat: chat.graphId, content: '<p><at id="0">Ann</at>&nbsp;says: one &lt; two &amp; more</p>' });
    const result = await rig.backup(chat);
    expect(result.counts.added).toBe(1);
    expect(result.counts.seen).toBeLessThan(6);
    expect((await rig.items(chat)).map((item) => item.name)).toContain('Ann says: one < two & more');
    expect(await idsOfVault()).toEqual(await idsOfTruth());
    expect(await rig.backup(chat)).toMatchObject({ segments: 0 });
  });

  // Nobody can change a message so that it is another one: it is there or it is not, and no policy takes one away.
  it.each(['skip', 'newerWins', 'replace'] as const)(
    'is not doubled by a restore that is to %s, and nobody is told',
    async (collisions) => {
      const before = await idsOfTruth();
      const { lines } = await rig.restore({ source: chat, selection: 'all', target: { resource: chat }, collisions });
      const messages = lines.filter((line) => line.kind === 'chatMessage');
      expect(messages).toHaveLength(before.length);
      expect(messages.every((line) => line.outcome === 'skipped' || line.code === 'restore.system-message')).toBe(true);
      expect(await idsOfTruth()).toEqual(before);
      expect(rig.outbox()).toEqual([]);
    },
  );

  it('takes a message in again beside the one that is there when both are to be kept', async () => {
    const before = await idsOfTruth();
    const one = (await rig.items(chat)).find((item) => item.kind === 'chatMessage' && item.properties['messageType'] === 'message');
    const { result, lines } = await rig.restore({
      source: chat,
      selection: [one?.key ?? ''],
      target: { resource: chat },
      collisions: 'keepBoth',
    });
    expect(result).toMatchObject({ status: 'successful', counts: { restored: 1 } });
    expect(lines.map((line) => [line.key, line.outcome])).toEqual([[one?.key, 'restored']]);
    expect(await idsOfTruth()).toHaveLength(before.length + 1);
    expect(rig.outbox()).toEqual([]);
  });

  describe('of a chat whose beginning was purged', () => {
    /** Two chats that began at the same time, and messages of the first between that and all that the second has. */
    async function twoChats() {
      const users = [];
      for await (const user of rig.graph.directory.users()) if (user.userType === 'Member') users.push(user.id);
      const [first = '', second = '', third = ''] = users;
      const made = [first, second, third].map((id) => ({
        '@odata.type': '#microsoft.graph.aadUserConversationMember',
        roles: ['owner'],
        'user@odata.bind': `https://graph.microsoft.com/v1.0/users('${id}')`,
      }));
      const { id: from } = await rig.graph.chats.createChat({ chatType: 'group', members: made });
      const { id: to } = await rig.graph.chats.createChat({ chatType: 'group', members: made });
      rig.simulator.clock.advance(3_600_000);
      rig.act('chats.post', { chat: from, content: '<p>early</p>', by: first });
      const source = rig.resource('chat', from, 'from');
      expect(await rig.backup(source)).toMatchObject({ status: 'successful' });
      rig.simulator.clock.advance(3_600_000);
      rig.act('chats.post', { chat: to, content: '<p>late</p>', by: first });
      return { source, target: rig.resource('chat', to, 'to') };
    }

    it('takes in what is older than all that is left in it', async () => {
      const { source, target } = await twoChats();
      const all = { source, selection: 'all', target: { resource: target }, collisions: 'skip' } as const;
      const { result, lines } = await rig.restore(all);
      expect(lines.filter((line) => line.kind === 'chatMessage').map((line) => line.outcome)).toEqual(['restored']);
      expect(result.status).toBe('successful');
      const records = await rig.truth('chats', target.graphId);
      expect(records.filter((record) => record.kind === 'chatMessage')).toHaveLength(2);
      const again = await rig.restore(all);
      expect(again.lines.filter((line) => line.kind === 'chatMessage').map((line) => line.outcome)).toEqual(['skipped']);
      expect(await rig.truth('chats', target.graphId)).toHaveLength(records.length);
    });

    it('is open for people again when a restore that died had closed it', async () => {
      const { source, target } = await twoChats();
      const all = { source, selection: 'all', target: { resource: target }, collisions: 'skip' } as const;
      await rig.restore(all);
      await rig.graph.chats.startMigration({ chatId: target.graphId });
      const modeOf = async () => (await rig.truth('chats', target.graphId))[0]?.metadata['migrationMode'];
      expect(await modeOf()).toBe('inProgress');
      const { lines } = await rig.restore(all);
      expect(lines.filter((line) => line.kind === 'chatMessage').map((line) => line.outcome)).toEqual(['skipped']);
      expect(await modeOf()).toBe('completed');
    });
  });
});
