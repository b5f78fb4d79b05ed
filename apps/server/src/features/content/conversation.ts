import type { ConversationGap } from '@holdfast/contract/content';
import type { Tx } from '@holdfast/database';
import { isSaid, type Catalog, type ItemVersion } from '@holdfast/engine';
import { AppError } from '@holdfast/foundation/errors';
import type { ContentGround, OpenedAround, WantedAround } from '../content-access/index.ts';
import type { WantedItem } from './content-tickets.store.ts';
import {
  channelOf,
  placeOf,
  pointsOf,
  saidBetween,
  threadOf,
  type KeptMessage,
  type KeptPoints,
  type SaidPlace,
} from './conversation.views.ts';

/** The messages of a conversation and what is known of its edges, without a word of what was said. Times are ISO 8601, UTC. */
export interface ConversationFrame {
  readonly kind: 'chat' | 'thread';
  readonly title: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly oldestPointAt: string;
  readonly newestPointAt: string;
  readonly gaps: readonly ConversationGap[];
  readonly messages: readonly FramedMessage[];
}

export interface FramedMessage {
  readonly key: string;
  readonly version: number;
  readonly isHit: boolean;
  readonly isRemoved: boolean;
}

/** A conversation with the right that opens it. */
export interface FoundConversation {
  readonly place: SaidPlace;
  readonly ground: ContentGround;
  readonly frame: ConversationFrame;
}

/** Decides which messages open, for whoever asks. */
export type RequireAround = (tx: Tx, wanted: WantedAround) => Promise<OpenedAround>;

const HALF_A_DAY_MS = 12 * 60 * 60_000;
/** How many messages are shown on either side of the hit. When there are more, the conversation says so. */
const MOST_ON_A_SIDE = 250;

interface Span {
  readonly from: Date;
  readonly to: Date;
}

function spanAround({ at }: SaidPlace): Span {
  const ms = at?.getTime() ?? 0;
  return { from: new Date(ms - HALF_A_DAY_MS), to: new Date(ms + HALF_A_DAY_MS) };
}

/** Of a reply the post that it answers. */
const postOf = ({ kind, key, parentKey }: SaidPlace): string => (kind === 'post' ? key : (parentKey ?? ''));

/** The messages around a hit, which is among them in the version that was found: a later one may say something else. */
async function keptAround(tx: Tx, place: SaidPlace, span: Span | null): Promise<KeptMessage[]> {
  const { sourceId, key, version, parentKey } = place;
  // Whether there are any is told to nobody who may not open the message.
  if (!isSaid(place.kind)) return [];
  const found = span === null ? await threadOf(tx, sourceId, postOf(place)) : await saidBetween(tx, sourceId, parentKey ?? '', span);
  return found.map((message) => (message.key === key ? { ...message, version } : message));
}

/** As many as are shown on either side of the hit. */
function cutAround(messages: readonly KeptMessage[], hitKey: string) {
  const at = messages.findIndex(({ key }) => key === hitKey);
  const first = Math.max(at - MOST_ON_A_SIDE, 0);
  const shown = messages.slice(first, at + MOST_ON_A_SIDE + 1);
  return { shown, moreBefore: first > 0, moreAfter: first + shown.length < messages.length };
}

/** What the period of a case leaves of a span. */
function withinPeriod(span: Span, ground: ContentGround): Span {
  if (ground.by !== 'case') return span;
  const from = ground.from !== null && ground.from > span.from ? ground.from : span.from;
  const to = ground.to !== null && ground.to < span.to ? ground.to : span.to;
  return { from, to };
}

interface Edges {
  readonly place: SaidPlace;
  readonly span: Span | null;
  readonly points: KeptPoints;
  readonly ground: ContentGround;
}

/** Whether a right opens less than everything around a message. The reader is told even when nothing was left out. */
const isLimited = (ground: ContentGround): boolean =>
  ground.by === 'case' ? ground.from !== null || ground.to !== null : ground.by !== 'role' && ground.by !== 'own';

/** What may be missing at the ends of 24 hours of a chat. */
function chatGaps(span: Span, { points, ground }: Edges): ConversationGap[] {
  const within = withinPeriod(span, ground);
  return [
    ...(within.from > span.from ? (['casePeriodBefore'] as const) : []),
    ...(within.to < span.to ? (['casePeriodAfter'] as const) : []),
    ...(points.oldestAt > span.from ? (['beforeRestorePoints'] as const) : []),
    ...(points.newestAt < span.to ? (['afterRestorePoints'] as const) : []),
  ];
}

/** The same of a thread: nobody knows whether there will be another answer. */
function threadGaps(shown: readonly KeptMessage[], { place, points, ground }: Edges): ConversationGap[] {
  const begins = shown[0]?.at ?? place.at;
  const isBegun = shown.some(({ key }) => key === postOf(place));
  return [
    ...(isBegun || isLimited(ground) ? [] : (['noFirstPost'] as const)),
    ...(begins === null || points.oldestAt > begins ? (['beforeRestorePoints'] as const) : []),
    'afterRestorePoints',
  ];
}

/** Which ends and pieces may be missing. Nothing of it depends on messages that the reader may not know of. */
function gapsOf(shown: readonly KeptMessage[], edges: Edges): ConversationGap[] {
  const gaps = edges.span === null ? threadGaps(shown, edges) : chatGaps(edges.span, edges);
  return isLimited(edges.ground) ? [...gaps, 'limitedRight'] : gaps;
}

async function titleOf(tx: Tx, place: SaidPlace): Promise<string> {
  if (place.kind === 'chatMessage') return place.resourceName;
  const channel = await channelOf(tx, place.sourceId, postOf(place));
  return channel === '' ? place.resourceName : `${place.resourceName} · ${channel}`;
}

/** Finds what was said around a message of a chat or channel, as far as a right opens it. Refuses whoever may not open the message itself. */
export async function conversationOf(
  tx: Tx,
  wanted: WantedItem,
  { action, require }: { readonly action: WantedAround['action']; readonly require: RequireAround },
): Promise<FoundConversation> {
  const place = await placeOf(tx, wanted);
  if (!place) throw new AppError('content.item-unknown');
  const { resourceId, key, version, sourceId } = place;
  const span = place.kind === 'chatMessage' ? spanAround(place) : null;
  const kept = await keptAround(tx, place, span);
  const { ground, keys } = await require(tx, { action, resourceId, hit: { key, version }, around: kept });
  if (!isSaid(place.kind)) throw new AppError('content.no-conversation');
  const { shown, moreBefore, moreAfter } = cutAround(
    kept.filter((message) => message.key === key || keys.has(message.key)),
    key,
  );
  const points = await pointsOf(tx, sourceId);
  const within = span && withinPeriod(span, ground);
  const frame: ConversationFrame = {
    kind: span === null ? 'thread' : 'chat',
    title: await titleOf(tx, place),
    from: within?.from.toISOString() ?? null,
    to: within?.to.toISOString() ?? null,
    oldestPointAt: points.oldestAt.toISOString(),
    newestPointAt: points.newestAt.toISOString(),
    gaps: [
      ...(moreBefore ? (['moreBefore'] as const) : []),
      ...(moreAfter ? (['moreAfter'] as const) : []),
      ...gapsOf(shown, { span, points, ground, place }),
    ],
    messages: shown.map((message) => ({
      key: message.key,
      version: message.version,
      isHit: message.key === key,
      isRemoved: message.isRemoved,
    })),
  };
  return { place, ground, frame };
}

/** A message of a conversation as it is kept. */
export interface ReadMessageOf {
  readonly framed: FramedMessage;
  readonly item: ItemVersion;
}

/** Reads the messages of a conversation in its order. One that was erased meanwhile is `content.item-unknown`. */
export async function readConversation(
  catalog: Catalog,
  resourceId: string,
  { messages }: Pick<ConversationFrame, 'messages'>,
): Promise<ReadMessageOf[]> {
  const items = new Map<string, ItemVersion>();
  for (const [version, together] of Map.groupBy(messages, (message) => message.version)) {
    const keys = together.map(({ key }) => key);
    for await (const item of catalog.items(resourceId, version, { keys })) items.set(item.key, item);
  }
  return messages.map((framed) => {
    const item = items.get(framed.key);
    if (!item) throw new AppError('content.item-unknown');
    return { framed, item };
  });
}
