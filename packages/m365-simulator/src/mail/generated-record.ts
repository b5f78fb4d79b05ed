import type { Person } from '../directory/directory.ts';
import type { GeneratedMessage, Oddity } from '../content/generated-message.ts';
import { chance, hashText, pick, randomOf } from '../content/seeded.ts';
import { threadOf, type Turn } from '../content/threads.ts';
import type { Tenant } from '../state/tenant.ts';
import { generatedMembers, threadCount } from './mailbox-plan.ts';
import type { FolderRecord, MessageRecord } from './mailbox-state.ts';
import { DRAFTS, SENT } from './well-known-folders.ts';

const DAY_MS = 86_400_000;
const NOT_FLAGGED = Object.freeze({ flagStatus: 'notFlagged' });
const FLAGGED = Object.freeze({ flagStatus: 'flagged' });
const NO_CATEGORIES: readonly string[] = [];
const CATEGORIES = ['Red category', 'Blue category', 'Green category', 'Yellow category'];
const TURNS = 3;
const ODDITIES: readonly Oddity[] = [
  'latin1',
  'plainOnly',
  'brokenHeader',
  'nested',
  'signed',
  'tnef',
  'inlineImage',
  'inlineImage',
  'plainOnly',
];

/** When message `index` of `count` came: the first is the newest, and recent times are denser. */
function receivedMs(tenant: Tenant, index: number, count: number): number {
  const spanMs = tenant.recipe.mail.years * 365 * DAY_MS;
  const turn = index % TURNS;
  const fraction = (index - turn + 0.5) / count;
  const betweenTurnsMs = Math.min(5_400_000, spanMs / count / 3);
  return Math.floor((tenant.epochMs - spanMs * fraction ** 1.25 - turn * betweenTurnsMs) / 1000) * 1000;
}

/** When the generated message at a position of a folder came. */
export function generatedTime(tenant: Tenant, folder: FolderRecord, position: number): number {
  return receivedMs(tenant, position, folder.generated);
}

function placeRandom(tenant: Tenant, person: Person, folder: number, index: number): ReturnType<typeof randomOf> {
  return randomOf({ seed: (tenant.seed + folder * 7919) | 0, kind: 'message', owner: person.id, index });
}

/** A generated message, as far as lists and deltas need it. */
export function generatedRecord(tenant: Tenant, person: Person, folder: FolderRecord, index: number): MessageRecord {
  const random = placeRandom(tenant, person, folder.number, index);
  const received = receivedMs(tenant, index, folder.generated);
  const isDraft = folder.number === DRAFTS;
  const isOwn = isDraft || folder.number === SENT;
  const isRead = isOwn || !chance(random, index < folder.generated * 0.1 ? 0.35 : 0.04);
  return {
    key: `g${folder.number}.${index}`,
    folder: folder.number,
    arrival: -1,
    version: 0,
    contentVersion: 0,
    createdMs: received,
    modifiedMs: received + random.below(3_600_000),
    receivedMs: received,
    sentMs: received - 1000 * (1 + random.below(8)),
    isRead,
    isDraft,
    flag: chance(random, 0.04) ? FLAGGED : NOT_FLAGGED,
    categories: chance(random, 0.08) ? [pick(random, CATEGORIES)] : NO_CATEGORIES,
    importance: chance(random, 0.05) ? 'high' : 'normal',
    inference: chance(random, 0.8) ? 'focused' : 'other',
    content: { from: 'seed', folder: folder.number, index },
    extended: [],
  };
}

function oddityOf(tenant: Tenant, person: Person, folder: FolderRecord, index: number): Oddity {
  if (folder.wellKnownName === 'teamsmessagesdata') return 'instantMessage';
  const hash = hashText(`${person.id}/${folder.number}/${index}`, tenant.seed);
  return hash % 100 < 6 ? (ODDITIES[(hash >>> 8) % ODDITIES.length] ?? 'none') : 'none';
}

/** Where the words of a generated message come from: its conversation, and its turn in it. */
export function generatedSource(tenant: Tenant, person: Person, folder: FolderRecord, index: number): GeneratedMessage {
  const threads = threadCount(tenant);
  const group = Math.floor(index / TURNS);
  const fraction = Math.min(0.999_999, (group * TURNS + 1.5) / Math.max(folder.generated, TURNS));
  const thread = Math.min(threads - 1, Math.floor(fraction * threads));
  const isOwn = folder.number === SENT || folder.number === DRAFTS;
  const turn: Turn = { thread, turn: TURNS - 1 - (index % TURNS), writerId: isOwn ? person.id : '' };
  const received = receivedMs(tenant, index, folder.generated);
  return {
    tenant,
    thread: threadOf(tenant, thread, generatedMembers(tenant)),
    turn,
    owner: `${person.id}/${folder.number}`,
    index,
    recipient: person.mail,
    sentMs: received - 2000,
    receivedMs: received,
    oddity: oddityOf(tenant, person, folder, index),
  };
}
