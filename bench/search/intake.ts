import { createSecretKey } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createItemReader, type ItemWords } from '@holdfast/engine';
import { anItem } from '@holdfast/engine/testing/builders';
import type { Database } from '@holdfast/database';
import { systemClock } from '@holdfast/foundation/clock';
import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { secureRandom } from '@holdfast/foundation/random';
import {
  createFilesystemBlobStore,
  createMasterKeyRing,
  createMemoryBlobIndex,
  createVault,
  openVault,
  type ContentRef,
} from '@holdfast/vault';
import { createDocumentReader } from '@holdfast/words';
import { createIndexMaker } from '../../apps/server/src/features/search/index-maker.ts';
import { createSearchIndexStore, type Read } from '../../apps/server/src/features/search/search-index.store.ts';
import { obtainCorpus } from '../corpora.ts';
import { scopeOf } from '../catalog/fill.ts';
import { readOf } from './fill.ts';
import { mimeOf, type createListMail } from './list-mail.ts';

interface Intake {
  readonly database: Database;
  readonly folder: string;
  readonly stored: number;
  readonly mailboxes: number;
  readonly list: ReturnType<typeof createListMail>;
}

const AT_ONCE = 6;
const BATCH = 200;
const OPENED = 200;

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(path.join(folder, name)));
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

async function aVault(root: string) {
  const keyRing = createMasterKeyRing({ current: 'bench', keys: { bench: createSecretKey(Buffer.alloc(32, 1)) } });
  const ids = createIds(systemClock, secureRandom);
  const base = { store: createFilesystemBlobStore({ root }), keyRing, clock: systemClock, ids, logger: silentLogger };
  await createVault({ ...base, organisationId: 'bench' });
  return openVault({ ...base, index: createMemoryBlobIndex() });
}

/** Messages all the way: stored in a vault, read back, taken apart, and their words written into the index. */
async function takeIn({ database, folder, mailboxes }: Intake, name: string, numbers: readonly number[], mime: (number: number) => Buffer) {
  const root = path.join(folder, `vault-${name}`);
  const vault = await aVault(root);
  const items = createItemReader(systemClock);
  const documents = createDocumentReader({ clock: systemClock });
  const store = createSearchIndexStore(database);
  const maker = createIndexMaker();
  const refs = new Map<number, ContentRef>();
  const raw = numbers.map((number) => [number, mime(number)] as const);
  const rawBytes = raw.reduce((sum, [, data]) => sum + data.byteLength, 0);
  let textBytes = 0;
  const start = performance.now();
  const writer = await vault.openWriter({ resourceId: 'bench' });
  await forEachConcurrent(raw, 24, async ([number, data]) => void refs.set(number, await writer.put(data, { kind: 'message' })));
  await writer.close();
  const storedAt = performance.now();
  const reader = vault.reader();
  const itemOf = (number: number) => {
    const ref = refs.get(number);
    return anItem(String(number), { contents: ref ? [{ role: 'mime', ref }] : [] });
  };
  let writing = Promise.resolve();
  for (let from = 0; from < numbers.length; from += BATCH) {
    const read: Read[] = [];
    await forEachConcurrent(numbers.slice(from, from + BATCH), AT_ONCE, async (number) => {
      const words: ItemWords = await items.words(reader, itemOf(number), documents);
      textBytes += words.text.length + words.title.length + words.attachmentTexts.reduce((sum, { text }) => sum + text.length, 0);
      read.push(readOf(number, mailboxes, { words, sizeBytes: 4_000, made: await maker.make(words) }));
    });
    // While one batch is written the next is read, as the indexer does it.
    await writing;
    writing = store.write(scopeOf, read);
  }
  await writing;
  const seconds = (performance.now() - start) / 1_000;
  const opened: number[] = [];
  for (const number of numbers.slice(0, OPENED)) {
    const began = performance.now();
    await items.mail(reader, itemOf(number));
    opened.push(performance.now() - began);
  }
  const found = {
    perSecond: Math.round(numbers.length / seconds),
    storeSeconds: (storedAt - start) / 1_000,
    seconds,
    openP95Ms: opened.toSorted((a, b) => a - b)[Math.floor(opened.length * 0.95)] ?? 0,
    vaultBytes: sizeOf(root),
    rawBytes,
    textBytes,
  };
  await Promise.all([items.close(), documents.close(), maker.close()]);
  await vault.close();
  return found;
}

/** How fast messages come in, and what they take: list mail, and mail of an office. */
export async function measureIntake(intake: Intake) {
  const { folder, stored, list, database } = intake;
  const corpus = obtainCorpus(folder, 'mail', stored);
  const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.eml'));
  const sizeNow = (): Promise<number> =>
    database.within(scopeOf, async (tx) => {
      const rows = await tx.selectNoFrom((eb) => eb.fn<number>('pg_total_relation_size', [eb.val('search_words')]).as('bytes')).execute();
      return rows[0]?.bytes ?? 0;
    });
  const numbers = Array.from({ length: stored }, (_, number) => number);
  const plain = await takeIn(intake, 'list', numbers, (number) => mimeOf(list.mail(number)));
  const before = await sizeNow();
  const later = numbers.map((number) => number + stored).slice(0, files.length);
  const office = await takeIn(intake, 'office', later, (number) => readFileSync(path.join(corpus, files[number - stored] ?? '')));
  const officeIndex = (await sizeNow()) - before;
  return {
    vaultBytesEachList: plain.vaultBytes / stored,
    textBytesEachList: plain.textBytes / stored,
    figures: {
      listPerSecond: plain.perSecond,
      listStoreSeconds: Number(plain.storeSeconds.toFixed(1)),
      listSeconds: Number(plain.seconds.toFixed(1)),
      officePerSecond: office.perSecond,
      officeStoreSeconds: Number(office.storeSeconds.toFixed(1)),
      officeSeconds: Number(office.seconds.toFixed(1)),
      openP95Ms: Number(Math.max(plain.openP95Ms, office.openP95Ms).toFixed(1)),
      diskOffice: Number(((officeIndex + office.vaultBytes) / office.rawBytes).toFixed(2)),
    },
  };
}
