import { sha256Hex } from '@holdfast/foundation/bytes';
import type { ItemVersion } from '../../ports/item.ts';
import { htmlText } from '../../shared/html-text.ts';
import { importedMessage, type Identity } from './imported-message.ts';
import type { People } from './people.ts';

/** How far a message whose time is taken moves on. */
const TRIES_FOR_A_MILLISECOND = 50;

/** A message of the service, as far as it tells who said what when. */
interface Said {
  readonly id?: string;
  readonly createdDateTime?: string | null;
  readonly deletedDateTime?: string | null;
  readonly from?: { readonly user?: Identity | null } | null;
  readonly body?: { readonly content?: string | null } | null;
}

/** What is in a chat, a channel or under a post, by creation time. A deleted message holds its time for good. */
export interface Thread {
  readonly live: Map<string, { readonly id: string; readonly words: string }>;
  readonly deleted: Map<string, string>;
}

/** A message at the target, with its time. */
export interface Timed {
  readonly id: string;
  readonly at: string;
}

export function isoMs(value: string | undefined | null): string {
  const ms = Date.parse(value ?? '');
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}

/** Tells who said what, whatever the service has made of the markup; a hash, for a channel may hold more than memory does. */
function wordsOf({ from, body }: Pick<Said, 'from' | 'body'>): string {
  return sha256Hex(`${from?.user?.id ?? ''}\n${htmlText(body?.content ?? '').replaceAll(/\s+/gu, ' ')}`);
}

export function createThread(): Thread {
  return { live: new Map(), deleted: new Map() };
}

export function note({ live, deleted }: Thread, message: Said): void {
  const { id = '', createdDateTime, deletedDateTime } = message;
  if (deletedDateTime) deleted.set(isoMs(createdDateTime), id);
  else live.set(isoMs(createdDateTime), { id, words: wordsOf(message) });
}

/** A time, and where a message of that time moves to while it is taken. */
export function* momentsFrom(at: string): Generator<string, void, undefined> {
  for (let step = 0; step < TRIES_FOR_A_MILLISECOND; step += 1) yield new Date(Date.parse(at) + step).toISOString();
}

/** All that lies at a time, or where one of that time would have moved to. */
export function around({ live }: Thread, item: ItemVersion): readonly Timed[] {
  return [...momentsFrom(isoMs(item.createdAt))].flatMap((at) => {
    const found = live.get(at);
    return found ? [{ id: found.id, at }] : [];
  });
}

/** Where a message lies: at its time, or after it when an earlier restore found its time held by one that was deleted. */
export function placeOf({ live, deleted }: Thread, item: ItemVersion, people: People): Timed | undefined {
  const [own = '', ...later] = momentsFrom(isoMs(item.createdAt));
  const there = live.get(own);
  if (there) return { id: there.id, at: own };
  if (!deleted.has(own)) return undefined;
  const imported = importedMessage(item, { createdAt: own, hosted: [], people });
  const words = wordsOf(imported.body);
  for (const at of later) {
    const found = live.get(at);
    if (found?.words === words) return { id: found.id, at };
    if (!found && !deleted.has(at)) return undefined;
  }
  return undefined;
}
