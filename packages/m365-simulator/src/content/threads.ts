import type { Language, Person } from '../state/directory.ts';
import type { Envelope, Mailbox } from './message-parts.ts';
import type { Tenant } from '../state/tenant.ts';
import { addressName, firstNames, lastNames, partners } from '../values/names.ts';
import { phraseBook, subjectLine } from './prose.ts';
import { chance, hashEnd, hashNumber, hashOn, pick, randomOf } from '../values/seeded.ts';

/** Where a generated message stands: thread, turn in it, and who wrote it. The same three give the same words anywhere. */
export interface Turn {
  readonly thread: number;
  readonly turn: number;
  /** Id of the writer; empty for somebody outside. */
  readonly writerId: string;
}

export interface Thread {
  readonly language: Language;
  readonly subject: string;
  readonly participants: readonly Mailbox[];
  readonly outsider: Mailbox | undefined;
  readonly startsWithAttachment: boolean;
  /** Address of the list that is copied. */
  readonly list: Mailbox;
}

export function mailboxOf(person: Person): Mailbox {
  return { name: person.displayName, address: person.mail };
}

const kept = new WeakMap<Tenant, Map<number, Thread>>();
const KEPT_THREADS = 4000;

/** The conversation number `index` of a tenant: a pure function of the seed. Neighbours in a folder share it, so the last ones are kept. */
export function threadOf(tenant: Tenant, index: number, members: readonly Person[]): Thread {
  let threads = kept.get(tenant);
  if (!threads) {
    threads = new Map();
    kept.set(tenant, threads);
  }
  let thread = threads.get(index);
  if (!thread) {
    thread = createThread(tenant, index, members);
    if (threads.size >= KEPT_THREADS) threads.clear();
    threads.set(index, thread);
  }
  return thread;
}

function createThread(tenant: Tenant, index: number, members: readonly Person[]): Thread {
  const random = randomOf({ seed: tenant.seed, kind: 'thread', owner: '', index });
  const language: Language = chance(random, tenant.recipe.people.germanShare) ? 'de' : 'en';
  const start = random.below(Math.max(1, members.length));
  const count = 2 + random.below(3);
  const participants: Mailbox[] = [];
  for (let place = 0; place < count; place += 1) {
    const person = members[(start + place * (1 + random.below(5))) % members.length];
    if (person && !participants.some((other) => other.address === person.mail)) participants.push(mailboxOf(person));
  }
  let outsider: Mailbox | undefined;
  if (chance(random, 0.35)) {
    const [, domain] = pick(random, partners);
    const name = `${pick(random, firstNames[language])} ${pick(random, lastNames[language])}`;
    outsider = { name, address: `${addressName(name)}@${domain}` };
  }
  const subject = subjectLine(random, language);
  const list = `${addressName(subject).split('.')[0] ?? 'team'}@${tenant.directory.domain}`;
  return { language, subject, participants, outsider, startsWithAttachment: chance(random, 0.26), list: { name: list, address: list } };
}

function writerOf(tenant: Tenant, thread: Thread, turn: Turn): Mailbox {
  const person = turn.writerId === '' ? undefined : tenant.directory.user(turn.writerId);
  if (person) return mailboxOf(person);
  const first = thread.outsider ?? thread.participants[0];
  const second = thread.participants[thread.outsider ? 0 : 1];
  return (turn.turn % 2 === 0 ? first : (second ?? first)) ?? { name: 'Postmaster', address: `postmaster@${tenant.directory.domain}` };
}

/** The hashes of the message ids of one conversation, up to the turn: begun once for all its messages. */
export function threadHashes(tenant: Tenant, thread: number): readonly [number, number] {
  const begin = (start: number): number => hashOn(hashNumber(start, thread), '/');
  return [begin(tenant.seed), begin(tenant.seed ^ 0x5bd1e995)];
}

/** One of `threadHashes`, ended for one message. */
export function turnHash(begun: number, turn: number, writerId: string): number {
  return hashEnd(hashOn(hashOn(hashNumber(begun, turn), '/'), writerId));
}

/** A message id that is the same wherever the message was delivered. */
export function messageIdOf(tenant: Tenant, turn: Turn): string {
  const hashes = threadHashes(tenant, turn.thread).map((begun) => turnHash(begun, turn.turn, turn.writerId));
  const words = hashes.map((hash) => hash.toString(16).padStart(8, '0').toUpperCase());
  return `<${words.join('')}.${turn.thread}.${turn.turn}@${tenant.directory.domain}>`;
}

/** What a list shows of a message. */
export function envelopeOf(tenant: Tenant, thread: Thread, turn: Turn): Envelope {
  const from = writerOf(tenant, thread, turn);
  const everybody = thread.outsider ? [...thread.participants, thread.outsider] : thread.participants;
  const others = everybody.filter((mailbox) => mailbox.address !== from.address);
  const prefix = turn.turn === 0 ? '' : phraseBook(thread.language).replyPrefix;
  return {
    subject: `${prefix}${thread.subject}`,
    from,
    sender: from,
    to: others.length > 0 ? others : [thread.list],
    cc: turn.turn % 2 === 0 ? [] : [thread.list],
    bcc: [],
    replyTo: [],
    messageId: messageIdOf(tenant, turn),
    hasAttachments: thread.startsWithAttachment && turn.turn === 0,
    conversation: `thread/${turn.thread}`,
  };
}
