import { isAppError } from '@holdfast/foundation/errors';
import { openObject } from '../crypto/small-object.ts';
import { vaultError } from '../shared/errors.ts';
import type { VaultWriter } from '../content/content.ts';
import { checkChange, toLine } from './change-lines.ts';
import { unlessLost, type Chain, type ChainEnd, type Marker } from './chain.ts';
import type { CheckpointPolicy, JournalContext } from './context.ts';
import { COPIED_LINES_BYTES, isLoss } from './copies.ts';
import type { CommitOptions, ItemChange, ResourceHead, Restatement } from './journal.ts';
import { conflict, noteRestated, publish, settleHead, type Prepared } from './publish.ts';
import { markerName } from './segment-names.ts';
import { FORMAT_MINOR, headOf, type SegmentBody } from './segment.ts';
import { checkpointLines, type OnLost, type SegmentChanges, type StateSource } from './state.ts';

/** Changes up to this much JSON are in the segment itself. */
const INLINE_BYTES = 256 * 1024;
const CHECK_BLOBS_AT_ONCE = 1000;
const MOST = 9_999_999_999;

function checkOptions(options: CommitOptions): void {
  const refuse = (field: string, problem: string): never => {
    throw vaultError('vault.bad-input', `A commit's ${field} ${problem}.`, { field });
  };
  if (!Number.isSafeInteger(options.fence) || options.fence < 0 || options.fence > MOST) refuse('fence', 'is a whole number from 0');
  if (options.runId.length === 0) refuse('runId', 'is not empty');
  if (Number.isNaN(Date.parse(options.at))) refuse('at', 'is a time in ISO 8601');
}

/**
 * The time a segment gets: never before its predecessor's. A clock that was ahead for a moment would otherwise end all
 * backups until the time it showed has come.
 */
function timeOf(options: CommitOptions, previous: ResourceHead | null): string {
  const at = Date.parse(options.at);
  return previous && at < Date.parse(previous.at) ? previous.at : new Date(at).toISOString();
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

/** The changes as the segment names them, and their lines for its copy where they are stored outside it. */
interface StoredChanges {
  readonly named: Pick<SegmentBody, 'changes' | 'changeCount'>;
  readonly lines?: Buffer;
}

async function storeChanges(context: JournalContext, writer: () => Promise<VaultWriter>, options: CommitOptions): Promise<StoredChanges> {
  const lines = checkedLines(context, options);
  const inline: ItemChange[] = [];
  const held: Buffer[] = [];
  let bytes = 0;
  const hold = (line: Buffer): void => {
    bytes += line.byteLength;
    if (bytes <= COPIED_LINES_BYTES) held.push(line);
    else held.length = 0;
  };
  let next = await lines.next();
  for (; !next.done && bytes < INLINE_BYTES; next = await lines.next()) {
    inline.push(next.value.change);
    hold(next.value.line);
  }
  if (next.done) return { named: { changes: inline, changeCount: inline.length } };
  let changeCount = inline.length;
  const first = next.value;
  async function* all(): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.concat(held);
    changeCount += 1;
    hold(first.line);
    yield first.line;
    for await (const { line } of lines) {
      changeCount += 1;
      hold(line);
      yield line;
    }
  }
  const changes = await (await writer()).put(all(), { kind: 'json' });
  return { named: { changes, changeCount }, ...(bytes <= COPIED_LINES_BYTES ? { lines: Buffer.concat(held) } : {}) };
}

function isCheckpointDue(policy: CheckpointPolicy, since: SegmentBody['since']): boolean {
  if (since.changes === 0) return false;
  return since.segments >= policy.segments || since.changes >= Math.max(policy.changes, since.itemCount / 2);
}

async function writeCheckpoint(
  context: JournalContext,
  writer: VaultWriter,
  source: StateSource,
  latest: SegmentChanges & { readonly body: { readonly changeCount: number } },
): Promise<SegmentBody['checkpoint']> {
  for (let from = source; ; from = await from.older()) {
    let itemCount = 0;
    const after = [...from.after, latest];
    const changeCount = [...from.after, latest].reduce((sum, { body }) => sum + body.changeCount, 0);
    async function* lines(): AsyncGenerator<Uint8Array, void, undefined> {
      for await (const { line } of checkpointLines(context, from.base, after, changeCount)) {
        itemCount += 1;
        yield line;
      }
    }
    try {
      const content = await writer.put(lines(), { kind: 'json' });
      return { content, itemCount };
    } catch (error) {
      // A checkpoint that can't be read is made up for by an older one; where nothing does, there is none.
      if (!isLoss(error)) throw error;
      if (!from.base) return undefined;
    }
  }
}

/** Where a commit goes. */
export interface CommitPlace {
  readonly resourceId: string;
  readonly folder: string;
  readonly chain: Chain;
  /** How the state after a segment is made; with `onLost`, past what is lost. */
  sourceOf(sequence: number, onLost: OnLost): Promise<StateSource>;
}

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

/** Where a commit takes its place in the chain. */
interface Follow {
  readonly sequence: number;
  readonly previousHash: string | null;
  readonly before: SegmentBody['since'];
}

/** Refuses a commit over lost segments, which would leave out what they changed, unless it makes up for them. */
function checkLost(resourceId: string, options: CommitOptions, { lost }: ChainEnd): void {
  const [first] = lost.filter((sequence) => !options.restates?.lost.includes(sequence));
  if (first === undefined) return;
  throw vaultError('vault.damaged', `Segment ${first} of ${resourceId} is lost, and the commit does not restate it.`, {
    resourceId,
    sequence: first,
  });
}

/** The hash of a lost segment, as its marker says: once it is found again, the chain is whole. */
async function hashOfLost(context: JournalContext, folder: string, sequence: number): Promise<string | undefined> {
  const name = markerName(folder, sequence);
  const opened = await unlessLost(async () => openObject<Marker>(context.keys, name, await context.store.get(name)));
  return 'value' in opened ? opened.value.hash : undefined;
}

async function follow(context: JournalContext, folder: string, { last, lost }: ChainEnd): Promise<Follow> {
  const before = last?.segment.body.since ?? { segments: 0, changes: 0, itemCount: 0 };
  const newest = lost.at(-1) ?? last?.segment.body.sequence ?? 0;
  const ofLost = lost.length > 0 ? await hashOfLost(context, folder, newest) : undefined;
  return { sequence: newest + 1, previousHash: ofLost ?? last?.segment.hash ?? null, before };
}

/** A writer whose contents can be read: a checkpoint is made of changes that this commit may just have stored. */
async function flushed(open: () => Promise<VaultWriter>): Promise<VaultWriter> {
  const writer = await open();
  await writer.flush();
  return writer;
}

/** A source without the segments that are made up for: their changes can't be read. */
function without(source: StateSource, restates: Restatement | undefined): StateSource {
  if (!restates) return source;
  const after = source.after.filter(({ body }) => !restates.lost.includes(body.sequence));
  return { ...source, after, older: async () => without(await source.older(), restates) };
}

/** Makes everything durable that the segment will name, and gives its body. */
async function prepare(
  context: JournalContext,
  place: CommitPlace,
  options: CommitOptions,
  from: { readonly end: ChainEnd; readonly at: string; readonly writer: () => Promise<VaultWriter> },
): Promise<Prepared> {
  const { end, at, writer } = from;
  const { sequence, previousHash, before } = await follow(context, place.folder, end);
  const { named, lines } = await storeChanges(context, writer, options);
  const since = { segments: before.segments + 1, changes: before.changes + named.changeCount, itemCount: before.itemCount };
  const isRestated = options.restates?.isComplete === true;
  const state = (): Promise<StateSource> => place.sourceOf(sequence - 1, isRestated ? () => undefined : undefined);
  const isDue = isRestated || isCheckpointDue(context.checkpoints, since);
  const source = isDue ? await unlessLost(state) : undefined;
  const checkpoint =
    source && 'value' in source
      ? await writeCheckpoint(context, await flushed(writer), without(source.value, options.restates), { body: { ...named, sequence } })
      : undefined;
  const { runId, cursor, fence, restorePoint = true, summary = null } = options;
  const body = {
    resourceId: place.resourceId,
    sequence,
    previousHash,
    runId,
    at,
    cursor,
    restorePoint,
    fence,
    summary,
    ...named,
    ...(checkpoint ? { checkpoint } : {}),
    since: checkpoint ? { segments: 0, changes: 0, itemCount: checkpoint.itemCount } : since,
    minor: FORMAT_MINOR,
    ...(context.store.abilities.conditionalPut ? { isMarked: true as const } : {}),
  };
  return { body, ...(lines ? { lines } : {}) };
}

/** Appends a segment to the chain of one resource: packs first, then the segment and its copy, then what makes it count. */
export async function commitSegment(context: JournalContext, place: CommitPlace, options: CommitOptions): Promise<ResourceHead> {
  checkOptions(options);
  const { resourceId, folder, chain } = place;
  const end = await chain.end();
  const { last } = end;
  const previous = last ? headOf(last.segment) : null;
  checkHead(resourceId, options, previous);
  checkLost(resourceId, options, end);
  const at = timeOf(options, previous);
  if (last)
    await settleHead(context, folder, last).catch((error: unknown) => rethrow(error, conflict(resourceId, last.segment.body.sequence)));

  let opened: VaultWriter | undefined;
  const writer = async (): Promise<VaultWriter> => (opened ??= await context.openWriter(resourceId));
  try {
    const prepared = await prepare(context, place, options, { end, at, writer });
    await opened?.close();
    const head = await publish(context, { folder, chain }, prepared, options);
    if (options.restates?.isComplete) await noteRestated(context, folder, options.restates.lost, head.sequence);
    return head;
  } catch (error) {
    await opened?.abort();
    throw error;
  }
}

function rethrow(error: unknown, instead: Error): never {
  throw isAppError(error, 'vault.object-exists') ? instead : (error as Error);
}
