import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answeredChat, answeredPost, answeredPosts, POST_TOLD_AS, type AnsweredPost } from '../../../testing/answered-post.ts';
import { compareCopies } from '../../../testing/compare-copies.ts';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import { textOf } from '../../pipeline/text.ts';
import type { RestoreLine } from '../request.ts';
import { isImportable } from './conversation.ts';

const NOTHING: AnsweredPost = { says: {}, words: '' };

describe('the copy of a post or a reply says what the original says, or the report names the property', () => {
  let rig: Rig;
  let lines: readonly RestoreLine[];
  let originals: ReadonlyMap<string, AnsweredPost>;
  let copies: ReadonlyMap<string, AnsweredPost>;
  const placeOfKey = new Map<string, string>();

  /** The team goes to another one, whose channels have other conversations. */
  beforeAll(async () => {
    rig = await createRig({ recipes: ['contoso'], clockOfEngine: createHurriedClock() });
    const teams = [];
    for await (const { id, displayName } of rig.graph.directory.groups({ teamsOnly: true }))
      teams.push(rig.resource('team', id, displayName ?? ''));
    const [source, other] = teams as [(typeof teams)[0], (typeof teams)[0]];
    await rig.backup(source);
    originals = await answeredPosts(rig, source.graphId);
    const items = await rig.items(source);
    const names = new Map(items.map(({ key, name }) => [key, name]));
    const parents = new Map(items.map(({ key, parentKey }) => [key, parentKey ?? '']));
    for (const { key, kind, properties } of items) {
      if (kind !== 'post' && kind !== 'reply') continue;
      const post = kind === 'post' ? key : (parents.get(key) ?? '');
      placeOfKey.set(key, `${names.get(parents.get(post) ?? '') ?? ''}/${textOf(properties['messageId'])}`);
    }
    ({ lines } = await rig.restore({ source, selection: 'all', target: { resource: other }, collisions: 'keepBoth' }));
    copies = await answeredPosts(rig, other.graphId);
  }, 60_000);
  afterAll(() => rig.close());

  it.each(['post', 'reply'] as const)('for each %s', async (kind) => {
    const placed = lines.filter(({ code }) => code !== 'restore.system-message');
    const placeOf = ({ key }: RestoreLine): string => placeOfKey.get(key) ?? '';
    const compared = await compareCopies(placed, {
      kind,
      section: 'Teams and chats',
      toldAs: POST_TOLD_AS,
      original: async (line) => answeredPost(originals.get(placeOf(line)) ?? NOTHING),
      copy: async (line) => {
        const channel = placeOf(line).slice(0, placeOf(line).lastIndexOf('/'));
        return answeredPost(copies.get(`${channel}/${line.targetId}`) ?? NOTHING, originals.get(placeOf(line)));
      },
    });
    expect(compared).toMatchObject({ untold: [], notOnPage: [], missing: [] });
    expect(compared.count).toBeGreaterThan(10);
  });
});

describe('the copy of a message of a chat says what the original says, or the report names the property', () => {
  it('for each message that was deleted and is restored', async () => {
    const rig = await createRig({ recipes: ['contoso'], clockOfEngine: createHurriedClock() });
    try {
      let count = 0;
      const [user] = await Array.fromAsync(rig.graph.directory.users());
      for await (const { id: chatId, chatType } of rig.graph.chats.chats({ userId: user?.id ?? '' })) {
        if (chatType === 'meeting') continue;
        const chat = rig.resource('chat', chatId);
        await rig.backup(chat);
        const originals = await answeredChat(rig, chatId);
        const items = await rig.items(chat);
        const ids = new Map(items.map(({ key, properties }) => [key, textOf(properties['messageId'])]));
        const live = items.filter((item) => item.kind === 'chatMessage' && isImportable(item));
        for (const { key } of live) rig.act('chats.delete', { chat: chatId, id: ids.get(key) });
        const { lines } = await rig.restore({ source: chat, selection: 'all', target: { resource: chat }, collisions: 'skip' });
        const copies = await answeredChat(rig, chatId);
        const placed = lines.filter(({ code }) => code !== 'restore.system-message');
        const compared = await compareCopies(placed, {
          kind: 'chatMessage',
          section: 'Teams and chats',
          toldAs: POST_TOLD_AS,
          original: async ({ key }) => answeredPost(originals.get(ids.get(key) ?? '') ?? NOTHING),
          copy: async ({ key, targetId }) => answeredPost(copies.get(targetId) ?? NOTHING, originals.get(ids.get(key) ?? '')),
        });
        expect(compared).toMatchObject({ untold: [], notOnPage: [], missing: [] });
        count += compared.count;
      }
      expect(count).toBeGreaterThan(10);
    } finally {
      await rig.close();
    }
  });
});
