import { hashEnd, hashNumber, hashOn, itemSeed, ownerSeed } from '../values/seeded.ts';
import { seededWord } from '@holdfast/foundation/random';
import type { Oddity } from '../content/generated-message.ts';
import type { Turn } from '../content/threads.ts';
import type { Person } from '../state/directory.ts';
import type { Tenant } from '../state/tenant.ts';
import { threadCount } from './mailbox-plan.ts';
import type { FolderRecord } from './mailbox-state.ts';
import { DRAFTS, SENT } from './well-known-folders.ts';

/**
 * What the generated messages of one folder have in common, worked out once. The numbers of any one of them then cost a
 * few multiplications: a page of hundreds is made without an object for each.
 */
export interface FolderSeed {
  readonly folder: FolderRecord;
  readonly isDraft: boolean;
  /** Written by the owner: read from the start. */
  readonly isOwn: boolean;
  readonly writerId: string;
  readonly threads: number;
  readonly epochMs: number;
  readonly spanMs: number;
  readonly betweenTurnsMs: number;
  readonly items: number;
  readonly oddities: number;
}

/** The numbers of one message. Filled in place. */
export interface MessageSketch {
  receivedMs: number;
  modifiedMs: number;
  sentMs: number;
  isRead: boolean;
  isFlagged: boolean;
  /** Which of the categories, from 1; 0 for none. */
  category: number;
  isImportant: boolean;
  isFocused: boolean;
}

const DAY_MS = 86_400_000;
const TURNS = 3;
export const CATEGORIES = ['Red category', 'Blue category', 'Green category', 'Yellow category'];
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

const seeds = new WeakMap<FolderRecord, FolderSeed>();

/** The seed of a folder: a pure function of the tenant's. */
export function folderSeed(tenant: Tenant, person: Person, folder: FolderRecord): FolderSeed {
  let seed = seeds.get(folder);
  if (!seed) {
    seed = makeSeed(tenant, person, folder);
    seeds.set(folder, seed);
  }
  return seed;
}

function makeSeed(tenant: Tenant, person: Person, folder: FolderRecord): FolderSeed {
  const isDraft = folder.number === DRAFTS;
  const isOwn = isDraft || folder.number === SENT;
  const spanMs = tenant.recipe.mail.years * 365 * DAY_MS;
  return {
    folder,
    isDraft,
    isOwn,
    writerId: isOwn ? person.id : '',
    threads: threadCount(tenant),
    epochMs: tenant.epochMs,
    spanMs,
    betweenTurnsMs: Math.min(5_400_000, spanMs / folder.generated / 3),
    items: ownerSeed({ seed: (tenant.seed + folder.number * 7919) | 0, kind: 'message', owner: person.id }),
    oddities: hashOn(tenant.seed, `${person.id}/${folder.number}/`),
  };
}

/** When message `index` came: the first is the newest, and recent times are denser. */
/** How long a generated message is on its way: its header names the same time as its properties. */
export const TRANSIT_MS = 2000;

export function receivedMs(seed: FolderSeed, index: number): number {
  const turn = index % TURNS;
  const fraction = (index - turn + 0.5) / seed.folder.generated;
  return Math.floor((seed.epochMs - seed.spanMs * fraction ** 1.25 - turn * seed.betweenTurnsMs) / 1000) * 1000;
}

/** The conversation that message `index` belongs to. */
export function threadNumber(seed: FolderSeed, index: number): number {
  const first = index - (index % TURNS);
  const fraction = Math.min(0.999_999, (first + 1.5) / Math.max(seed.folder.generated, TURNS));
  return Math.min(seed.threads - 1, Math.floor(fraction * seed.threads));
}

/** The place of message `index` in its conversation: later ones come first. */
export function turnNumber(index: number): number {
  return TURNS - 1 - (index % TURNS);
}

/** Conversation, place in it and writer of message `index`. */
export function turnOf(seed: FolderSeed, index: number): Turn {
  return { thread: threadNumber(seed, index), turn: turnNumber(index), writerId: seed.writerId };
}

/** In what way message `index` is not as it should be. */
export function oddityOf(seed: FolderSeed, index: number): Oddity {
  if (seed.folder.wellKnownName === 'teamsmessagesdata') return 'instantMessage';
  const hash = hashEnd(hashNumber(seed.oddities, index));
  return hash % 100 < 6 ? (ODDITIES[(hash >>> 8) % ODDITIES.length] ?? 'none') : 'none';
}

/** Draws the numbers of message `index`. */
export function sketchMessage(seed: FolderSeed, index: number, into: MessageSketch): void {
  const start = itemSeed(seed.items, index);
  let place = 0;
  const share = (): number => seededWord(start, (place += 1)) / 2 ** 32;
  const received = receivedMs(seed, index);
  into.isRead = seed.isOwn || share() >= (index < seed.folder.generated * 0.1 ? 0.35 : 0.04);
  into.receivedMs = received;
  into.modifiedMs = received + Math.floor(share() * 3_600_000);
  // Drawn and not used, so that the numbers after it keep their places.
  share();
  into.sentMs = received - TRANSIT_MS;
  into.isFlagged = share() < 0.04;
  into.category = share() < 0.08 ? 1 + Math.floor(share() * CATEGORIES.length) : 0;
  into.isImportant = share() < 0.05;
  into.isFocused = share() < 0.8;
}

/** An empty sketch, to be filled. */
export function newSketch(): MessageSketch {
  return { receivedMs: 0, modifiedMs: 0, sentMs: 0, isRead: false, isFlagged: false, category: 0, isImportant: false, isFocused: false };
}
