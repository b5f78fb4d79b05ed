import type { KeyObject } from 'node:crypto';
import { ROOM_BEFORE_BYTES } from '../chunk/batch-room.ts';
import type { Piece } from '../chunk/content-ref.ts';
import { BATCH_BYTES, type BatchSlot } from './batch-memory.ts';
import type { DigestKind } from './content-digester.ts';
import type { DigestedPart, IntakePart } from './intake.ts';
import type { IntakePort } from './intake-port.ts';
import type { WritePath, WritePathMember } from './write-path.ts';

export interface DigestedContent {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly pieces: readonly Piece[];
}

/** Bytes as they came: one after the other, `sizeBytes` together. */
export interface GatheredBytes {
  readonly parts: readonly Uint8Array[];
  readonly sizeBytes: number;
}

/** One piece of memory as gathered bytes. */
export function inOnePart(data: Uint8Array): GatheredBytes {
  return { parts: [data], sizeBytes: data.byteLength };
}

interface Waiting {
  readonly resolve: (content: DigestedContent) => void;
  readonly reject: (error: unknown) => void;
}

/** Gathers small contents into batches for the intakes. How much is under way is bounded by the memory of the path. */
export interface Batcher {
  /** One whole content of at most `BATCH_BYTES`. */
  add(data: GatheredBytes, kind: DigestKind, itemKey?: KeyObject): Promise<DigestedContent>;
  /** One part of a long content, of at most `BATCH_BYTES`, to the intake that has the parts before it. */
  addPart(port: IntakePort, part: Omit<IntakePart, 'offset' | 'length'>, data: GatheredBytes): Promise<DigestedPart>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

const NOTHING = new Uint8Array(0);

/** A batch that is being filled: contents laid behind each other. */
function createGathering(slot: BatchSlot) {
  const parts: IntakePart[] = [];
  const callers: Waiting[] = [];
  const memory = Buffer.from(slot.bytes);
  let used = 0;

  function lay({ parts: pieces, sizeBytes }: GatheredBytes, part: Omit<IntakePart, 'offset' | 'length'>): void {
    const start = ROOM_BEFORE_BYTES + used;
    let at = start;
    // Not `set`: into shared memory that moves word by word, which is slower.
    for (const piece of pieces) at += Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).copy(memory, at);
    if (at - start !== sizeBytes) throw new RangeError(`${sizeBytes} bytes were announced and ${at - start} fit.`);
    parts.push({ ...part, offset: start, length: sizeBytes });
    used += sizeBytes;
  }

  return {
    slot,
    parts: parts as readonly IntakePart[],
    callers: callers as readonly Waiting[],
    hasRoom: (size: number) => used + size <= BATCH_BYTES,
    lay,
    add(data: GatheredBytes, part: Pick<IntakePart, 'contentId' | 'kind' | 'itemKey'>): Promise<DigestedContent> {
      lay(data, { ...part, isLast: true });
      return new Promise((resolve, reject) => callers.push({ resolve, reject }));
    },
  };
}

type Gathering = ReturnType<typeof createGathering>;

/** Brings a batch through an intake and gives its memory back. */
async function runThrough(
  path: WritePath,
  member: WritePathMember,
  port: IntakePort,
  gathered: Gathering,
): Promise<readonly DigestedPart[]> {
  const batchId = path.nextId();
  const { slot, parts } = gathered;
  try {
    const digest = await port.digest({ batchId, writerId: member.writerId, bytes: slot.bytes, parts });
    await path.storeBatch(member, port, batchId, digest);
    return digest.parts;
  } catch (error) {
    member.fail(error);
    // Nothing of it is wanted any more.
    await port.store(batchId, NOTHING).catch(() => undefined);
    throw error;
  } finally {
    slot.release();
  }
}

export function createBatcher(path: WritePath, member: WritePathMember): Batcher {
  const underWay = new Set<Promise<void>>();
  let gathering: Gathering | undefined;
  let opening: Promise<void> | undefined;
  let isScheduled = false;

  async function runBatch(gathered: Gathering): Promise<void> {
    const { port, release } = path.borrowPort();
    try {
      const digested = await runThrough(path, member, port, gathered);
      for (const [at, part] of digested.entries()) {
        if (part.whole) gathered.callers[at]?.resolve({ ...part.whole, pieces: part.pieces });
      }
    } catch (error) {
      for (const caller of gathered.callers) caller.reject(error);
    } finally {
      release();
    }
  }

  function dispatch(): void {
    if (!gathering) return;
    const work = runBatch(gathering);
    gathering = undefined;
    underWay.add(work);
    void work.finally(() => {
      underWay.delete(work);
      if (underWay.size === 0) dispatch();
    });
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

  async function startGathering(): Promise<void> {
    gathering = createGathering(await path.memory.acquire());
    opening = undefined;
  }

  /** All who wait share one batch: the memory of a batch is never asked for twice. */
  function open(): Promise<void> {
    return (opening ??= startGathering());
  }

  return {
    async add(data, kind, itemKey) {
      while (!gathering?.hasRoom(data.sizeBytes)) {
        dispatch();
        await open();
      }
      const done = gathering.add(data, { contentId: path.nextId(), kind, ...(itemKey ? { itemKey } : {}) });
      schedule();
      return done;
    },
    async addPart(port, part, data) {
      const gathered = createGathering(await path.memory.acquire());
      gathered.lay(data, part);
      const [digested] = await runThrough(path, member, port, gathered);
      return digested as DigestedPart;
    },
    async idle() {
      while (opening || gathering || underWay.size > 0) {
        if (opening) await opening;
        dispatch();
        await Promise.all(underWay);
      }
    },
  };
}
