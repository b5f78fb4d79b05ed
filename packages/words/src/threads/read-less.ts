import { groupThreads, standsIn, type ThreadMail } from './group-threads.ts';
import { sentenceKey, WORDS_PER_SENTENCE } from './sentences.ts';

/**
 * What a mail adds to its thread. `inclusive` has something that stands nowhere later; `inclusiveMinus` is quoted whole later, but not
 * an attachment of its own; `copy` is the same mail again; `none` stands whole in a later mail, with every attachment.
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

/** The mails to be read, found by a sentence that they quote. */
function createShown(mails: readonly ThreadMail[]) {
  const quoting = new Map<string, number[]>();
  return {
    add(at: number): void {
      const quoted = mails[at]?.quoted ?? new Uint32Array();
      for (const one of new Set(Array.from({ length: quoted.length / WORDS_PER_SENTENCE }, (_, n) => sentenceKey(quoted, n)))) {
        const known = quoting.get(one);
        if (known) known.push(at);
        else quoting.set(one, [at]);
      }
    },
    /** Those that may quote all of a mail, those that quote the rarer of its first and last sentence. */
    around({ all }: ThreadMail): readonly number[] {
      const [first, last] = [
        quoting.get(sentenceKey(all, 0)) ?? [],
        quoting.get(sentenceKey(all, all.length / WORDS_PER_SENTENCE - 1)) ?? [],
      ];
      return (first.length < last.length ? first : last).slice(-MOST_COMPARED);
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
    const later = mail.all.length === 0 ? [] : shown.around(mail).filter((other) => standsIn(mail.all, mails[other]?.quoted ?? mail.all));
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
