import type { Scope } from '@holdfast/database';
import { factsOf, type Catalog, type DocumentWordsReader, type ItemReader, type ItemVersion } from '@holdfast/engine';
import { now, type Clock } from '@holdfast/foundation/clock';
import { mapConcurrent } from '@holdfast/foundation/concurrency';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import type { VaultReader } from '@holdfast/vault';
import { isAway, type Vaults } from '../../storage/index.ts';
import type { IndexMaker } from './index-maker.ts';
import type { Read, SearchIndexStore, Unread } from './search-index.store.ts';

export interface IndexerOptions {
  readonly store: SearchIndexStore;
  readonly vaults: Vaults;
  readonly items: ItemReader;
  readonly documents: DocumentWordsReader;
  readonly maker: Pick<IndexMaker, 'make'>;
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

/** How many of the newest are read before the index looks again; among them the order is that of storage. */
const AT_MOST = 5_000;
/** What is written at once. */
const BATCH = 100;
/** While one item is fetched, others are taken apart and turned into rows, each in a thread of its own. */
const AT_ONCE = 6;
const EVERY_MS = 1_000;

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

/** In the order of storage: items of one point share frames of the vault, so that each frame is opened once and not once for each item. */
function asStored(unread: readonly Unread[]): readonly Unread[] {
  return [...Map.groupBy(unread, ({ sourceId }) => sourceId).values()].flatMap((ofSource) =>
    ofSource.toSorted((one, other) => other.fromPoint - one.fromPoint),
  );
}

function* untilStopped<Item>(items: readonly Item[], signal?: AbortSignal): Generator<Item> {
  for (const item of items) {
    if (signal?.aborted === true) return;
    yield item;
  }
}

export function createIndexer(options: IndexerOptions): Indexer {
  const { store, vaults, items, clock, logger } = options;

  async function readOne(reader: VaultReader, of: Unread, item: ItemVersion): Promise<Read> {
    const words = await items.words(reader, item, options.documents).catch((error: unknown) => {
      // A store that is away says nothing of the item: it stays unread until the store is back.
      if (isAway(error)) throw error;
      logger.warn({ err: error, resourceId: of.resourceId, kind: item.kind }, 'the words of an item could not be read');
      return unreadable(item);
    });
    const made = await options.maker.make(words);
    const { kind, name, sizeBytes } = item;
    return { of, kind, name, contentHash: hashOf(item), sizeBytes, words, ...made, changedAt: now(clock).toISOString() };
  }

  /** The items of one location as the restore points show them. */
  async function itemsOf(
    scope: Scope,
    locationId: string,
    unread: readonly Unread[],
  ): Promise<readonly (readonly [Unread, ItemVersion])[]> {
    const found: [Unread, ItemVersion][] = [];
    const catalog = options.catalogOf(scope, locationId);
    for (const ofPoint of Map.groupBy(unread, (one) => `${one.resourceId} ${one.sequence}`).values()) {
      const [first] = ofPoint as [Unread, ...Unread[]];
      const byKey = new Map(ofPoint.map((one) => [one.itemKey, one]));
      for await (const item of catalog.items(first.resourceId, first.sequence, { keys: [...byKey.keys()] })) {
        const of = byKey.get(item.key);
        if (of) found.push([of, item]);
      }
    }
    return found;
  }

  /** Adds what was read to `read`: what was read before a store went away is not read again. */
  async function readBatch(scope: Scope, batch: readonly Unread[], read: Read[], signal?: AbortSignal): Promise<void> {
    for (const [locationId, ofLocation] of Map.groupBy(batch, (one) => one.locationId)) {
      const found = await itemsOf(scope, locationId, ofLocation);
      await vaults.use(scope, locationId, async (vault) => {
        const reader = vault.reader(found.flatMap(([, { contents }]) => contents.map(({ ref }) => ref)));
        // The first one alone: of a store that is away one item is asked for, not several.
        for (const [some, atOnce] of [[found.slice(0, 1), 1] as const, [found.slice(1), AT_ONCE] as const]) {
          const readSome = mapConcurrent(untilStopped(some, signal), atOnce, ([of, item]) => readOne(reader, of, item));
          for await (const one of readSome) read.push(one);
        }
      });
    }
  }

  /** While one batch is written the next is read; no third one waits, and none is left behind. */
  async function readScope(scope: Scope, signal?: AbortSignal): Promise<boolean> {
    const unread = asStored(await store.unread(scope, AT_MOST));
    let writing: Promise<void> = Promise.resolve();
    try {
      for (let from = 0; from < unread.length && signal?.aborted !== true; from += BATCH) {
        const read: Read[] = [];
        try {
          await readBatch(scope, unread.slice(from, from + BATCH), read, signal);
        } finally {
          await writing;
          writing = store.write(scope, read);
          // Said where it is waited for.
          writing.catch(() => undefined);
        }
      }
    } finally {
      await writing;
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
