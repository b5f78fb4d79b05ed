import type { Scope } from '@holdfast/database';
import { factsOf, type Catalog, type DocumentWordsReader, type ItemReader, type ItemVersion } from '@holdfast/engine';
import { now, type Clock } from '@holdfast/foundation/clock';
import { isAppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import type { VaultReader } from '@holdfast/vault';
import { languageOf, sumSensitive } from '@holdfast/words';
import type { Vaults } from '../../storage/index.ts';
import type { Read, SearchIndexStore, Unread } from './search-index.store.ts';

export interface IndexerOptions {
  readonly store: SearchIndexStore;
  readonly vaults: Vaults;
  readonly items: ItemReader;
  readonly documents: DocumentWordsReader;
  catalogOf(scope: Scope, locationId: string): Catalog;
  scopes(): Promise<readonly Scope[]>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Reads the words of everything that is kept into the index, newest first, from the vault alone. */
export interface Indexer {
  /** Reads one batch of each organisation. Answers whether there was anything to read. */
  turn(signal?: AbortSignal): Promise<boolean>;
  /** Looks every few seconds, until stopped. */
  start(): () => Promise<void>;
}

/** What is read before the newest is looked for again. */
const AT_MOST = 2_000;
/** What is written at once. */
const BATCH = 100;
const EVERY_MS = 5_000;

/** An item that could not be read is found by its name, and counted. */
function unreadable(item: ItemVersion): Read['words'] {
  const none = { from: [], to: [], cc: [], bcc: [], attachments: [], attachmentTexts: [] };
  const at = item.modifiedAt ?? item.createdAt ?? null;
  return { title: item.name, ...none, text: '', at, state: 'failed', facts: factsOf(item, undefined) };
}

/** The hash of what the provider hands out as one file: a message or a document. */
function hashOf({ contents }: ItemVersion): string | null {
  return contents.find(({ role }) => role === 'mime' || role === 'file')?.ref.sha256 ?? null;
}

export function createIndexer(options: IndexerOptions): Indexer {
  const { store, vaults, items, clock, logger } = options;

  async function readOne(reader: VaultReader, of: Unread, item: ItemVersion): Promise<Read> {
    const words = await items.words(reader, item, options.documents).catch((error: unknown) => {
      // A store that is away says nothing of the item: it stays unread until the store is back.
      if (isAppError(error, 'vault.storage-unavailable', 'vault.bucket-missing', 'vault.access-denied')) throw error;
      logger.warn({ err: error, resourceId: of.resourceId, kind: item.kind }, 'the words of an item could not be read');
      return unreadable(item);
    });
    const sensitive = await sumSensitive([words.text, ...words.attachmentTexts.map(({ text }) => text)]);
    const { kind, name, sizeBytes } = item;
    const language = languageOf(`${words.title}\n${words.text}`);
    return { of, kind, name, contentHash: hashOf(item), sizeBytes, words, sensitive, language, changedAt: now(clock).toISOString() };
  }

  async function readPoint(scope: Scope, reader: VaultReader, unread: readonly Unread[], signal?: AbortSignal): Promise<void> {
    const [first] = unread;
    if (!first) return;
    const byKey = new Map(unread.map((one) => [one.itemKey, one]));
    const read: Read[] = [];
    const found = options.catalogOf(scope, first.locationId).items(first.resourceId, first.sequence, { keys: [...byKey.keys()] });
    for await (const item of found) {
      if (signal?.aborted === true) break;
      const of = byKey.get(item.key);
      if (of) read.push(await readOne(reader, of, item));
    }
    await store.write(scope, read);
  }

  async function readBatch(scope: Scope, batch: readonly Unread[], signal?: AbortSignal): Promise<void> {
    for (const [locationId, ofLocation] of Map.groupBy(batch, (one) => one.locationId)) {
      await vaults.use(scope, locationId, async (vault) => {
        const points = Map.groupBy(ofLocation, (one) => `${one.resourceId} ${one.sequence}`);
        for (const ofPoint of points.values()) await readPoint(scope, vault.reader(), ofPoint, signal);
      });
    }
  }

  async function readScope(scope: Scope, signal?: AbortSignal): Promise<boolean> {
    const unread = await store.unread(scope, AT_MOST);
    for (let from = 0; from < unread.length && signal?.aborted !== true; from += BATCH) {
      await readBatch(scope, unread.slice(from, from + BATCH), signal);
    }
    return unread.length > 0;
  }

  async function turn(signal?: AbortSignal): Promise<boolean> {
    let hasRead = false;
    for (const scope of await options.scopes()) {
      if (signal?.aborted === true) break;
      try {
        if (await readScope(scope, signal)) hasRead = true;
      } catch (error) {
        // A vault that cannot be reached stops the index of its organisation alone.
        logger.warn({ err: error, organisationId: scope.organisationId }, 'the index could not be continued');
      }
    }
    return hasRead;
  }

  return Object.freeze<Indexer>({
    turn,
    start: () =>
      repeat({ clock, everyMs: EVERY_MS, turn, onError: (error) => logger.warn({ err: error }, 'the index could not be continued') }),
  });
}
