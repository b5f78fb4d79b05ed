import { guidOf } from '../values/seeded.ts';
import { teamsTime } from '../conversations/render-message.ts';
import { allMessages, listMessages, readHosted, requireMessage } from '../conversations/read-messages.ts';
import { beginMigration, endMigration, importMessage } from '../conversations/write-messages.ts';
import { positionsOf } from '../state/feed.ts';
import { listPage } from '../delta/list-page.ts';
import { requirePerson } from '../directory/directory-routes.ts';
import { listField, textField } from '../http/body-fields.ts';
import { badRequest, notFound } from '../http/failure.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import { project } from '../http/query.ts';
import { created, noContent, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { boundPerson } from '../teams/find-team.ts';
import { renderMember } from '../teams/render-team.ts';
import { type ChatRecord, chatsOf, chatsState, type ChatType, findChat, oneOnOneId, openChat, putChat } from './chat-records.ts';

/** The chat that the path names first, or 404. */
function requireChat(context: Context): ChatRecord {
  const chat = findChat(context.tenant, context.params[0] ?? '');
  if (chat) return chat;
  throw notFound('teams', 'The chat was not found.');
}

function renderMembers(context: Context, chat: ChatRecord): JsonObject[] {
  return chat.members.flatMap(({ userId, isOwner }) => {
    const person = context.tenant.directory.user(userId);
    return person ? [renderMember(context.tenant, chat.id, person, isOwner)] : [];
  });
}

function meetingInfo(chat: ChatRecord): JsonObject | null {
  if (chat.chatType !== 'meeting') return null;
  const [organiser] = chat.members;
  return {
    calendarEventId: null,
    joinWebUrl: `https://teams.microsoft.com/l/meetup-join/${encodeURIComponent(chat.id)}/0`,
    organizer: { id: organiser?.userId ?? '', displayName: null, userIdentityType: 'aadUser' },
  };
}

function renderChat(context: Context, chat: ChatRecord): JsonObject {
  const { tenant, query } = context;
  const { roots } = openChat(tenant, chat);
  const isMigrationWanted = query.select?.includes('migrationMode') ?? false;
  const entity: JsonObject = {
    id: chat.id,
    topic: chat.topic,
    createdDateTime: teamsTime(chat.migration?.createdMs ?? chat.createdMs),
    lastUpdatedDateTime: teamsTime(roots.at(roots.size - 1)?.createdMs ?? chat.createdMs),
    chatType: chat.chatType,
    webUrl: `https://teams.microsoft.com/l/chat/${encodeURIComponent(chat.id)}/0?tenantId=${tenant.tenantId}`,
    tenantId: tenant.tenantId,
    viewpoint: null,
    onlineMeetingInfo: meetingInfo(chat),
    ...(isMigrationWanted ? { migrationMode: chat.migration?.mode ?? null } : {}),
    ...(query.expands('members') ? { members: renderMembers(context, chat) } : {}),
  };
  return project(entity, query.select && [...query.select, 'members']);
}

function listChats(context: Context): Reply {
  const person = requirePerson(context);
  return listPage(context, {
    items: positionsOf(chatsOf(context.tenant, person.id)),
    context: `users('${person.id}')/chats`,
    defaultSize: 20,
    maxSize: 50,
    isTopStrict: true,
    render: (chat) => renderChat(context, chat),
  });
}

function everything(context: Context): Reply {
  const person = requirePerson(context);
  const conversations = chatsOf(context.tenant, person.id).map((chat) => openChat(context.tenant, chat));
  return allMessages(context, conversations, 'Collection(chatMessage)');
}

function listMembers(context: Context): Reply {
  const chat = requireChat(context);
  return listPage(context, {
    items: positionsOf(renderMembers(context, chat)),
    context: `chats('${chat.id}')/members`,
    defaultSize: 100,
    maxSize: 999,
    render: (member) => member,
  });
}

function readType(body: JsonObject): ChatType {
  const type = textField(body, 'chatType');
  if (type === 'oneOnOne' || type === 'group') return type;
  throw badRequest('teams', 'The chatType is neither oneOnOne nor group.');
}

async function createChat(context: Context): Promise<Reply> {
  const body = await context.json();
  const { tenant } = context;
  const chatType = readType(body);
  const values = listField(body, 'members').filter(isJsonObject);
  const members = values.map((value) => {
    const roles = listField(value, 'roles');
    if (!roles.includes('owner') && !roles.includes('guest')) throw badRequest('teams', 'Each member of a chat is an owner or a guest.');
    return { userId: boundPerson(context, value).id, isOwner: roles.includes('owner') };
  });
  const isPair = chatType === 'oneOnOne';
  if (isPair ? members.length !== 2 : members.length < 2) throw badRequest('teams', 'The number of members does not fit the chatType.');
  const [first, second] = members;
  const number = chatsState(tenant).created.length;
  const id = isPair
    ? oneOnOneId(first?.userId ?? '', second?.userId ?? '')
    : `19:${guidOf(tenant.seed, 'new-chat', number).replaceAll('-', '')}@thread.v2`;
  const existing = findChat(tenant, id);
  const topic = textField(body, 'topic') ?? null;
  const chat = existing ?? { id, chatType, topic: isPair ? null : topic, createdMs: tenant.clock.nowMs(), members, seededMessages: 0 };
  if (!existing) putChat(tenant, chat);
  return created({ '@odata.context': context.links.context('chats/$entity'), ...renderChat(context, chat) });
}

async function startMigration(context: Context): Promise<Reply> {
  const body = await context.json();
  const chat = requireChat(context);
  if (chat.chatType === 'meeting') throw badRequest('teams', 'Meeting chats can not be migrated.');
  putChat(context.tenant, { ...chat, migration: beginMigration(context, body, { createdMs: chat.createdMs, migration: chat.migration }) });
  return noContent;
}

function completeMigration(context: Context): Reply {
  const chat = requireChat(context);
  putChat(context.tenant, { ...chat, migration: endMigration(context, openChat(context.tenant, chat), chat.migration) });
  return noContent;
}

async function post(context: Context): Promise<Reply> {
  const chat = requireChat(context);
  return importMessage(context, openChat(context.tenant, chat), { migration: chat.migration });
}

/** Messages are newest first by creation, or by last change when that is asked for. */
function inOrder(open: ReturnType<typeof openChat>, orderBy: string | undefined): ReturnType<typeof openChat> {
  if (orderBy === undefined || /^createdDateTime\s+desc$/iu.test(orderBy)) return open;
  if (!/^lastModifiedDateTime\s+desc$/iu.test(orderBy)) throw badRequest('teams', `The order '${orderBy}' is not supported.`);
  const { roots } = open;
  const all = Array.from({ length: roots.size }, (_, position) => roots.at(position)).filter((message) => message !== undefined);
  const sorted = all.toSorted((a, b) => a.modifiedMs - b.modifiedMs);
  return { ...open, roots: { ...roots, size: sorted.length, at: (position) => sorted[position] } };
}

/** Chats of people, with their messages. */
export const chatRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/users/{id}/chats', service: 'teams', query: ['$expand', '$top', '$select'], handler: listChats },
  { method: 'GET', path: '/users/{id}/chats/getAllMessages', service: 'teams', query: ['$top', '$filter'], handler: everything },
  { method: 'POST', path: '/chats', service: 'teams', handler: createChat },
  { method: 'GET', path: '/chats/{id}/members', service: 'teams', query: ['$top'], handler: listMembers },
  {
    method: 'GET',
    path: '/chats/{id}/messages',
    service: 'teams',
    query: ['$top', '$filter', '$orderby'],
    handler: (context) => listMessages(context, inOrder(openChat(context.tenant, requireChat(context)), context.query.orderBy)),
  },
  { method: 'POST', path: '/chats/{id}/messages', service: 'teams', handler: post },
  {
    method: 'GET',
    path: '/chats/{id}/messages/{id}/hostedContents/{id}/$value',
    service: 'teams',
    handler: (context) =>
      readHosted(context, requireMessage(openChat(context.tenant, requireChat(context)), context.params[1] ?? ''), context.params[2] ?? ''),
  },
  { method: 'POST', path: '/chats/{id}/startMigration', service: 'teams', handler: startMigration },
  { method: 'POST', path: '/chats/{id}/completeMigration', service: 'teams', handler: completeMigration },
];
