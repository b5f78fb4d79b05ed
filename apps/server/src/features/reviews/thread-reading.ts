import type { Scope } from '@holdfast/database';
import type { Catalog, ItemReader, MailInThread } from '@holdfast/engine';
import type { VaultReader } from '@holdfast/vault';
import { hashSentences, shinglesOf, type Shingles, type ThreadMail, WORDS_PER_SENTENCE } from '@holdfast/words/threads';
import { isAway, type Vaults } from '../../storage/index.ts';
import type { CaseScope } from '../cases/index.ts';
import type { ReviewMail, ReviewThreadsStore } from './review-threads.store.ts';

export interface ThreadReadingParts {
  readonly threads: ReviewThreadsStore;
  readonly vaults: Vaults;
  readonly items: ItemReader;
  catalogOf(scope: Scope, locationId: string): Catalog;
}

/** A mail as it is compared. */
export interface ComparedMail {
  readonly position: number;
  readonly mail: ThreadMail;
  readonly shingles: Shingles;
}

/** The mails of a set as they are compared, and how many of them could not be. */
export interface ComparedMails {
  readonly mails: readonly ComparedMail[];
  readonly notCompared: number;
}

/** What is held of all mails of a set together: 128 MB of sentences and 160 MB of words in a row. What is beyond is not compared. */
const MOST_SENTENCES = 8_000_000;
const MOST_SHINGLES = 40_000_000;
/** One mail alone can't take what is there for all. */
const MOST_SENTENCES_OF_A_MAIL = 20_000;

/** What is compared of a mail; nothing of one that is longer than that. */
function compared(position: number, mail: MailInThread): readonly ComparedMail[] {
  if (mail.texts === null) return [];
  const { messageId, references, subject, attachments } = mail;
  const hashes = hashSentences(...mail.texts);
  if (hashes.all.length > MOST_SENTENCES_OF_A_MAIL * WORDS_PER_SENTENCE) return [];
  const sentMs = Date.parse(mail.sentAt ?? '') || 0;
  return [
    { position, mail: { ...hashes, messageId, references, subject, sentMs, attachments }, shingles: shinglesOf(mail.texts[0] ?? '') },
  ];
}

/** Nothing of a mail that can't be read is known: it is read by people. A store that is away ends the run. */
async function readOne(
  items: ItemReader,
  reader: VaultReader,
  version: Parameters<ItemReader['inThread']>[1],
): Promise<MailInThread | undefined> {
  try {
    return await items.inThread(reader, version);
  } catch (error) {
    if (isAway(error)) throw error;
    return undefined;
  }
}

/** Reads some mails of one location, those of a restore point together; of each only what is compared outlives the next. */
async function readMails(
  parts: ThreadReadingParts,
  scope: Scope,
  locationId: string,
  wanted: readonly ReviewMail[],
): Promise<ComparedMail[]> {
  const read: ComparedMail[] = [];
  await parts.vaults.use(scope, locationId, async (vault) => {
    const reader = vault.reader();
    for (const [, together] of Map.groupBy(wanted, (one) => `${one.resourceId} ${one.sequence}`)) {
      const [first] = together;
      if (!first) continue;
      const byKey = Map.groupBy(together, (one) => one.itemKey);
      const versions = parts.catalogOf(scope, locationId).items(first.resourceId, first.sequence, { keys: [...byKey.keys()] });
      for await (const version of versions) {
        const mail = await readOne(parts.items, reader, version);
        for (const { position } of byKey.get(version.key) ?? []) read.push(...(mail ? compared(position, mail) : []));
      }
    }
  });
  return read;
}

/** Reads every mail of a set once, and holds of each what is compared alone. */
export async function readSetMails(
  parts: ThreadReadingParts,
  place: { readonly scope: Scope; readonly setId: string; readonly within: CaseScope },
  { signal, onRead }: { readonly signal: AbortSignal; readonly onRead: (read: number) => void },
): Promise<ComparedMails> {
  const mails: ComparedMail[] = [];
  let [wanted, sentences, shingles] = [0, 0, 0];
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const page = await parts.threads.mailsAfter(place.scope, place, after);
    if (page.last === 0) return { mails: mails.toSorted((a, b) => a.position - b.position), notCompared: wanted - mails.length };
    after = page.last;
    wanted += page.mails.length;
    for (const [locationId, there] of Map.groupBy(page.mails, (one) => one.locationId)) {
      for (const one of await readMails(parts, place.scope, locationId, there)) {
        sentences += (one.mail.all.length + one.mail.quoted.length) / WORDS_PER_SENTENCE;
        shingles += one.shingles.length;
        if (sentences <= MOST_SENTENCES && shingles <= MOST_SHINGLES) mails.push(one);
      }
    }
    onRead(wanted);
  }
}
