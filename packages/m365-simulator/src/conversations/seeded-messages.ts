import type { Random } from '@holdfast/foundation/random';
import { paragraph, sentence, subjectLine } from '../content/prose.ts';
import { between, chance, guidOf, hashText, pick, randomOf } from '../values/seeded.ts';
import type { ItemRecord } from '../drives/drive-record.ts';
import { openDrive } from '../drives/open-drive.ts';
import { webUrlOf } from '../drives/render-item.ts';
import { textField } from '../http/body-fields.ts';
import type { JsonObject } from '../values/json.ts';
import { placesOf } from '../places/places.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Conversation } from './conversation.ts';
import type { HostedContent, MessageRecord, Reaction } from './message-record.ts';

/** The long thread begins so many roots before the end of the seed, within reach of delta. */
const LONG_THREAD_FROM_END = 4;
const LONG_THREAD_REPLIES = 1050;
/** The post that names a bank account, where a conversation has one. */
const ACCOUNT_ROOT = 10;
const ACCOUNT_WORDS = 'The design partner has a new account from March on: IBAN AT61 1904 3002 3457 3201.';
const REPLY_STEP_MS = 60_000;
const REACTIONS = ['like', 'heart', 'laugh', '\u{1F389}'] as const;

/** Which message of the seed: root number, and number of the reply to it. */
export interface SeededPlace {
  readonly root: number;
  readonly reply?: number;
}

function stepOf({ fromMs, untilMs, seededRoots }: Conversation): number {
  return Math.max(4, Math.floor((untilMs - fromMs) / Math.max(1, seededRoots)));
}

function timeOf(conversation: Conversation, { root, reply }: SeededPlace): number {
  const step = stepOf(conversation);
  const rootMs = conversation.fromMs + root * step + (hashText(conversation.id, root) % Math.floor(step / 2));
  return reply === undefined ? rootMs : rootMs + (reply + 1) * REPLY_STEP_MS + (hashText(conversation.id, root * 4099 + reply) % 50_000);
}

/** How many replies the seed gives to a root. */
export function seededReplies(conversation: Conversation, root: number): number {
  if (conversation.kind === 'chat' || root === 0) return 0;
  if (conversation.hasLongThread && root === conversation.seededRoots - LONG_THREAD_FROM_END) return LONG_THREAD_REPLIES;
  const roll = hashText(`${conversation.id}/${root}`) % 10;
  return roll < 4 ? 0 : roll - 3;
}

/** The id of a message of the seed. */
export function seededId(conversation: Conversation, place: SeededPlace): string {
  return String(timeOf(conversation, place));
}

/** Which root of the seed has this id; undefined for none. */
export function seededRoot(conversation: Conversation, id: string): number | undefined {
  const root = Math.floor((Number(id) - conversation.fromMs) / stepOf(conversation));
  const isThere = root >= 0 && root < conversation.seededRoots && seededId(conversation, { root }) === id;
  return isThere ? root : undefined;
}

/** Which reply to a root of the seed has this id; undefined for none. */
export function seededReply(conversation: Conversation, root: number, id: string): number | undefined {
  const reply = Math.floor((Number(id) - timeOf(conversation, { root })) / REPLY_STEP_MS) - 1;
  const isThere = reply >= 0 && reply < seededReplies(conversation, root) && seededId(conversation, { root, reply }) === id;
  return isThere ? reply : undefined;
}

/** Everything about a message of the seed that its parts depend on. */
interface Draft {
  readonly tenant: Tenant;
  readonly conversation: Conversation;
  readonly place: SeededPlace;
  readonly random: Random;
  readonly createdMs: number;
  readonly writerId: string;
}

function nameOf(tenant: Tenant, userId: string): string {
  return tenant.directory.user(userId)?.displayName ?? 'Unknown user';
}

function hostedPicture({ tenant, conversation, createdMs }: Draft): HostedContent {
  const name = `${tenant.seed}/${conversation.id}/${createdMs}`;
  const id = Buffer.from(`id=,type=1,url=https://eu-api.asm.skype.com/v1/objects/${guidOf(tenant.seed, name)}/views/imgo`).toString(
    'base64url',
  );
  return { id, contentType: 'image/png', content: { kind: 'media', name, extension: 'png', sizeBytes: 2000 + (hashText(name) % 12_000) } };
}

/** Where Graph has the bytes of a hosted content; the host is put in when the message is rendered. */
export function hostedAddress(
  conversation: Conversation,
  message: { readonly id: string; readonly rootId?: string | undefined },
  hostedId: string,
): string {
  const base =
    conversation.kind === 'chat' ? `/chats/${conversation.id}` : `/teams/${conversation.teamId ?? ''}/channels/${conversation.id}`;
  const path = message.rootId === undefined ? message.id : `${message.rootId}/replies/${message.id}`;
  return `https://graph.microsoft.com/v1.0${base}/messages/${path}/hostedContents/${hostedId}/$value`;
}

function fileOf({ tenant, conversation, random, writerId }: Draft): JsonObject | undefined {
  const places = placesOf(tenant);
  const library = conversation.driveId === undefined ? places.driveOfUser(writerId) : places.drive(conversation.driveId);
  if (!library || library.files === 0) return undefined;
  const drive = openDrive(tenant, library);
  const position = 1 + library.folders + random.below(library.files);
  const item: ItemRecord | undefined = drive.seeded(drive.idAt(position));
  if (!item) return undefined;
  const base = { contentType: 'reference', content: null, thumbnailUrl: null, teamsAppId: null };
  return { ...base, id: drive.guid(item.id).toLowerCase(), contentUrl: webUrlOf(drive, item), name: item.name };
}

function mentionOf({ tenant, conversation, random }: Draft): JsonObject | undefined {
  const userId = pick(random, conversation.writers);
  const displayName = nameOf(tenant, userId);
  const user = { '@odata.type': '#microsoft.graph.teamworkUserIdentity', id: userId, displayName, userIdentityType: 'aadUser' };
  return { id: 0, mentionText: displayName, mentioned: { application: null, device: null, conversation: null, user } };
}

function reactionsOf({ conversation, random, createdMs }: Draft): Reaction[] {
  if (!chance(random, 0.3)) return [];
  const count = Math.min(conversation.writers.length, between(random, 1, 3));
  return conversation.writers
    .slice(0, count)
    .map((userId, index) => ({ type: pick(random, REACTIONS), userId, atMs: createdMs + (index + 1) * 45_000 }));
}

function memberEvent({ tenant, conversation, writerId }: Draft): JsonObject {
  const identity = (id: string): JsonObject => ({
    '@odata.type': '#microsoft.graph.teamworkUserIdentity',
    id,
    displayName: nameOf(tenant, id),
    userIdentityType: 'aadUser',
  });
  return {
    '@odata.type': '#microsoft.graph.membersAddedEventMessageDetail',
    visibleHistoryStartDateTime: '0001-01-01T00:00:00Z',
    members: conversation.writers.slice(0, 5).map((id) => identity(id)),
    initiator: { application: null, device: null, user: identity(writerId) },
  };
}

interface Text {
  readonly content: string;
  readonly attachments: readonly JsonObject[];
  readonly mentions: readonly JsonObject[];
  readonly hosted: readonly HostedContent[];
}

function hasPart(place: SeededPlace, every: number, rest: number): boolean {
  return (place.root * 7 + (place.reply ?? 0)) % every === rest;
}

function pictureTag({ conversation, place, createdMs }: Draft, picture: HostedContent): string {
  const rootId = place.reply === undefined ? undefined : seededId(conversation, { root: place.root });
  const address = hostedAddress(conversation, { id: String(createdMs), rootId }, picture.id);
  return `<br><img src="${address}" width="320" height="200" itemid="${picture.id.slice(0, 12)}">`;
}

function wordsOf({ conversation: { language, hasAccountNumber }, place, random }: Draft): string {
  if (place.reply !== undefined) return sentence(random, language);
  const prose = paragraph(random, language, between(random, 1, 4));
  return hasAccountNumber && place.root === ACCOUNT_ROOT ? ACCOUNT_WORDS : prose;
}

function textOf(draft: Draft): Text {
  const { place } = draft;
  const words = wordsOf(draft);
  const mention = hasPart(place, 4, 3) ? mentionOf(draft) : undefined;
  const attachment = hasPart(place, 5, 1) ? fileOf(draft) : undefined;
  const picture = hasPart(place, 6, 2) ? hostedPicture(draft) : undefined;
  const parts = [
    mention ? `<at id="0">${textField(mention, 'mentionText')}</at>&nbsp;` : '',
    words.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    picture ? pictureTag(draft, picture) : '',
    attachment ? `<attachment id="${textField(attachment, 'id')}"></attachment>` : '',
  ];
  return {
    content: `<p>${parts.join('')}</p>`,
    attachments: attachment ? [attachment] : [],
    mentions: mention ? [mention] : [],
    hosted: picture ? [picture] : [],
  };
}

function deletedOf(record: MessageRecord): MessageRecord {
  const deletedMs = record.createdMs + 3_600_000;
  const empty = { attachments: [], mentions: [], hosted: [] };
  return { ...record, deletedMs, modifiedMs: deletedMs, body: { contentType: 'html', content: '' }, ...empty };
}

/** The first message of a conversation: who was added. */
function eventRecord(draft: Draft): MessageRecord {
  const { createdMs, conversation } = draft;
  return {
    id: String(createdMs),
    createdMs,
    modifiedMs: createdMs,
    subject: null,
    importance: 'normal',
    locale: conversation.language === 'de' ? 'de-de' : 'en-us',
    from: null,
    body: { contentType: 'html', content: '<systemEventMessage/>' },
    attachments: [],
    mentions: [],
    reactions: [],
    hosted: [],
    event: memberEvent(draft),
  };
}

function subjectOf({ conversation, place, random }: Draft): string | null {
  const canHave = conversation.kind === 'channel' && place.reply === undefined;
  return canHave && chance(random, 0.4) ? subjectLine(random, conversation.language) : null;
}

function postRecord(draft: Draft): MessageRecord {
  const { tenant, conversation, place, random, createdMs, writerId } = draft;
  const { content, ...parts } = textOf(draft);
  const subject = subjectOf(draft);
  const reactions = reactionsOf(draft);
  const editedMs = place.root % 17 === 5 && place.reply === undefined ? createdMs + 600_000 : undefined;
  return {
    id: String(createdMs),
    ...(place.reply === undefined ? {} : { rootId: seededId(conversation, { root: place.root }) }),
    createdMs,
    modifiedMs: Math.max(editedMs ?? createdMs, ...reactions.map(({ atMs }) => atMs)),
    ...(editedMs === undefined ? {} : { editedMs }),
    subject,
    importance: chance(random, 0.05) ? 'high' : 'normal',
    locale: conversation.language === 'de' ? 'de-de' : 'en-us',
    from: { userId: writerId, displayName: nameOf(tenant, writerId) },
    body: { contentType: 'html', content },
    ...parts,
    reactions,
  };
}

/** A message of the seed, as it was before anybody changed it. */
export function seededMessage(tenant: Tenant, conversation: Conversation, place: SeededPlace): MessageRecord {
  const index = place.root * 4096 + (place.reply ?? -1) + 1;
  const random = randomOf({ seed: tenant.seed, kind: 'post', owner: conversation.id, index });
  const draft: Draft = {
    tenant,
    conversation,
    place,
    random,
    createdMs: timeOf(conversation, place),
    writerId: pick(random, conversation.writers),
  };
  const isRoot = place.reply === undefined;
  if (isRoot && place.root === 0) return eventRecord(draft);
  const record = postRecord(draft);
  return isRoot && place.root % 23 === 7 ? deletedOf(record) : record;
}
