import type { KeyObject } from 'node:crypto';
import type { Piece } from '../chunk/content-ref.ts';
import { release } from '../release.ts';
import type { DigestKind } from './content-digester.ts';
import type { DigestedPart, IntakePart } from './intake.ts';
import type { IntakePort } from './intake-port.ts';
import type { WritePath, WritePathMember } from './write-path.ts';

/** Contents up to this size travel in batches; longer ones in parts of their own. */
export const BATCH_BYTES = 1024 * 1024;
/** Batches of one writer that may be under way. */
const BATCHES_AT_ONCE = 4;
const SPARE_BATCHES = 2;

export interface DigestedContent {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly pieces: readonly Piece[];
}

interface Waiting {
  readonly resolve: (content: DigestedContent) => void;
  readonly reject: (error: unknown) => void;
}

/** Gathers small contents into batches for the intakes, and bounds how much is under way. */
export interface Batcher {
  /** One whole content of at most `BATCH_BYTES`. */
  add(data: Uint8Array, kind: DigestKind, itemKey?: KeyObject): Promise<DigestedContent>;
  /** One part of a long content, to the intake that has the parts before it. */
  addPart(port: IntakePort, part: Omit<IntakePart, 'offset' | 'length'>, data: Uint8Array): Promise<DigestedPart>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export function createBatcher(path: WritePath, member: WritePathMember): Batcher {
  const turns: (() => void)[] = [];
  let running = 0;
  const spare: ArrayBuffer[] = [];
  const underWay = new Set<Promise<void>>();
  let bytes = new ArrayBuffer(BATCH_BYTES);
  let used = 0;
  let parts: IntakePart[] = [];
  let waiting: Waiting[] = [];
  let isScheduled = false;

  async function run(port: IntakePort, batch: { bytes: ArrayBuffer; parts: readonly IntakePart[] }): Promise<readonly DigestedPart[]> {
    const batchId = path.nextId();
    const digest = await port.digest({ batchId, writerId: member.writerId, ...batch });
    const back = await path.storeBatch(member, port, batchId, digest);
    if (back?.byteLength === BATCH_BYTES && spare.length < SPARE_BATCHES) spare.push(back);
    else release(back);
    return digest.parts;
  }

  async function runBatch(batch: { bytes: ArrayBuffer; parts: readonly IntakePart[] }, callers: readonly Waiting[]): Promise<void> {
    const { port, release } = path.borrowPort();
    try {
      const digested = await run(port, batch);
      for (const [at, part] of digested.entries()) {
        if (part.whole) callers[at]?.resolve({ ...part.whole, pieces: part.pieces });
      }
    } catch (error) {
      member.fail(error);
      for (const caller of callers) caller.reject(error);
    } finally {
      release();
      leave();
    }
  }

  function leave(): void {
    running -= 1;
    turns.shift()?.();
  }

  /** Waits for a batch to end; who goes on lets the next one try. */
  function turn(): Promise<void> {
    return new Promise((resolve) => turns.push(resolve));
  }

  function track(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => {
      underWay.delete(work);
      if (parts.length > 0 && underWay.size === 0) dispatch();
    });
  }

  function dispatch(): void {
    if (parts.length === 0) return;
    const batch = { bytes, parts };
    const callers = waiting;
    bytes = spare.pop() ?? new ArrayBuffer(BATCH_BYTES);
    used = 0;
    parts = [];
    waiting = [];
    running += 1;
    track(runBatch(batch, callers));
  }

  /** Sends what has gathered as soon as nothing else is under way, after the caller's turn. */
  function schedule(): void {
    if (isScheduled || underWay.size > 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      dispatch();
    });
  }

  return {
    async add(data, kind, itemKey) {
      while (used + data.byteLength > BATCH_BYTES) {
        if (running < BATCHES_AT_ONCE) dispatch();
        else await turn();
      }
      new Uint8Array(bytes, used, data.byteLength).set(data);
      parts.push({
        contentId: path.nextId(),
        kind,
        offset: used,
        length: data.byteLength,
        isLast: true,
        ...(itemKey ? { itemKey } : {}),
      });
      used += data.byteLength;
      const done = new Promise<DigestedContent>((resolve, reject) => waiting.push({ resolve, reject }));
      schedule();
      turns.shift()?.();
      return done;
    },
    async addPart(port, part, data) {
      while (running >= BATCHES_AT_ONCE) await turn();
      running += 1;
      try {
        const own = new ArrayBuffer(data.byteLength);
        new Uint8Array(own).set(data);
        const [digested] = await run(port, { bytes: own, parts: [{ ...part, offset: 0, length: data.byteLength }] });
        return digested as DigestedPart;
      } catch (error) {
        member.fail(error);
        throw error;
      } finally {
        leave();
      }
    },
    async idle() {
      while (parts.length > 0 || underWay.size > 0) {
        dispatch();
        await Promise.all(underWay);
      }
    },
  };
}
