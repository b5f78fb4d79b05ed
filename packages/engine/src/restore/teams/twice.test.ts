import type { TruthRecord } from '@holdfast/m365-simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../../testing/rig.ts';
import type { Resource } from '../../ports/item.ts';

/** A deleted message holds its time for good, so that what comes back lies a millisecond later. */
describe('a conversation whose messages were deleted', () => {
  let rig: Rig;
  let team: Resource;
  let chat: Resource;

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const group of rig.graph.directory.groups({ teamsOnly: true }))
      team ??= rig.resource('team', group.id, group.displayName ?? '');
    for await (const { id: userId } of rig.graph.directory.users())
      for await (const one of rig.graph.chats.chats({ userId })) chat ??= rig.resource('chat', one.id, 'Chat');
    await rig.backup(team);
    await rig.backup(chat);
  });
  afterAll(() => rig.close());

  /** What people said and did not delete. */
  const live = async (kind: 'teams' | 'chats', { graphId }: Resource): Promise<readonly TruthRecord[]> =>
    (await rig.truth(kind, graphId)).filter(
      (one) => one.kind === 'chatMessage' && one.metadata['deletedAt'] === null && one.metadata['from'] !== null,
    );
  const restored = async (source: Resource) => {
    const { result, lines } = await rig.restore({ source, selection: 'all', target: { resource: source }, collisions: 'skip' });
    expect(result.status).toBe('successful');
    const said = new Set(['post', 'reply', 'chatMessage']);
    const messages = lines.filter(({ kind, code }) => said.has(kind) && code !== 'restore.system-message');
    return new Set(messages.map(({ outcome }) => outcome));
  };

  it.each(['teams', 'chats'] as const)('has each of them once, however often it is restored (%s)', async (kind) => {
    const source = kind === 'teams' ? team : chat;
    const before = await live(kind, source);
    for (const { id, metadata } of before) {
      const { conversationId, rootId } = metadata;
      const place = kind === 'teams' ? { channel: conversationId } : { chat: source.graphId };
      rig.act(`${kind}.delete`, { ...place, id, ...(typeof rootId === 'string' ? { rootId } : {}) });
    }
    expect(await live(kind, source)).toEqual([]);
    expect(await restored(source)).toEqual(new Set(['restored']));
    const once = await live(kind, source);
    expect(once.length).toBeGreaterThanOrEqual(before.length);
    expect(await restored(source)).toEqual(new Set(['skipped']));
    expect(await live(kind, source)).toEqual(once);
  });
});
