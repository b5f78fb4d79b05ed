import { createSemaphore } from '@holdfast/foundation/concurrency';
import { crashPoint } from '@holdfast/foundation/crash-point';
import type { BlobStore, ObjectLock } from '../blob/blob-store.ts';
import type { BlobIndex, BlobPlace } from '../index/blob-index.ts';
import type { FinishedPack } from '../pack/pack-builder.ts';
import { indexedBlobs, packName } from '../pack/pack.ts';
import { release } from '../shared/release.ts';
import { createBatchMemory, createGatheredMemory, type BatchMemory, type GatheredMemory } from './batch-memory.ts';
import type { IntakePort } from './intake-port.ts';
import type { Digest } from './intake.ts';

/** Packs that may be on their way to the store at once; more are not made before one has arrived. */
const UPLOADS_AT_ONCE = 2;

/** What the shared path needs to know of a writer. */
export interface WritePathMember {
  readonly writerId: number;
  /** Writers whose blobs this one relies on and that are not durable yet. */
  readonly reliesOn: Set<number>;
  /** Packs that held blobs which this writer found stored already. */
  readonly usedPacks: Set<string>;
  /** Packs that this member must not rely on. */
  readonly avoids?: ReadonlySet<string>;
  countNew(blobs: number, bytes: number): void;
  countStored(bytes: number): void;
  fail(error: unknown): void;
}

/** What all writers of an open vault share: the intakes, what is on its way, and the uploads. */
export interface WritePath {
  readonly ports: readonly IntakePort[];
  /** Memory for batches. Who has got some has nothing else of it while it waits for the batch. */
  readonly memory: BatchMemory;
  /** What contents hold of their sources before that. */
  readonly gathered: GatheredMemory;
  /** The intake with the least to do. The returned function says the work is done. */
  borrowPort(): { readonly port: IntakePort; readonly release: () => void };
  join(member: WritePathMember): void;
  leave(member: WritePathMember): void;
  /** Decides which blobs of a digested batch are new, hands them over and uploads the packs that are full. */
  storeBatch(member: WritePathMember, port: IntakePort, batchId: number, digest: Digest): Promise<void>;
  /** Resolves when everything this member relies on is durable and indexed. */
  flush(member: WritePathMember): Promise<void>;
  nextId(): number;
  close(): Promise<void>;
}

export interface WritePathOptions {
  readonly store: BlobStore;
  readonly index: BlobIndex;
  readonly ports: readonly IntakePort[];
  /** Packs whose blobs are not relied on: they are about to be swept. */
  isBlocked(packId: string): boolean;
  lockForNow(): ObjectLock | undefined;
}

interface Claim {
  readonly member: WritePathMember;
  readonly bytes: number;
}

/** Makes packs durable and then known. A pack that can't be written fails every writer that is open. */
function createUploads(options: WritePathOptions, claims: Map<string, Claim>, members: Set<WritePathMember>) {
  const { store, index } = options;
  const places = createSemaphore(UPLOADS_AT_ONCE);
  const underWay = new Set<Promise<void>>();

  async function put(pack: FinishedPack): Promise<void> {
    const lock = options.lockForNow();
    await crashPoint('vault.pack.before-put');
    await store.put(packName(pack.packId), pack.parts, lock ? { lock } : {});
    await crashPoint('vault.pack.after-put');
    await index.addPack(pack.packId, indexedBlobs(pack.packId, pack.frames));
    await crashPoint('vault.pack.after-index');
  }

  function endClaims(pack: FinishedPack): void {
    const blobs = pack.frames.flatMap((frame) => frame.blobs);
    const plainBytes = blobs.reduce((sum, blob) => sum + blob.length, 0);
    for (const blob of blobs) {
      claims.get(blob.blobId)?.member.countStored((blob.length / Math.max(1, plainBytes)) * pack.sizeBytes);
      claims.delete(blob.blobId);
    }
  }

  async function upload(pack: FinishedPack, place: Promise<() => void>): Promise<void> {
    const leave = await place;
    try {
      await put(pack);
    } catch (error) {
      for (const member of members) member.fail(error);
    } finally {
      endClaims(pack);
      for (const part of pack.parts) release(part);
      leave();
    }
  }

  return {
    /**
     * Resolves when the upload of each pack has begun. They count as under way from the call on:
     * another writer that relies on their blobs waits for them too.
     */
    async start(packs: readonly FinishedPack[]): Promise<void> {
      const begun = packs.map((pack) => {
        const place = places.acquire();
        const work = upload(pack, place);
        underWay.add(work);
        void work.finally(() => underWay.delete(work));
        return place;
      });
      await Promise.all(begun);
    },
    async settled(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** Which blobs of a batch must be taken: neither stored, nor on their way. */
function claimNew(
  member: WritePathMember,
  digested: { readonly blobIds: readonly string[]; readonly blobBytes: readonly number[] },
  found: ReadonlyMap<string, BlobPlace>,
  claims: Map<string, Claim>,
): Uint8Array {
  const wanted = new Uint8Array(digested.blobIds.length);
  for (const [at, blobId] of digested.blobIds.entries()) {
    const claim = claims.get(blobId);
    if (claim) {
      member.reliesOn.add(claim.member.writerId);
      continue;
    }
    const place = found.get(blobId);
    if (place) {
      member.usedPacks.add(place.packId);
      continue;
    }
    const bytes = digested.blobBytes[at] ?? 0;
    claims.set(blobId, { member, bytes });
    member.countNew(1, bytes);
    wanted[at] = 1;
  }
  return wanted;
}

export function createWritePath(options: WritePathOptions): WritePath {
  const { index, ports } = options;
  const claims = new Map<string, Claim>();
  const members = new Set<WritePathMember>();
  const busy = ports.map(() => 0);
  const uploads = createUploads(options, claims, members);
  let lastId = 0;

  async function findStored(member: WritePathMember, blobIds: readonly string[]): Promise<Map<string, BlobPlace>> {
    const unknown = [...new Set(blobIds)].filter((blobId) => !claims.has(blobId));
    const places = unknown.length === 0 ? [] : await index.find(unknown);
    const found = new Map<string, BlobPlace>();
    for (const [at, place] of places.entries()) {
      if (place && !options.isBlocked(place.packId) && !member.avoids?.has(place.packId)) found.set(unknown[at] as string, place);
    }
    return found;
  }

  return {
    ports,
    memory: createBatchMemory(ports.length),
    gathered: createGatheredMemory(),
    borrowPort() {
      const least = busy.indexOf(Math.min(...busy));
      busy[least] = (busy[least] ?? 0) + 1;
      let released = false;
      return {
        port: ports[least] as IntakePort,
        release() {
          if (!released) busy[least] = (busy[least] ?? 1) - 1;
          released = true;
        },
      };
    },
    join: (member) => void members.add(member),
    leave: (member) => void members.delete(member),
    async storeBatch(member, port, batchId, digest) {
      const blobIds = digest.parts.flatMap((part) => part.pieces.map((piece) => piece[0]));
      const found = await findStored(member, blobIds);
      // Nothing may be awaited between claiming a blob and handing it over: a flush of another
      // writer that relies on the claim must come to the intake after the blob.
      const handedOver = port.store(batchId, claimNew(member, { blobIds, blobBytes: digest.blobBytes }, found, claims));
      await uploads.start(await handedOver);
    },
    async flush(member) {
      const writerIds = [member.writerId, ...member.reliesOn];
      const packs = await Promise.all(ports.map((port) => port.flush(writerIds)));
      await uploads.start(packs.flat());
      await uploads.settled();
      member.reliesOn.clear();
      await index.flush();
    },
    nextId() {
      lastId += 1;
      return lastId;
    },
    async close() {
      await uploads.settled();
      await Promise.all(ports.map((port) => port.close()));
    },
  };
}
