import { sentenceKey, WORDS_PER_SENTENCE, type SentenceHashes } from './sentences.ts';

/** What is known of a mail that may belong to a thread. */
export interface ThreadMail extends SentenceHashes {
  /** Its own ID, without angle brackets; null where it has none. */
  readonly messageId: string | null;
  /** The IDs that it names as what it answers, oldest first. */
  readonly references: readonly string[];
  readonly subject: string;
  readonly sentMs: number;
  /** SHA-256 of each attachment. */
  readonly attachments: readonly string[];
}

/** Prefixes that mail programs put before a subject, in the languages of Outlook and Gmail that Holdfast meets most. */
const ANSWERS: ReadonlySet<string> = new Set('re aw antw sv vs r rif res fw fwd wg tr rv enc doorst vb i'.split(' '));
const LONGEST_PREFIX = 12;

/** A subject without its first prefix, "Re:" or "RE[2]:"; itself where it has none. */
function withoutPrefix(subject: string): string {
  const colon = subject.indexOf(':');
  if (colon < 1 || colon > LONGEST_PREFIX) return subject;
  const [prefix = '', count] = subject.slice(0, colon).trimEnd().split('[');
  if (!ANSWERS.has(prefix.toLowerCase()) || (count !== undefined && !/^\d+\]$/u.test(count))) return subject;
  return subject.slice(colon + 1).trimStart();
}

const tidy = (subject: string): string => subject.normalize('NFKC').replaceAll(/\s+/gu, ' ').trim();

/** A subject as it was before anybody answered or forwarded it. */
export function plainSubject(subject: string): string {
  let plain = tidy(subject);
  for (let next = withoutPrefix(plain); next !== plain; next = withoutPrefix(plain)) plain = next;
  return plain.toLowerCase();
}

const isAnswer = (subject: string): boolean => withoutPrefix(tidy(subject)) !== tidy(subject);

/** Sets that can only grow together. The smallest number of a set is its name. */
class Sets {
  readonly #above: Int32Array;

  constructor(size: number) {
    this.#above = Int32Array.from({ length: size }, (_, at) => at);
  }

  find(one: number): number {
    let top = one;
    for (let above = this.#above[top] ?? top; above !== top; above = this.#above[top] ?? top) top = above;
    for (let at = one; at !== top;) {
      const next = this.#above[at] ?? top;
      this.#above[at] = top;
      at = next;
    }
    return top;
  }

  join(a: number, b: number): void {
    const [low, high] = [this.find(a), this.find(b)].toSorted((x, y) => x - y) as [number, number];
    this.#above[high] = low;
  }
}

/** Joins everybody who has an ID or names it; the ID itself need not be among the mails. */
function joinByReferences(mails: readonly ThreadMail[], sets: Sets): void {
  const firstWith = new Map<string, number>();
  for (const [at, { messageId, references }] of mails.entries()) {
    for (const id of messageId === null ? references : [messageId, ...references]) {
      const first = firstWith.get(id);
      if (first === undefined) firstWith.set(id, at);
      else sets.join(first, at);
    }
  }
}

/** Whether the sentences stand in the others, in their order. */
export function standsIn(sentences: Uint32Array, others: Uint32Array): boolean {
  let next = 0;
  for (let at = 0; at < others.length && next < sentences.length; at += WORDS_PER_SENTENCE) {
    const isSame =
      others[at] === sentences[next] &&
      others[at + 1] === sentences[next + 1] &&
      others[at + 2] === sentences[next + 2] &&
      others[at + 3] === sentences[next + 3];
    if (isSame) next += WORDS_PER_SENTENCE;
  }
  return next >= sentences.length;
}

/** Mails by their first sentence under their subject, of the subjects that are asked for. */
function byBeginning(mails: readonly ThreadMail[], subjects: ReadonlySet<string>): ReadonlyMap<string, readonly number[]> {
  const beginnings = mails.flatMap((mail, at) => {
    const subject = plainSubject(mail.subject);
    return mail.all.length === 0 || !subjects.has(subject) ? [] : [{ at, key: `${sentenceKey(mail.all, 0)} ${subject}` }];
  });
  const grouped = Map.groupBy(beginnings, ({ key }) => key);
  return new Map([...grouped].map(([key, same]) => [key, same.map(({ at }) => at)]));
}

/** The mails under the same subject that begin with a sentence that a mail quotes, and so may be quoted whole. */
function* perhapsQuoted({ quoted }: ThreadMail, subject: string, beginning: ReadonlyMap<string, readonly number[]>): Iterable<number> {
  for (let at = 0; at < quoted.length / WORDS_PER_SENTENCE; at++) yield* beginning.get(`${sentenceKey(quoted, at)} ${subject}`) ?? [];
}

/**
 * An answer whose program kept no reference belongs to the mail that it quotes whole, under the same subject. A subject alone
 * joins nothing: "Report" and "Re: Report" of two years later have nothing to do with each other.
 */
function joinByQuotes(mails: readonly ThreadMail[], sets: Sets): void {
  const lonely = [...mails.entries()].filter(
    ([, { references, subject, quoted }]) => references.length === 0 && isAnswer(subject) && quoted.length > 0,
  );
  if (lonely.length === 0) return;
  const beginning = byBeginning(mails, new Set(lonely.map(([, { subject }]) => plainSubject(subject))));
  for (const [at, mail] of lonely) {
    for (const other of perhapsQuoted(mail, plainSubject(mail.subject), beginning)) {
      if (other !== at && standsIn(mails[other]?.all ?? mail.all, mail.quoted)) sets.join(other, at);
    }
  }
}

/** The thread of each mail: the place of its first mail in the list. */
export function groupThreads(mails: readonly ThreadMail[]): number[] {
  const sets = new Sets(mails.length);
  joinByReferences(mails, sets);
  joinByQuotes(mails, sets);
  return mails.map((_, at) => sets.find(at));
}
