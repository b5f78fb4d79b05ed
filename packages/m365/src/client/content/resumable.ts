import { createHash, type Hash } from 'node:crypto';
import type { Clock } from '@holdfast/foundation/clock';
import type { Random } from '@holdfast/foundation/random';
import { backoffMs } from '@holdfast/foundation/retry';
import type { Bytes } from '@holdfast/foundation/streams';
import { graphError, isGraphError, type GraphError } from '../../errors/errors.ts';

/** An opened body. It begins at `startsAt`, which is 0 when the source can't continue. */
export interface OpenedBody {
  readonly startsAt: number;
  /** Size of the whole content, when it is known. */
  readonly totalBytes?: number;
  readonly contentType?: string;
  readonly body: Bytes;
  /** Ends the request, read to its end or not. */
  close(): void;
}

export interface BodySource {
  /** Opens the content, at `offsetBytes` if the source can. Throws for good; transient failures were already repeated. */
  open(offsetBytes: number): Promise<OpenedBody>;
}

export interface ResumeOptions {
  readonly source: BodySource;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal?: AbortSignal;
  onOpen?(opened: OpenedBody): void;
}

const FAILURES_WITHOUT_PROGRESS = 5;
/** Less than this between two failures is no progress: a body of single bytes must end some day. */
const PROGRESS_BYTES = 64 * 1024;
/** A connection must bring this much in each span, or it is given up and continued by another. */
const STALL_MS = 60_000;
const STALL_BYTES = 1024;

/** Watches that a body moves. A half-open connection would otherwise hold its place for ever. */
async function* watched(opened: OpenedBody, clock: Clock): AsyncGenerator<Uint8Array, void, undefined> {
  let sinceCheck = 0;
  let isStalled = false;
  const stop = clock.every(STALL_MS, () => {
    if (sinceCheck >= STALL_BYTES) sinceCheck = 0;
    else {
      isStalled = true;
      opened.close();
    }
  });
  try {
    for await (const piece of opened.body) {
      if (isStalled) break;
      sinceCheck += piece.byteLength;
      yield piece;
    }
  } finally {
    stop();
  }
  if (isStalled) throw graphError('graph.network', { system: 'stalled' });
}

interface Delivery {
  offset: number;
  digest: Hash;
  failures: number;
  failedAt: number;
}

/** Leaves out what was delivered before, after making sure that it is the same. */
async function* skipDelivered(pieces: Bytes, delivery: Delivery): AsyncGenerator<Uint8Array, void, undefined> {
  const target = delivery.offset;
  const known = delivery.digest.copy().digest();
  const again = createHash('sha256');
  let position = 0;
  for await (const piece of pieces) {
    const repeated = Math.min(piece.byteLength, target - position);
    if (repeated > 0) {
      again.update(piece.subarray(0, repeated));
      position += repeated;
      if (position === target && !again.digest().equals(known)) throw graphError('graph.changed-while-reading', {});
    }
    if (repeated < piece.byteLength) yield piece.subarray(Math.max(0, repeated));
  }
  if (position < target) throw graphError('graph.truncated', { reason: 'shorter than before' });
}

function noteFailure(delivery: Delivery, error: GraphError): void {
  if (delivery.offset - delivery.failedAt >= PROGRESS_BYTES) delivery.failures = 0;
  delivery.failures += 1;
  delivery.failedAt = delivery.offset;
  if (delivery.failures >= FAILURES_WITHOUT_PROGRESS) throw error;
}

/**
 * One content from however many connections it takes. Every byte is delivered once and in order; the stream ends only
 * when all of it was delivered. Throws `graph.changed-while-reading` when a later connection brings something else.
 */
export async function* readResumable(options: ResumeOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const { source, clock, random, signal } = options;
  const delivery: Delivery = { offset: 0, digest: createHash('sha256'), failures: 0, failedAt: 0 };
  for (;;) {
    const opened = await source.open(delivery.offset);
    options.onOpen?.(opened);
    try {
      const moving = watched(opened, clock);
      const isContinued = opened.startsAt === delivery.offset;
      for await (const piece of isContinued ? moving : skipDelivered(moving, delivery)) {
        delivery.digest.update(piece);
        delivery.offset += piece.byteLength;
        yield piece;
      }
      if (opened.totalBytes !== undefined && delivery.offset < opened.totalBytes) {
        throw graphError('graph.truncated', { received: delivery.offset, expected: opened.totalBytes });
      }
      return;
    } catch (error) {
      if (signal?.aborted || !isGraphError(error, 'graph.network', 'graph.truncated')) throw error;
      opened.close();
      noteFailure(delivery, error);
      await clock.sleep(backoffMs(delivery.failures, { firstDelayMs: 1_000, maxDelayMs: 60_000, random }), signal);
    } finally {
      opened.close();
    }
  }
}
