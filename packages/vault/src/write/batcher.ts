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

/** Places for batches under way. Who waits tries again at its turn; who goes on lets the next one try. */
function createGate(places: number) {
  const turns: (() => void)[] = [];
  let running = 0;
  return {
    get isFull() {
      return running >= places;
    },
    enter(): void {
      running += 1;
    },
    leave(): void {
      running -= 1;
      turns.shift()?.();
    },
    turn: () => new Promise<void>((resolve) => turns.push(resolve)),
    next: () => turns.shift()?.(),
  };
}

interface GatheredBatch {
  readonly bytes: ArrayBuffer;
  readonly parts: readonly IntakePart[];
}

/** Sends batches through an intake and keeps their memory for the next ones. */
function createRunner(path: WritePath, member: WritePathMember) {
  const spare: ArrayBuffer[] = [];
  return {
    memory: () => spare.pop() ?? new ArrayBuffer(BATCH_BYTES),
    async run(port: IntakePort, batch: GatheredBatch): Promise<readonly DigestedPart[]> {
      const batchId = path.nextId();
      const digest = await port.digest({ batchId, writerId: member.writerId, ...batch });
      const back = await path.storeBatch(member, port, batchId, digest);
      if (back?.byteLength === BATCH_BYTES && spare.length < SPARE_BATCHES) spare.push(back);
      else release(back);
      return digest.parts;
    },
  };
}

/** Short contents laid behind each other until they are sent. */
function createGathering(bytes: ArrayBuffer) {
  const parts: IntakePart[] = [];
  const callers: Waiting[] = [];
  let used = 0;
  return {
    batch: { bytes, parts } as GatheredBatch,
    callers: callers as readonly Waiting[],
    get isEmpty() {
      return parts.length === 0;
    },
    hasRoom: (size: number) => used + size <= BATCH_BYTES,
    add(data: Uint8Array, part: Pick<IntakePart, 'contentId' | 'kind' | 'itemKey'>): Promise<DigestedContent> {
      new Uint8Array(bytes, used, data.byteLength).set(data);
      parts.push({ ...part, offset: used, length: data.byteLength, isLast: true });
      used += data.byteLength;
      return new Promise((resolve, reject) => callers.push({ resolve, reject }));
    },
  };
}

export function createBatcher(path: WritePath, member: WritePathMember): Batcher {
  const gate = createGate(BATCHES_AT_ONCE);
  const runner = createRunner(path, member);
  const underWay = new Set<Promise<void>>();
  let gathering = createGathering(new ArrayBuffer(BATCH_BYTES));
  let isScheduled = false;

  async function runBatch(batch: GatheredBatch, callers: readonly Waiting[]): Promise<void> {
    const { port, release } = path.borrowPort();
    try {
      const digested = await runner.run(port, batch);
      for (const [at, part] of digested.entries()) {
        if (part.whole) callers[at]?.resolve({ ...part.whole, pieces: part.pieces });
      }
    } catch (error) {
      member.fail(error);
      for (const caller of callers) caller.reject(error);
    } finally {
      release();
      gate.leave();
    }
  }

  function track(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => {
      underWay.delete(work);
      if (!gathering.isEmpty && underWay.size === 0) dispatch();
    });
  }

  function dispatch(): void {
    if (gathering.isEmpty) return;
    const { batch, callers } = gathering;
    gathering = createGathering(runner.memory());
    gate.enter();
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
      while (!gathering.hasRoom(data.byteLength)) {
        if (gate.isFull) await gate.turn();
        else dispatch();
      }
      const done = gathering.add(data, { contentId: path.nextId(), kind, ...(itemKey ? { itemKey } : {}) });
      schedule();
      gate.next();
      return done;
    },
    async addPart(port, part, data) {
      while (gate.isFull) await gate.turn();
      gate.enter();
      try {
        const own = new ArrayBuffer(data.byteLength);
        new Uint8Array(own).set(data);
        const [digested] = await runner.run(port, { bytes: own, parts: [{ ...part, offset: 0, length: data.byteLength }] });
        return digested as DigestedPart;
      } catch (error) {
        member.fail(error);
        throw error;
      } finally {
        gate.leave();
      }
    },
    async idle() {
      while (!gathering.isEmpty || underWay.size > 0) {
        dispatch();
        await Promise.all(underWay);
      }
    },
  };
}
