import { answered, type Answered, type Values } from './answered.ts';
import type { Rig } from './rig.ts';

type Folders = ReadonlyMap<string, Answered>;

/** Everything that Graph answers for a mail folder, with how much is in it. */
export async function answeredMailFolder(rig: Rig, userId: string, folderId: string): Promise<Answered> {
  return answered({ ...(await rig.graph.exchange.mail.folder({ userId, folderId })) });
}

/** Everything that Graph answers for calendars, folders of contacts and lists of tasks of a mailbox, by id. */
export async function answeredFolders(rig: Rig, userId: string): Promise<Folders> {
  const { calendar, contacts, todo } = rig.graph.exchange;
  const found = new Map<string, Answered>();
  const add = async (listing: AsyncIterable<{ readonly id: string }>): Promise<void> => {
    for await (const folder of listing) found.set(folder.id, answered({ ...folder }));
  };
  const addContacts = async (parent?: { readonly folderId: string }): Promise<void> => {
    for await (const folder of contacts.contactFolders({ userId }, parent)) {
      found.set(folder.id, answered({ ...folder }));
      await addContacts({ folderId: folder.id });
    }
  };
  await add(calendar.calendars({ userId }));
  await addContacts();
  await add(todo.lists({ userId }));
  return found;
}

/** Everything that Graph answers for rules, categories and settings of a mailbox, by id; the settings have none. */
export async function answeredSettings(rig: Rig, userId: string): Promise<Folders> {
  const { settings } = rig.graph.exchange;
  const found = new Map<string, Answered>([['', answered({ ...(await settings.settings({ userId })) })]]);
  for await (const rule of settings.rules({ userId })) found.set(rule.id, answered({ ...rule }));
  for await (const category of settings.categories({ userId })) found.set(category.id, answered({ ...category }));
  return found;
}

/** Who is in a team, a channel or a chat, and as what, in no order. */
async function peopleOf(members: AsyncIterable<object>): Promise<readonly string[]> {
  const found = await Array.fromAsync(members, (one) => one as Values);
  return found.map(({ id: _id, ...says }) => JSON.stringify(says)).toSorted();
}

/** Everything that Graph answers for a team: itself, its people, its apps. */
export async function answeredTeam(rig: Rig, teamId: string): Promise<Answered> {
  const { teams } = rig.graph;
  const apps = await Array.fromAsync(teams.apps({ teamId }), ({ teamsApp }) => String(teamsApp?.id));
  return answered({ ...(await teams.team({ teamId })), members: await peopleOf(teams.members({ teamId })), apps: apps.toSorted() });
}

/** Everything that Graph answers for a channel: itself, its people, its tabs. */
export async function answeredChannel(rig: Rig, channel: { readonly teamId: string; readonly channelId: string }): Promise<Answered> {
  const { teams } = rig.graph;
  const tabs = await Array.fromAsync(teams.tabs(channel), (tab): Values => ({ ...tab }));
  return answered({
    ...(await teams.channel(channel)),
    members: await peopleOf(teams.channelMembers(channel)),
    tabs: tabs.map(({ id: _id, webUrl: _url, ...says }) => JSON.stringify(says)).toSorted(),
  });
}

/** Everything that Graph answers for a chat of somebody: itself and its people. */
export async function answeredChatPlace(
  rig: Rig,
  { userId, chatId }: { readonly userId: string; readonly chatId: string },
): Promise<Answered> {
  const { chats } = rig.graph;
  for await (const { members: _members, ...says } of chats.chats({ userId }))
    if (says.id === chatId) return answered({ ...says, members: await peopleOf(chats.members({ chatId })) });
  return answered({});
}
