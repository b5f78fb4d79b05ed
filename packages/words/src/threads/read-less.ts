import { groupThreads, standsIn, type ThreadMail } from './group-threads.ts';
import { sentenceKey, WORDS_PER_SENTENCE } from './sentences.ts';

/**
 * What a mail adds to its thread. `inclusive` has something that stands nowhere later; `inclusiveMinus` is quoted whole later, but not
 * an attachment of its own; `copy` is the same mail again, as it was or with less; `none` stands whole in a later mail, with every
 * attachment.
 */
export type ThreadRole = 'inclusive' | 'inclusiveMinus' | 'copy' | 'none';

export interface ThreadPlace {
  /** The place of the thread's first mail in the list. */
  readonly thread: number;
  readonly role: ThreadRole;
  /** The place of the mail that shows everything of this one; its own where it is to be read. */
  readonly shownBy: number;
}

/** Bounds the work in a thread in which thousands quote each other; who is compared with fewer is only shown more often. */
const MOST_COMPARED = 256;

const has = (all: readonly string[], some: readonly string[]): boolean => some.every((one) => all.includes(one));

/** What makes two mails the same one: its ID, every sentence and every attachment. */
function identityOf({ messageId, all, attachments }: ThreadMail): string | undefined {
  return messageId === null ? undefined : JSON.stringify([messageId, all.join('.'), attachments.toSorted()]);
}

/** The first of each mail, and the first of which every other is a copy. */
function copiesIn(mails: readonly ThreadMail[], thread: readonly number[]): Map<number, number> {
  const firsts = new Map<string, number>();
  const copies = new Map<number, number>();
  for (const at of thread) {
    const mail = mails[at];
    const identity = mail && identityOf(mail);
    if (identity === undefined) continue;
    const first = firsts.get(identity);
    if (first === undefined) firsts.set(identity, at);
    else copies.set(at, first);
  }
  return copies;
}

/** The longest first: whatever a mail can stand in has been decided before it, and no two can hide each other. */
function byLength(mails: readonly ThreadMail[], thread: readonly number[]): number[] {
  const length = (at: number): number => mails[at]?.all.length ?? 0;
  const sent = (at: number): number => mails[at]?.sentMs ?? 0;
  return thread.toSorted((a, b) => length(b) - length(a) || sent(b) - sent(a) || b - a);
}

const keysOf = (sentences: Uint32Array): string[] =>
  Array.from({ length: sentences.length / WORDS_PER_SENTENCE }, (_, at) => sentenceKey(sentences, at));

/** What a mail says above its signature and the footer of its list. */
function bodyOf({ all, below }: ThreadMail): Uint32Array {
  if (below.length === 0) return all;
  const left = Map.groupBy(keysOf(below), (key) => key);
  const isBody = keysOf(all).map((key) => left.get(key)?.pop() === undefined);
  return all.filter((_, word) => isBody[Math.floor(word / WORDS_PER_SENTENCE)] === true);
}

/**
 * Whether another mail repeats all of one. Nobody quotes a signature or what a list puts below everything: these need only
 * stand in it somewhere, as its own do.
 */
function repeats(mail: ThreadMail, body: Uint32Array, other: ThreadMail | undefined): boolean {
  if (!other || body.length === 0 || !standsIn(body, other.quoted)) return false;
  const there = new Set(mail.below.length === 0 ? [] : keysOf(other.all));
  return keysOf(mail.below).every((key) => there.has(key));
}

/** The mails to be read, found by their IDs or by a sentence that they quote. */
function createShown(mails: readonly ThreadMail[]) {
  const quoting = new Map<string, number[]>();
  const byId = new Map<string, number[]>();
  return {
    add(at: number): void {
      const { messageId = null } = mails[at] ?? {};
      if (messageId !== null) byId.set(messageId, [...(byId.get(messageId) ?? []), at]);
      const quoted = mails[at]?.quoted ?? new Uint32Array();
      for (const one of new Set(keysOf(quoted))) {
        const known = quoting.get(one);
        if (known) known.push(at);
        else quoting.set(one, [at]);
      }
    },
    /** Those that may quote all of a text, those that quote the rarer of its first and last sentence. */
    around(body: Uint32Array): readonly number[] {
      if (body.length === 0) return [];
      const [first, last] = [
        quoting.get(sentenceKey(body, 0)) ?? [],
        quoting.get(sentenceKey(body, body.length / WORDS_PER_SENTENCE - 1)) ?? [],
      ];
      return (first.length < last.length ? first : last).slice(-MOST_COMPARED);
    },
    /** The same mail, to which something was added on its way, such as the footer of a list. */
    longerOf({ messageId, all, attachments }: ThreadMail): number | undefined {
      if (messageId === null || all.length === 0) return undefined;
      const same = (byId.get(messageId) ?? []).slice(-MOST_COMPARED);
      return same.find((other) => standsIn(all, mails[other]?.all ?? all) && has(mails[other]?.attachments ?? [], attachments));
    },
  };
}

function placesIn(mails: readonly ThreadMail[], thread: readonly number[]): Map<number, Omit<ThreadPlace, 'thread'>> {
  const places = new Map<number, Omit<ThreadPlace, 'thread'>>();
  const copies = copiesIn(mails, thread);
  const shown = createShown(mails);
  for (const at of byLength(mails, thread)) {
    const mail = mails[at];
    if (!mail || copies.has(at)) continue;
    const longer = shown.longerOf(mail);
    if (longer !== undefined) {
      places.set(at, { role: 'copy', shownBy: longer });
      continue;
    }
    const body = bodyOf(mail);
    const later = shown.around(body).filter((other) => repeats(mail, body, mails[other]));
    const whole = later.find((other) => has(mails[other]?.attachments ?? [], mail.attachments));
    if (whole !== undefined) {
      places.set(at, { role: 'none', shownBy: whole });
      continue;
    }
    places.set(at, { role: later.length > 0 ? 'inclusiveMinus' : 'inclusive', shownBy: at });
    shown.add(at);
  }
  for (const [at, first] of copies) places.set(at, { role: 'copy', shownBy: places.get(first)?.shownBy ?? first });
  return places;
}

/** Who need not be read, because somebody else says the same: thread, role and the mail that shows it, for each mail of a list. */
export function readLess(mails: readonly ThreadMail[]): ThreadPlace[] {
  const threadOf = groupThreads(mails);
  const threads = Map.groupBy(mails.keys(), (at) => threadOf[at] ?? at);
  const found = mails.map((_, at): ThreadPlace => ({ thread: threadOf[at] ?? at, role: 'inclusive', shownBy: at }));
  for (const [thread, members] of threads) {
    if (members.length === 1) continue;
    for (const [at, place] of placesIn(mails, members)) found[at] = { thread, ...place };
  }
  return found;
}
