import { graphError, type GraphClient } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import { createBeginnings } from '../beginnings.ts';
import type { EarlierWork } from '../request.ts';
import type { RestoreContext } from '../restorer.ts';
import { makeChat } from './new-chat.ts';
import { readPeople } from './people.ts';

type Recover = { readonly recover: () => Promise<{ readonly id: string } | undefined> };

/** A directory of Ann and Ben, whose lists of chats are these, or can't be read. */
function aTenant({ chats = {}, appears, isLeft = false }: Given = {}) {
  const made: unknown[] = [];
  const graph = {
    directory: {
      async *users() {
        yield { id: 'guest', displayName: 'Guest', userType: 'Guest' };
        yield { id: 'shut', displayName: 'Shut', accountEnabled: false };
        yield { id: 'ann' };
        yield { id: 'ben', displayName: 'Ben' };
      },
    },
    chats: {
      async *chats({ userId }: { readonly userId: string }) {
        const there = chats[userId] ?? [];
        if (there instanceof Error) throw there;
        yield* there;
      },
      async createChat(body: object, { recover }: Recover) {
        made.push(body);
        if (!appears) return { id: 'new' };
        chats['ben'] = [appears];
        return recover();
      },
    },
  } as unknown as GraphClient;
  const report = { begin: async () => {}, uploading: async () => {}, tell: async () => {} };
  const earlier = { begun: new Map([['chat', []]]), uploads: new Map(), targets: async () => new Set() } as unknown as EarlierWork;
  const context = { graph, beginnings: createBeginnings(report, isLeft ? earlier : undefined) } as unknown as RestoreContext;
  return { made, make: async (changes: Parameters<typeof aChat>[0]) => makeChat(context, aChat(changes), await readPeople(graph)) };
}

interface Given {
  readonly chats?: Record<string, readonly object[] | Error>;
  /** The chat that is there although its answer is lost. */
  readonly appears?: object;
  readonly isLeft?: boolean;
}

const ANN = { userId: 'ann', displayName: 'Ann' };
const BEN = { userId: 'ben', displayName: 'Ben' };

function aChat({ members, name = 'Plans', key = 'chat' }: { members?: readonly object[]; name?: string; key?: string }) {
  return anItem(key, { kind: 'chat', name, properties: members ? { members: members as never } : {} });
}

const topicsOf = (made: readonly unknown[]) => made.map((chat) => (chat as { readonly topic?: string }).topic);

describe('a chat that is made anew', () => {
  it('has those of its members who are still there, and says when somebody is missing', async () => {
    const { make, made } = aTenant();
    expect(await make({ members: [ANN, BEN] })).toEqual({ id: 'new', isLeft: false, differences: [] });
    expect(await make({ members: [ANN, { userId: 'gone', displayName: 'Cleo' }] })).toMatchObject({ differences: ['members'] });
    expect(await make({ members: [ANN, { displayName: 'From elsewhere' }] })).toMatchObject({ differences: ['members'] });
    expect(await make({})).toMatchObject({ id: 'new', differences: [] });
    expect(made.map((chat) => (chat as { readonly members: readonly unknown[] }).members.length)).toEqual([2, 1, 1, 0]);
  });

  it('has guests as guests and everybody else as owners, and says so when somebody was neither', async () => {
    const { make, made } = aTenant();
    const ann = { ...ANN, roles: ['owner'] };
    const guest = { userId: 'guest', displayName: 'Guest', roles: ['guest'] };
    expect(await make({ members: [ann, guest] })).toMatchObject({ differences: [] });
    const [chat] = made as readonly { readonly members: readonly { readonly roles: readonly string[] }[] }[];
    expect(chat?.members.map(({ roles }) => roles)).toEqual([['owner'], ['guest']]);
    expect(await make({ members: [ann, { ...BEN, roles: [] }] })).toMatchObject({ differences: ['memberRoles'] });
    const gone = { userId: 'gone', displayName: 'Cleo', roles: [] };
    expect(await make({ members: [ann, gone] })).toMatchObject({ differences: ['members'] });
  });

  it('has the name that people gave it, and none where it went by its members or its id', async () => {
    const { make, made } = aTenant();
    await make({ members: [ANN, BEN] });
    await make({ members: [ANN, BEN], name: 'Ben, Ann' });
    await make({ members: [ANN, BEN], name: '' });
    await make({ members: [ANN], name: '19:abc', key: 'chat:19:abc' });
    await make({ members: [ANN, BEN], key: '19:ann_ben@unq.gbl.spaces' });
    expect(topicsOf(made)).toEqual(['Plans', undefined, undefined, undefined, undefined]);
    expect(made.at(-1)).toMatchObject({ chatType: 'oneOnOne' });
  });

  it('is found again when its answer was lost, by whoever of its members can be asked', async () => {
    const members = [{ userId: 'ben' }, { userId: 'ann' }, {}];
    const others = [
      { id: 'of three', chatType: 'group', members },
      { id: 'of nobody', chatType: 'group' },
    ];
    const chats = { ann: graphError('graph.service-fault'), ben: others };
    const { make } = aTenant({ chats, appears: { id: 'theirs', chatType: 'group', members: members.slice(0, 2) } });
    expect(await make({ members: [ANN, BEN] })).toMatchObject({ id: 'theirs' });
  });

  it('is gone on with where a worker that died has made it; nobody makes a second one because of a fault', async () => {
    const theirs = { id: 'theirs', chatType: 'group', members: [{ userId: 'ann' }, { userId: 'ben' }] };
    const { make, made } = aTenant({ chats: { ann: [theirs] }, isLeft: true });
    expect(await make({ members: [ANN, BEN] })).toMatchObject({ id: 'theirs', isLeft: true });
    const faulty = aTenant({ chats: { ann: graphError('graph.service-fault'), ben: graphError('graph.access-denied') }, isLeft: true });
    await expect(faulty.make({ members: [ANN, BEN] })).rejects.toMatchObject({ code: 'graph.service-fault' });
    expect([...made, ...faulty.made]).toEqual([]);
  });
});

it('somebody of the directory who can sign in stands in for authors who left; nobody does where there is nobody', async () => {
  const users = (...all: readonly object[]) =>
    readPeople({
      directory: {
        async *users() {
          yield* all;
        },
      },
    } as unknown as GraphClient);
  const people = await users({ id: 'shut', accountEnabled: false }, { id: 'guest', userType: 'Guest' }, { id: 'ann' });
  expect([people.stand, people.nameOf('shut'), people.isKnownUser('guest')]).toEqual([{ id: 'ann', displayName: '' }, '', true]);
  expect((await users()).stand).toEqual({ id: '', displayName: '' });
});
