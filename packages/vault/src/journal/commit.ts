import { randomBytes } from 'node:crypto';
import type { Clock } from '@holdfast/foundation/clock';
import { crashPoint } from '@holdfast/foundation/crash-point';
import { isAppError } from '@holdfast/foundation/errors';
import type { BlobStore, ObjectLock } from '../blob/blob-store.ts';
import type { ContentRef } from '../chunk/content-ref.ts';
import type { VaultKeys } from '../crypto/vault-keys.ts';
import { vaultError } from '../errors.ts';
import type { VaultReader, VaultWriter } from '../vault.ts';
import { checkChange, toLine } from './change-lines.ts';
import { sealMarker, type Chain } from './chain.ts';
import type { CommitOptions, ItemChange, ResourceHead } from './journal.ts';
import { markerName, segmentName } from './segment-names.ts';
import { decodeSegment, encodeSegment, headOf, type OpenedSegment, type SegmentBody } from './segment.ts';
import { checkpointLines, type StateSource } from './state.ts';

/** Changes up to this much JSON lie in the segment itself. */
const INLINE_BYTES = 256 * 1024;
/** A commit may say it happened this much before the one before it; beyond, the clock is wrong. */
const CLOCK_TOLERANCE_MS = 15 * 60 * 1000;
const CHECK_BLOBS_AT_ONCE = 1000;
const MOST = 9_999_999_999;

/** When a segment also holds the whole state. */
export interface CheckpointPolicy {
  readonly segments: number;
  readonly changes: number;
}

export const DEFAULT_CHECKPOINTS: CheckpointPolicy = { segments: 64, changes: 20_000 };

export interface JournalContext {
  readonly store: BlobStore;
  readonly keys: VaultKeys;
  readonly clock: Clock;
  readonly reader: VaultReader;
  readonly checkpoints: CheckpointPolicy;
  openWriter(resourceId: string): Promise<VaultWriter>;
  /** Refuses with `vault.blob-missing` or `vault.prune-conflict` what could not be relied on. */
  checkBlobs(blobIds: readonly string[]): Promise<void>;
  lockForNow(): ObjectLock | undefined;
}

function checkOptions(options: CommitOptions): void {
  const refuse = (field: string, problem: string): never => {
    throw vaultError('vault.bad-input', `A commit's ${field} ${problem}.`, { field });
  };
  if (!Number.isSafeInteger(options.fence) || options.fence < 0 || options.fence > MOST) refuse('fence', 'is a whole number from 0');
  if (options.runId.length === 0) refuse('runId', 'is not empty');
  if (Number.isNaN(Date.parse(options.at))) refuse('at', 'is a time in ISO 8601');
}

/** The time a segment gets: never before its predecessor's. */
function timeOf(options: CommitOptions, previous: ResourceHead | null): string {
  const at = Date.parse(options.at);
  if (!previous || at >= Date.parse(previous.at)) return new Date(at).toISOString();
  if (Date.parse(previous.at) - at <= CLOCK_TOLERANCE_MS) return previous.at;
  throw vaultError('vault.clock-behind', `The clock is behind: the last commit was at ${previous.at}, this one says ${options.at}.`, {
    field: 'at',
    previousAt: previous.at,
  });
}

/** The changes as lines: checked one by one, and every blob they name looked up. */
async function* checkedLines(
  context: JournalContext,
  options: CommitOptions,
): AsyncGenerator<{ change: ItemChange; line: Buffer }, void, undefined> {
  let blobIds: string[] = [];
  for await (const change of options.changes) {
    options.signal?.throwIfAborted();
    checkChange(change);
    if (change.op === 'put') for (const content of Object.values(change.content)) blobIds.push(...content.pieces.map((piece) => piece[0]));
    if (blobIds.length >= CHECK_BLOBS_AT_ONCE) {
      await context.checkBlobs(blobIds);
      blobIds = [];
    }
    yield { change, line: toLine(change) };
  }
  await context.checkBlobs(blobIds);
}

type StoredChanges = Pick<SegmentBody, 'changes' | 'changeCount'>;

async function storeChanges(context: JournalContext, writer: () => Promise<VaultWriter>, options: CommitOptions): Promise<StoredChanges> {
  const lines = checkedLines(context, options);
  const inline: ItemChange[] = [];
  const head: Buffer[] = [];
  let bytes = 0;
  let next = await lines.next();
  for (; !next.done && bytes < INLINE_BYTES; next = await lines.next()) {
    inline.push(next.value.change);
    head.push(next.value.line);
    bytes += next.value.line.byteLength;
  }
  if (next.done) return { changes: inline, changeCount: inline.length };
  let changeCount = inline.length;
  const first = next.value;
  async function* all(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.concat(head);
    changeCount += 1;
    yield first.line;
    for await (const { line } of lines) {
      changeCount += 1;
      yield line;
    }
  }
  const changes = await (await writer()).put(all(), { kind: 'json' });
  return { changes, changeCount };
}

function isCheckpointDue(policy: CheckpointPolicy, since: SegmentBody['since']): boolean {
  if (since.changes === 0) return false;
  return since.segments >= policy.segments || since.changes >= Math.max(policy.changes, since.itemCount / 2);
}

async function writeCheckpoint(
  context: JournalContext,
  writer: VaultWriter,
  source: StateSource,
  latest: { readonly changes: readonly ItemChange[] | ContentRef; readonly sequence: number; readonly changeCount: number },
): Promise<SegmentBody['checkpoint']> {
  let itemCount = 0;
  const after = [...source.after.map((segment) => segment.body), latest];
  const changeCount = after.reduce((sum, one) => sum + one.changeCount, 0);
  async function* lines(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const { line } of checkpointLines(context.reader, source.base, after, changeCount)) {
      itemCount += 1;
      yield line;
    }
  }
  const content = await writer.put(lines(), { kind: 'json' });
  return { content, itemCount };
}

/** Makes the segment of the head count for good, where the store can decide: nobody builds on what may still lose. */
async function settleHead(
  context: JournalContext,
  folder: string,
  last: { segment: OpenedSegment; entry: { marker?: string } },
): Promise<void> {
  if (!context.store.abilities.conditionalPut || last.entry.marker !== undefined) return;
  await putMarker(context, folder, last.segment);
}

async function putMarker(context: JournalContext, folder: string, segment: Pick<OpenedSegment, 'name' | 'hash' | 'body'>): Promise<void> {
  const name = markerName(folder, segment.body.sequence);
  const lock = context.lockForNow();
  await crashPoint('vault.marker.before-put');
  await context.store.put(name, [sealMarker(context.keys, name, { segment: segment.name, hash: segment.hash })], {
    ifAbsent: true,
    ...(lock ? { lock } : {}),
  });
  await crashPoint('vault.marker.after-put');
}

function conflict(resourceId: string, sequence: number): Error {
  return vaultError('vault.commit-conflict', `Another commit of ${resourceId} came first.`, { resourceId, sequence });
}

/** Decides that `segment` is the one of its sequence, or that it is not. */
async function win(context: JournalContext, chain: Chain, folder: string, segment: OpenedSegment): Promise<boolean> {
  if (context.store.abilities.conditionalPut) {
    try {
      await putMarker(context, folder, segment);
      return true;
    } catch (error) {
      if (!isAppError(error, 'vault.object-exists')) throw error;
    }
  }
  const entries = await chain.entries(Math.max(1, segment.body.sequence - 1));
  const at = entries.findIndex((entry) => entry.sequence === segment.body.sequence);
  return (await chain.winner(entries, at))?.name === segment.name;
}

/** Where a commit goes. */
export interface CommitPlace {
  readonly resourceId: string;
  readonly folder: string;
  readonly chain: Chain;
  sourceOf(last: OpenedSegment | undefined): Promise<StateSource>;
}

type LastSegment = Awaited<ReturnType<Chain['last']>>;

/** Refuses a commit that was built on another head, or under an older lease. */
function checkHead(resourceId: string, options: CommitOptions, previous: ResourceHead | null): void {
  if (previous?.hash !== options.expectedHead?.hash) throw conflict(resourceId, (previous?.sequence ?? 0) + 1);
  if (previous && options.fence < previous.fence) {
    throw vaultError('vault.fenced', `Lease ${options.fence} is older than ${previous.fence}, which committed last.`, {
      resourceId,
      fence: options.fence,
    });
  }
}

function follow(last: LastSegment): { sequence: number; previousHash: string | null; before: SegmentBody['since'] } {
  if (!last) return { sequence: 1, previousHash: null, before: { segments: 0, changes: 0, itemCount: 0 } };
  const { body, hash } = last.segment;
  return { sequence: body.sequence + 1, previousHash: hash, before: body.since };
}

/** A writer whose contents can be read: a checkpoint is made of changes that this commit may just have stored. */
async function flushed(open: () => Promise<VaultWriter>): Promise<VaultWriter> {
  const writer = await open();
  await writer.flush();
  return writer;
}

/** Makes everything durable that the segment will name, and gives its body. */
async function makeBody(
  context: JournalContext,
  place: CommitPlace,
  options: CommitOptions,
  from: { readonly last: LastSegment; readonly at: string; readonly writer: () => Promise<VaultWriter> },
): Promise<SegmentBody> {
  const { last, at, writer } = from;
  const { sequence, previousHash, before } = follow(last);
  const stored = await storeChanges(context, writer, options);
  const since = { segments: before.segments + 1, changes: before.changes + stored.changeCount, itemCount: before.itemCount };
  const checkpoint = isCheckpointDue(context.checkpoints, since)
    ? await writeCheckpoint(context, await flushed(writer), await place.sourceOf(last?.segment), { ...stored, sequence })
    : undefined;
  const { runId, cursor, fence, restorePoint = true, summary = null } = options;
  return {
    resourceId: place.resourceId,
    sequence,
    previousHash,
    runId,
    at,
    cursor,
    restorePoint,
    fence,
    summary,
    ...stored,
    ...(checkpoint ? { checkpoint } : {}),
    since: checkpoint ? { segments: 0, changes: 0, itemCount: checkpoint.itemCount } : since,
  };
}

/** Appends a segment to the chain of one resource: packs first, then the segment, then what makes it count. */
export async function commitSegment(context: JournalContext, place: CommitPlace, options: CommitOptions): Promise<ResourceHead> {
  checkOptions(options);
  const { resourceId, folder, chain } = place;
  const last = await chain.last();
  const previous = last ? headOf(last.segment) : null;
  checkHead(resourceId, options, previous);
  const at = timeOf(options, previous);
  if (last)
    await settleHead(context, folder, last).catch((error: unknown) => rethrow(error, conflict(resourceId, last.segment.body.sequence)));

  let opened: VaultWriter | undefined;
  const writer = async (): Promise<VaultWriter> => (opened ??= await context.openWriter(resourceId));
  try {
    const body = await makeBody(context, place, options, { last, at, writer });
    await opened?.close();
    return await publish(context, { folder, chain }, body, options);
  } catch (error) {
    await opened?.abort();
    throw error;
  }
}

function rethrow(error: unknown, instead: Error): never {
  throw isAppError(error, 'vault.object-exists') ? instead : (error as Error);
}

async function publish(
  context: JournalContext,
  place: { folder: string; chain: Chain },
  body: SegmentBody,
  options: CommitOptions,
): Promise<ResourceHead> {
  const { folder, chain } = place;
  options.signal?.throwIfAborted();
  const name = segmentName(folder, body.sequence, body.fence, randomBytes(8).toString('hex'));
  const data = encodeSegment(context.keys, name, body);
  const segment = decodeSegment(context.keys, name, data);
  const lock = context.lockForNow();
  await crashPoint('vault.segment.before-put');
  await context.store.put(name, [data], lock ? { lock } : {});
  await crashPoint('vault.segment.after-put');
  if (options.isLeaseHeld && !(await options.isLeaseHeld())) {
    await withdraw(context.store, name);
    throw vaultError('vault.fenced', `The lease of ${body.resourceId} was lost before its commit counted.`, {
      resourceId: body.resourceId,
      fence: body.fence,
    });
  }
  if (!(await win(context, chain, folder, segment))) {
    await withdraw(context.store, name);
    throw conflict(body.resourceId, body.sequence);
  }
  return headOf(segment);
}

/** Takes back a segment that lost. Readers ignore it anyway; a lock may keep it. */
async function withdraw(store: BlobStore, name: string): Promise<void> {
  await crashPoint('vault.segment.before-withdraw');
  await store.delete(name).catch(() => undefined);
}
