import type { TruthRecord } from '@holdfast/m365-simulator';
import { textOf } from '../src/pipeline/text.ts';
import type { ItemVersion, Resource } from '../src/ports/item.ts';
import { factOf, openItems, picked, type Fact, type Facts } from './facts.ts';
import type { Rig } from './rig.ts';

type Values = Readonly<Record<string, unknown>>;

interface Message {
  readonly createdAt: unknown;
  readonly isDeleted: boolean;
  readonly from: unknown;
  readonly subject: unknown;
  readonly importance: unknown;
  readonly editedAt: unknown;
  readonly body: string;
  readonly mentions: readonly unknown[];
  readonly attachments: readonly unknown[];
  readonly reactions: readonly string[];
  readonly hosted: readonly string[];
}

/**
 * A deleted message says no more than that it was one: its words are kept as they were last seen. A body with pictures
 * names them by addresses of the service; then their bytes are compared.
 */
function saying(message: Message, within?: readonly string[]): Fact {
  const { createdAt, isDeleted, hosted, body, ...rest } = message;
  const named = ['from', 'subject', 'importance', 'editedAt', 'mentions', 'attachments', 'reactions'];
  const said = isDeleted ? {} : { ...picked(rest, named), hosted, body: hosted.length > 0 ? '' : body };
  return factOf({ createdAt, isDeleted, ...said }, within);
}

function ofTruth({ metadata }: TruthRecord, within: readonly string[]): Fact {
  const { createdAt, editedAt, deletedAt, from, subject, importance, body, mentions, attachments, reactions, hostedContents } =
    metadata as Values;
  const text = String((body as Values)['content']);
  // A picture that an edit took out of the words is shown to nobody.
  const shown = (hostedContents as readonly Values[]).filter(({ id }) => text.includes(`hostedContents/${String(id)}/`));
  const message = {
    createdAt,
    editedAt,
    isDeleted: deletedAt !== null,
    from: (from as Values | null)?.['userId'],
    subject,
    importance,
    body: text,
    mentions: mentions as readonly unknown[],
    attachments: attachments as readonly unknown[],
    reactions: (reactions as readonly Values[]).map(({ type, userId }) => `${String(type)} ${String(userId)}`).toSorted(),
    hosted: shown.map(({ sha256 }) => String(sha256)).toSorted(),
  };
  return saying(message, within);
}

function userOf(identity: unknown): unknown {
  return (identity as { readonly user?: Values } | undefined)?.user?.['id'];
}

function ofVault({ properties, createdAt }: ItemVersion, hosted: readonly string[]): Fact {
  const { lastEditedDateTime, deletedDateTime, from, subject, importance, body, mentions, attachments, reactions } = properties as Values;
  const reacted = (reactions ?? []) as readonly { readonly reactionType: string; readonly user: unknown }[];
  return saying({
    createdAt: createdAt === undefined ? '' : new Date(createdAt).toISOString(),
    editedAt: lastEditedDateTime,
    isDeleted: deletedDateTime !== undefined,
    from: userOf(from),
    subject,
    importance,
    body: textOf((body as Values | undefined)?.['content']),
    mentions: (mentions ?? []) as readonly unknown[],
    attachments: (attachments ?? []) as readonly unknown[],
    reactions: reacted.map(({ reactionType, user }) => `${reactionType} ${String(userOf(user))}`).toSorted(),
    hosted,
  });
}

function channelFact({ displayName, description, membershipType, tabs }: Values, within?: readonly string[]): Fact {
  const names = ((tabs ?? []) as readonly Values[]).map((tab) => String(tab['displayName'])).toSorted();
  return factOf(
    { ...picked({ displayName, description, membershipType }, ['displayName', 'description', 'membershipType']), names },
    within,
  );
}

/** What the simulator's own record says of a team: itself, its channels, every message of them. */
export async function teamFactsOfTruth(rig: Rig, teamId: string): Promise<Facts> {
  const facts: Facts = new Map();
  for (const record of await rig.truth('teams', teamId)) {
    const { displayName, visibility, ownerIds, memberIds, conversationId, rootId } = record.metadata as Values;
    if (record.kind === 'team') {
      const members = [...new Set([...(ownerIds as readonly string[]), ...(memberIds as readonly string[])])].toSorted();
      facts.set(`team:${teamId}`, factOf({ displayName, visibility, members }, [`unread:team:${teamId}`]));
    }
    if (record.kind === 'channel') facts.set(`channel:${record.id}`, channelFact(record.metadata, [`unread:channel:${record.id}`]));
    if (record.kind !== 'chatMessage') continue;
    const channel = String(conversationId);
    const key = typeof rootId === 'string' ? `reply:${channel}:${rootId}:${record.id}` : `post:${channel}:${record.id}`;
    facts.set(key, ofTruth(record, [`unread:posts:${channel}`]));
  }
  return facts;
}

/** What the vault has of it. */
export async function teamFactsOfVault(rig: Rig, resource: Resource): Promise<Facts> {
  const { of, hashes } = await openItems(rig, resource);
  const facts: Facts = new Map();
  for (const { key, properties } of of('team')) {
    const { displayName, visibility, members } = properties as Values;
    const ids = ((members ?? []) as readonly Values[]).map(({ userId }) => String(userId)).toSorted();
    facts.set(key, factOf({ displayName, visibility, members: ids }));
  }
  for (const { key, properties } of of('channel')) facts.set(key, channelFact(properties));
  for (const item of of('post', 'reply')) facts.set(item.key, ofVault(item, await hashes(item, 'hosted')));
  return facts;
}

/** What the simulator's own record says of a chat. */
export async function chatFactsOfTruth(rig: Rig, chatId: string): Promise<Facts> {
  const facts: Facts = new Map();
  for (const record of await rig.truth('chats', chatId)) {
    if (record.kind === 'chatMessage') facts.set(`message:${record.id}`, ofTruth(record, []));
    if (record.kind !== 'chat') continue;
    const members = (record.metadata as Values)['members'] as readonly { readonly userId: string }[];
    facts.set(`chat:${chatId}`, factOf({ members: members.map(({ userId }) => userId).toSorted() }));
  }
  return facts;
}

/** What the vault has of it. */
export async function chatFactsOfVault(rig: Rig, resource: Resource): Promise<Facts> {
  const { of, hashes } = await openItems(rig, resource);
  const facts: Facts = new Map();
  for (const { key, properties } of of('chat')) {
    const members = (properties['members'] ?? []) as readonly unknown[];
    facts.set(key, factOf({ members: members.map((member) => String((member as Values)['userId'])).toSorted() }));
  }
  for (const item of of('chatMessage')) facts.set(item.key, ofVault(item, await hashes(item, 'hosted')));
  return facts;
}
