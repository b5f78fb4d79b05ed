import { chance, randomOf } from '../values/seeded.ts';
import { deltaPage } from '../delta/delta-page.ts';
import type { Positions } from '../state/feed.ts';
import { listPage, requireTop } from '../delta/list-page.ts';
import { contentPieces } from '../drives/file-content.ts';
import { badRequest, notFound } from '../http/failure.ts';
import { bytes, ok, type Reply } from '../http/reply.ts';
import type { Context } from '../http/route.ts';
import { project } from '../http/query.ts';
import type { MessageRecord } from './message-record.ts';
import type { OpenConversation } from './open-conversation.ts';
import { renderMessage, renderThread } from './render-message.ts';

const PAGE = 50;
const CONDITION = /^lastModifiedDateTime\s+(gt|lt|ge|le)\s+(\S+)$/i;

/** Reads the one filter that messages have, a range of `lastModifiedDateTime`. */
export function readRangeFilter(filter: string | undefined): (ms: number) => boolean {
  if (filter === undefined) return () => true;
  const tests = filter.split(/\s+and\s+/i).map((part) => {
    const match = CONDITION.exec(part.trim());
    const limit = Date.parse(match?.[2] ?? '');
    if (!match || Number.isNaN(limit)) throw badRequest('teams', `The filter '${filter}' is not supported.`);
    const operator = (match[1] ?? '').toLowerCase();
    return (ms: number): boolean =>
      operator === 'gt' ? ms > limit : operator === 'ge' ? ms >= limit : operator === 'lt' ? ms < limit : ms <= limit;
  });
  return (ms) => tests.every((test) => test(ms));
}

/** The same items, last first. */
export function reversed<Item>(items: Positions<Item>): Positions<Item> {
  return { size: items.size, at: (position) => items.at(items.size - 1 - position) };
}

function addressOf({ conversation }: OpenConversation): string {
  return conversation.kind === 'chat'
    ? `chats('${conversation.id}')`
    : `teams('${conversation.teamId ?? ''}')/channels('${conversation.id}')`;
}

/** A page of root messages, newest first. */
export function listMessages(context: Context, open: OpenConversation): Reply {
  const hasReplies = context.query.expands('replies');
  const isInRange = readRangeFilter(context.query.filter);
  return listPage(context, {
    items: reversed(open.roots),
    context: `${addressOf(open)}/messages`,
    defaultSize: 20,
    maxSize: PAGE,
    isTopStrict: true,
    includes: (message) => isInRange(message.modifiedMs),
    render: (message) => (hasReplies ? renderThread : renderMessage)(context, open, message),
  });
}

/** A page of the replies to a message, newest first. */
export function listReplies(context: Context, open: OpenConversation, root: MessageRecord): Reply {
  return listPage(context, {
    items: reversed(open.repliesTo(root.id)),
    context: `${addressOf(open)}/messages('${root.id}')/replies`,
    defaultSize: 20,
    maxSize: PAGE,
    isTopStrict: true,
    render: (reply) => renderMessage(context, open, reply),
  });
}

/** The message with this id, or 404. */
export function requireMessage(open: OpenConversation, id: string, rootId?: string): MessageRecord {
  const message = open.find(id, rootId);
  if (message) return message;
  throw notFound('teams', 'The message was not found.');
}

export function readMessage(context: Context, open: OpenConversation, message: MessageRecord): Reply {
  const entity = (context.query.expands('replies') ? renderThread : renderMessage)(context, open, message);
  return ok({ '@odata.context': context.links.context(`${addressOf(open)}/messages/$entity`), ...project(entity, context.query.select) });
}

/** The bytes of a hosted content. */
export function readHosted({ tenant }: Context, message: MessageRecord, hostedId: string): Reply {
  const hosted = message.hosted.find(({ id }) => id === hostedId);
  if (!hosted) throw notFound('teams', 'The hosted content was not found.');
  return bytes(Buffer.concat([...contentPieces(tenant.received, hosted.content)]), hosted.contentType);
}

function monthsBefore(ms: number, months: number): number {
  const date = new Date(ms);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.getTime();
}

function flake(context: Context, open: OpenConversation): void {
  const { switches, seed } = context.tenant;
  if (switches.channelDeltaFlake === 0) return;
  open.state.deltaCalls += 1;
  const random = randomOf({ seed, kind: 'flake', owner: open.conversation.id, index: open.state.deltaCalls });
  if (chance(random, switches.channelDeltaFlake)) throw badRequest('teams', 'Invalid delta token or filter.');
}

/** A page of the delta of root messages: reaches back some months, whatever the conversation has. */
export function deltaMessages(context: Context, open: OpenConversation): Reply {
  flake(context, open);
  requireTop(context, PAGE);
  const { clock, switches } = context.tenant;
  const horizonMs = monthsBefore(clock.nowMs(), switches.channelDeltaMonths);
  return deltaPage(context, {
    feed: open.roots,
    resource: `messages/${open.conversation.id}`,
    context: 'Collection(chatMessage)',
    defaultSize: 20,
    maxSize: PAGE,
    includes: (message, query) => open.lastChangeMs(message) >= horizonMs && readRangeFilter(query.filter)(open.lastChangeMs(message)),
    render: (message, query) => (query.expands('replies') ? renderThread : renderMessage)(context, open, message),
    removed: (id) => ({ id, '@removed': { reason: 'deleted' } }),
  });
}

interface Flat {
  readonly open: OpenConversation;
  readonly position: number;
  readonly reply?: number;
}

function* flatten(conversations: readonly OpenConversation[]): Generator<Flat, void, undefined> {
  for (const open of conversations) {
    for (let position = 0; position < open.roots.size; position += 1) {
      yield { open, position };
      if (open.conversation.kind === 'chat') continue;
      const replies = open.repliesTo(open.rootIdAt(position)).size;
      for (let reply = 0; reply < replies; reply += 1) yield { open, position, reply };
    }
  }
}

function messageAt({ open, position, reply }: Flat): MessageRecord | undefined {
  return reply === undefined ? open.roots.at(position) : open.repliesTo(open.rootIdAt(position)).at(reply);
}

/** All messages and replies of several conversations in one list. */
export function allMessages(context: Context, conversations: readonly OpenConversation[], address: string): Reply {
  const flat = [...flatten(conversations)];
  const isInRange = readRangeFilter(context.query.filter);
  return listPage(context, {
    items: {
      size: flat.length,
      at(position) {
        const place = flat[position];
        const message = place && messageAt(place);
        return place && message ? { place, message } : undefined;
      },
    },
    context: address,
    defaultSize: PAGE,
    maxSize: PAGE,
    isTopStrict: true,
    includes: ({ message }) => isInRange(message.modifiedMs),
    render: ({ place, message }) => renderMessage(context, place.open, message),
  });
}
