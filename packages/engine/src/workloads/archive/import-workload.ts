import { now } from '@holdfast/foundation/clock';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { AppError } from '@holdfast/foundation/errors';
import type { FoundFault, FoundMail, MailFileEntry, MailPlace } from '../../mail-files/mail-file.ts';
import { readMailFacts, type MailFacts } from '../../mime/mail-facts.ts';
import type { Draft, Step } from '../../pipeline/step.ts';
import type { EnumerateContext, Workload } from '../../pipeline/workload.ts';
import type { ItemVersion, Json, JsonObject } from '../../ports/item.ts';
import { placementsOf } from './archived-message.ts';

/** What an import came to: seen is the sum of the others. */
export interface ImportCounts {
  readonly seen: number;
  readonly added: number;
  /** The same bytes were in the same folder already. */
  readonly known: number;
  readonly failed: number;
  /** Was in the archive and was erased: it stays erased. */
  readonly erasedBefore: number;
}

/** What is imported into the archive of one mailbox. */
export interface ImportSource {
  /** Names the import in the cursor of the archive. */
  readonly id: string;
  /** What its files hold for this mailbox after a place, in order. */
  entries(after: MailPlace | undefined): AsyncIterable<MailFileEntry>;
  /** Keeps a piece that is no message. May be told the same piece again after an interruption. */
  onFault(fault: FoundFault): Promise<void>;
  /** What it came to, when everything has been read. */
  onCounts(counts: ImportCounts): void;
}

interface ImportCursor {
  readonly after: MailPlace;
  readonly counts: ImportCounts;
  readonly isDone?: true;
}

const PREFIX = 'import:';
const NOTHING: ImportCounts = { seen: 0, added: 0, known: 0, failed: 0, erasedBefore: 0 };
/** Messages that are looked up at once. */
const BATCH = 100;
const BATCH_BYTES = 4 * 1024 * 1024;
/** Bytes of messages that wait for the vault. */
const WAITING_BYTES = 32 * 1024 * 1024;

/** Lets so many bytes be under way at a time, and always one message. */
function createByteGate(limit: number, signal: AbortSignal) {
  let inUse = 0;
  let wake: (() => void) | undefined;
  signal.addEventListener('abort', () => wake?.(), { once: true });
  return {
    async enter(bytes: number): Promise<void> {
      while (inUse > 0 && inUse + bytes > limit) {
        await new Promise<void>((resolve) => (wake = resolve));
        signal.throwIfAborted();
      }
      inUse += bytes;
    },
    leave(bytes: number): void {
      inUse -= bytes;
      wake?.();
    },
  };
}
type ByteGate = ReturnType<typeof createByteGate>;

const isIn = (folder: string) => (place: Json) => (place as { readonly folder?: Json }).folder === folder;

/** Where a message was in its file; an item of Outlook says too whether it was read. */
function placementIn({ folder, fileName, reconstructed }: FoundMail, at: Date): JsonObject {
  const state = reconstructed ? { isRead: reconstructed.isRead, isDraft: reconstructed.isDraft } : {};
  return { folder, capturedAt: at.toISOString(), source: 'import', sourceName: fileName, ...state };
}

async function draftOf(mail: FoundMail, key: string, at: Date, previous: ItemVersion | undefined): Promise<Omit<Draft, 'read'>> {
  const placement = placementIn(mail, at);
  if (previous) {
    const { properties, ...known } = previous;
    return { ...known, properties: { ...properties, placements: [...placementsOf(previous), placement] } };
  }
  const { subject, sentAt, receivedAt, properties } = await factsOf(mail, at);
  return {
    key,
    kind: 'message',
    parentKey: null,
    name: subject,
    sizeBytes: mail.bytes.byteLength,
    ...(sentAt === undefined ? {} : { createdAt: sentAt }),
    modifiedAt: receivedAt,
    contentTag: key,
    properties: { ...properties, placements: [placement] },
  };
}

/** What a message says of itself; of an item of Outlook the provider's time of delivery, and that it never was a message. */
async function factsOf({ bytes, reconstructed }: FoundMail, at: Date): Promise<MailFacts> {
  const facts = await readMailFacts(bytes, at.getTime());
  if (!reconstructed) return facts;
  const { receivedAt = facts.receivedAt } = reconstructed;
  const received = reconstructed.receivedAt === undefined ? {} : { receivedDateTime: receivedAt, receivedBy: 'provider' };
  return { ...facts, receivedAt, properties: { ...facts.properties, ...received, reconstructed: true } };
}

type Outcome = Exclude<keyof ImportCounts, 'seen'>;

const plus = (counts: ImportCounts, name: Outcome): ImportCounts => ({
  ...counts,
  seen: counts.seen + 1,
  [name]: counts[name] + 1,
});

/** What a part of the files came to, counted up as its steps are given out. */
class Tally {
  counts: ImportCounts;
  after: MailPlace | undefined;

  constructor(begun: ImportCursor | undefined) {
    // An import that began before anything could be erased has no count of it.
    this.counts = { ...NOTHING, ...begun?.counts };
    this.after = begun?.after;
  }

  add({ place }: MailFileEntry, name: Outcome): void {
    this.after = place;
    this.counts = plus(this.counts, name);
  }

  cursor(isDone?: true): string {
    const { counts, after = [] } = this;
    return JSON.stringify({ after, counts, ...(isDone ? { isDone } : {}) } satisfies ImportCursor);
  }
}

interface Taking {
  readonly context: EnumerateContext;
  readonly source: ImportSource;
  readonly gate: ByteGate;
  readonly tally: Tally;
}

/** The name of a message, and what the archive has under it. */
interface Looked {
  readonly key: string;
  readonly previous: ItemVersion | undefined;
}

/** The step that takes a message in; undefined where it is known in this folder. */
async function stepOf({ context, gate }: Taking, mail: FoundMail, { key, previous }: Looked): Promise<Step | undefined> {
  if (previous && placementsOf(previous).some(isIn(mail.folder))) return undefined;
  const draft = await draftOf(mail, key, now(context.clock), previous);
  const { bytes } = mail;
  const size = bytes.byteLength + (mail.reconstructed?.properties.byteLength ?? 0);
  if (previous) {
    // The bytes are there or on their way. They are asked for only where that way ended, which ends this one too.
    return { step: 'put', previous, draft: { ...draft, read: () => Promise.reject(new AppError('vault.damaged')) } };
  }
  await gate.enter(size);
  const read: NonNullable<Draft['read']> = async (sink) => {
    try {
      const mime = await sink.store('mime', bytes, { kind: 'message', mediaType: 'message/rfc822' });
      const item = mail.reconstructed?.properties;
      if (!item) return { contents: [mime] };
      return { contents: [mime, await sink.store('part', item, { kind: 'json', label: 'properties' })] };
    } finally {
      gate.leave(size);
    }
  };
  return { step: 'put', previous, draft: { ...draft, read } };
}

async function* inBatches(entries: AsyncIterable<MailFileEntry>): AsyncGenerator<readonly MailFileEntry[], void, undefined> {
  let batch: MailFileEntry[] = [];
  let bytes = 0;
  for await (const entry of entries) {
    batch.push(entry);
    bytes += entry.bytes.byteLength;
    if (batch.length < BATCH && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  yield batch;
}

/** Imports that have ended leave their cursor for one that is interrupted after its last commit; the next import drops it. */
function* withoutEnded(context: EnumerateContext, own: string): Generator<Step, void, undefined> {
  for (const scope of context.scopes(PREFIX)) {
    const kept = context.cursor(scope);
    if (scope !== own && kept !== undefined && (JSON.parse(kept) as ImportCursor).isDone) yield { step: 'cursor', scope, value: null };
  }
}

async function* takeBatch(taking: Taking, batch: readonly MailFileEntry[]): AsyncGenerator<Step, void, undefined> {
  const { context, source, tally } = taking;
  const keys = new Map(batch.map((entry) => [entry, sha256Hex(entry.bytes)]));
  const loaded = await context.known.load([...new Set(keys.values())]);
  const erased = await context.known.erased([...new Set(keys.values())]);
  // After a put of this batch, what is known of a message is in `known` alone.
  const put = new Set<string>();
  for (const entry of batch) {
    if (entry.kind === 'fault') {
      await source.onFault(entry);
      tally.add(entry, 'failed');
      continue;
    }
    const key = keys.get(entry) ?? '';
    if (erased.has(key)) {
      tally.add(entry, 'erasedBefore');
      yield { step: 'erasedBefore', key };
      continue;
    }
    const previous = (put.has(key) ? await context.known.load([key]) : loaded).get(key);
    const step = await stepOf(taking, entry, { key, previous });
    tally.add(entry, step ? 'added' : 'known');
    if (!step) continue;
    put.add(key);
    yield step;
  }
}

/**
 * Takes messages of files into the archive of a mailbox. A message is its exact bytes; what is in the archive already gets
 * one more place. The counts are kept with the place up to which files were read, so that they are right after any interruption.
 */
export function importWorkload(source: ImportSource): Workload {
  const scope = `${PREFIX}${source.id}`;
  return {
    roles: [],
    async *enumerate(context) {
      const kept = context.cursor(scope);
      const begun = kept === undefined ? undefined : (JSON.parse(kept) as ImportCursor);
      const tally = new Tally(begun);
      yield* withoutEnded(context, scope);
      const gate = createByteGate(WAITING_BYTES, context.signal);
      for await (const batch of begun?.isDone ? [] : inBatches(source.entries(tally.after))) {
        context.signal.throwIfAborted();
        yield* takeBatch({ context, source, gate, tally }, batch);
        if (tally.after) yield { step: 'cursor', scope, value: tally.cursor() };
      }
      yield { step: 'cursor', scope, value: tally.cursor(true) };
      source.onCounts(tally.counts);
    },
  };
}
