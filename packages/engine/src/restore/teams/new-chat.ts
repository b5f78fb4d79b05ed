import type { GraphClient } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import { makeOnce } from '../beginnings.ts';
import type { RestoreContext } from '../restorer.ts';
import type { People } from './people.ts';
import { askMembers } from './existing-chat.ts';
import { member } from './team-structure.ts';

export interface NewChat {
  readonly id: string;
  /** A worker that died has made it, and may have put messages into it. */
  readonly isLeft: boolean;
  readonly differences: readonly string[];
}

interface Member {
  readonly userId?: string | null;
  readonly displayName?: string | null;
  readonly roles?: readonly string[] | null;
}

/** Returns the role of a member in a new chat: Microsoft Graph accepts owners and guests, and guests as nothing else. */
function roleOf({ roles }: Member): 'guest' | 'owner' {
  return roles?.includes('guest') ? 'guest' : 'owner';
}

/** Names what of the members of a chat is lost when only these of them take part in the new one. */
function membersLost(members: readonly Member[], there: readonly Member[]): readonly string[] {
  const isOther = there.some((one) => one.roles && !one.roles.includes(roleOf(one)));
  return [...(there.length < members.length ? ['members'] : []), ...(isOther ? ['memberRoles'] : [])];
}

/** What people called a chat: one that has no topic goes by its members, or by its id. */
function topicOf({ key, name }: ItemVersion, members: readonly Member[]): string | undefined {
  const names = members.flatMap(({ displayName }) => displayName ?? []);
  const isNamedByMembers =
    name.split(', ').sort().join() ===
    names
      .flatMap((one) => one.split(', '))
      .sort()
      .join();
  return name === '' || isNamedByMembers || key.endsWith(name) ? undefined : name;
}

/** The chats of a type of just these people, asked of the first of them whose chats can be read. */
async function chatsAmong(
  { chats }: GraphClient,
  chatType: string,
  userIds: readonly string[],
): Promise<readonly { readonly id: string }[]> {
  const wanted = userIds.toSorted().join(' ');
  const there = await askMembers(userIds, async (userId) => {
    const found: { readonly id: string }[] = [];
    for await (const chat of chats.chats({ userId })) {
      const among = (chat.members ?? []).map((member) => (member as Member).userId ?? '');
      if (chat.chatType === chatType && among.sort().join(' ') === wanted) found.push({ id: chat.id });
    }
    return found;
  });
  return there ?? [];
}

/** Makes a chat anew with those of its members who are still there, once for all workers of the restore. */
export async function makeChat({ graph, beginnings }: RestoreContext, item: ItemVersion, people: People): Promise<NewChat> {
  const members = (item.properties['members'] ?? []) as readonly object[] as readonly Member[];
  const there = members.flatMap((one) => (one.userId && people.isKnownUser(one.userId) ? { ...one, userId: one.userId } : []));
  const userIds = there.map(({ userId }) => userId);
  // What several said is not put where two talk alone, also when only two of them are left.
  const chatType = item.key.endsWith('@unq.gbl.spaces') ? 'oneOnOne' : 'group';
  const bodies = there.map((one) => member(one.userId, [roleOf(one)]));
  const topic = chatType === 'group' ? topicOf(item, members) : undefined;
  const chat = { chatType, ...(topic === undefined ? {} : { topic }), members: bodies };
  const made = await makeOnce(beginnings, {
    key: item.key,
    list: () => chatsAmong(graph, chatType, userIds),
    make: async (recover) => (await graph.chats.createChat(chat, { recover })).id,
  });
  return { ...made, differences: membersLost(members, there) };
}
