import type { Scope } from '@holdfast/database';
import type { Catalog, DocumentWordsReader, ItemReader, ItemVersion } from '@holdfast/engine';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import type { VaultReader } from '@holdfast/vault';
import { isAway, type Vaults } from '../../storage/index.ts';
import type { IndexMaker } from './index-maker.ts';
import type { Slices } from './lexemes.ts';
import type { PagesProblem, ScanPages } from './scan-pages.ts';
import { withScans } from './scan-words.ts';
import type { ScanOutcome, RecognitionStore, TakenScans } from './recognition.store.ts';

export interface RecognitionOptions {
  readonly store: RecognitionStore;
  readonly pages: ScanPages;
  readonly vaults: Vaults;
  readonly items: ItemReader;
  readonly documents: DocumentWordsReader;
  readonly maker: Pick<IndexMaker, 'make'>;
  catalogOf(scope: Scope, locationId: string): Catalog;
  scopes(): Promise<readonly Scope[]>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Recognises the words of pictures and scanned documents in idle time, newest first. */
export interface Recognition {
  /** Reads one item of each organisation whose index is complete. Answers whether there was one. */
  turn(signal?: AbortSignal): Promise<boolean>;
  /** Looks every few seconds, until stopped. */
  start(): () => Promise<void>;
}

const EVERY_MS = 15_000;
/** More than two pages may take: a worker that says nothing for so long is gone. */
const TAKEN_MS = 5 * 60_000;
const AGAIN_MS = 10 * 60_000;
/** What a second attempt could change. */
const passing: ReadonlySet<PagesProblem> = new Set(['too-slow', 'too-much-memory', 'busy']);

const nobody = { from: [], to: [], cc: [], bcc: [], attachments: [] };

/** What one turn is about. */
interface Work {
  readonly scope: Scope;
  readonly taken: TakenScans;
  readonly signal: AbortSignal | undefined;
}

export function createRecognition(options: RecognitionOptions): Recognition {
  const { store, pages, vaults, items, documents, maker, clock, logger } = options;
  const after = (ms: number): Date => new Date(clock.nowMs() + ms);

  /** The rows of words that a document adds to its item: a file says them itself, everything else carries them. */
  async function addedBy(item: ItemVersion, text: string): Promise<Slices> {
    const isFile = item.kind === 'file';
    const attachmentTexts = isFile ? [] : [{ name: '', text }];
    const { slices } = await maker.make({ title: '', ...nobody, text: isFile ? text : '', attachmentTexts, at: null, state: 'indexed' });
    return slices;
  }

  async function recognise(work: Work, reader: VaultReader, item: ItemVersion): Promise<void> {
    const { scope, taken, signal } = work;
    const outcomes = new Map<string, ScanOutcome>();
    let isStopped = false;
    const isWanted = async (): Promise<boolean> => {
      await store.keep(scope, taken, after(TAKEN_MS));
      return signal?.aborted !== true;
    };
    const words = await items.words(
      reader,
      item,
      withScans(documents, async (hash, bytes) => {
        const before = outcomes.get(hash);
        if (before) return 'text' in before ? before.text : undefined;
        const said = (await store.texts(scope, [hash])).get(hash);
        // The item may have others: what they say counts, and what of them waits for another attempt is left alone.
        if (said === undefined && !taken.hashes.includes(hash)) return undefined;
        const found = said === undefined ? await pages.read(bytes, isWanted) : { text: said };
        if (found === 'stopped') isStopped = true;
        else if ('problem' in found) outcomes.set(hash, { hash, reason: found.problem, isFinal: !passing.has(found.problem) });
        else outcomes.set(hash, { hash, text: found.text, made: await addedBy(item, found.text) });
        return found !== 'stopped' && 'text' in found ? found.text : undefined;
      }),
    );
    if (isStopped) return store.giveBack(scope, taken);
    const { sensitive } = await maker.make(words);
    // Its bytes were kept when it was indexed: a document that is not among them now would wait for ever.
    const gone = taken.hashes.filter((hash) => !outcomes.has(hash)).map((hash) => ({ hash, reason: 'not-found', isFinal: false }));
    await store.settle(scope, taken.itemNo, { outcomes: [...outcomes.values(), ...gone], state: words.state, sensitive }, after(AGAIN_MS));
  }

  async function readTaken(work: Work): Promise<void> {
    const { scope, taken } = work;
    await vaults.use(scope, taken.locationId, async (vault) => {
      const found = options.catalogOf(scope, taken.locationId).items(taken.resourceId, taken.sequence, { keys: [taken.itemKey] });
      for await (const item of found) await recognise(work, vault.reader(), item);
    });
  }

  /** A store that is away says nothing of the document: the attempt does not count. */
  async function failed(scope: Scope, taken: TakenScans, error: unknown): Promise<void> {
    if (isAway(error)) await store.giveBack(scope, taken);
    throw error;
  }

  async function readScope(scope: Scope, signal?: AbortSignal): Promise<boolean> {
    if (!(await store.isIdle(scope))) return false;
    const taken = await store.take(scope, now(clock), after(TAKEN_MS));
    if (!taken) return false;
    await readTaken({ scope, taken, signal }).catch((error: unknown) => failed(scope, taken, error));
    return true;
  }

  async function turn(signal?: AbortSignal): Promise<boolean> {
    let hasRead = false;
    for (const scope of await options.scopes()) {
      if (signal?.aborted === true) break;
      try {
        if (await readScope(scope, signal)) hasRead = true;
      } catch (error) {
        // A vault that cannot be reached stops the organisation that it belongs to alone.
        logger.warn({ err: error, organisationId: scope.organisationId }, 'words of a picture could not be recognised');
      }
    }
    return hasRead;
  }

  return Object.freeze<Recognition>({
    turn,
    start: () => repeat({ clock, everyMs: EVERY_MS, turn, onError: (error) => logger.warn({ err: error }, 'pictures could not be read') }),
  });
}
