import type { Bytes } from '@holdfast/foundation/streams';
import type { BlobStore } from '../blob/blob-store.ts';
import type { ContentRef } from '../chunk/content-ref.ts';
import type { KeyRing } from '../crypto/key-ring.ts';
import type { ItemState, ResourceHead } from '../journal/journal.ts';

export type DamagedObject =
  | 'header'
  | 'pack'
  | 'segment'
  | 'segment-copy'
  | 'marker'
  | 'item-key'
  | 'journal'
  | 'points'
  | 'retention'
  | 'evidence'
  | 'document';

/** How a journal differs from what is remembered of it: not there at all, ended before its known head, or gone another way. */
export type JournalDifference = 'missing' | 'older' | 'forked';

/** Restore points of one resource that can't be restored, counted; the first of them by sequence. */
export interface LostPoints {
  readonly count: number;
  readonly sequences: readonly number[];
}

/** One thing that is wrong, and what it costs. */
export interface Damage {
  readonly object: DamagedObject;
  readonly name: string;
  /** A sentence for people. */
  readonly problem: string;
  readonly resourceId?: string;
  /** Blobs that can't be read because of it (hex); empty when none are lost. */
  readonly blobIds: readonly string[];
  /** Of a journal. */
  readonly difference?: JournalDifference;
  /** Of points. */
  readonly lostPoints?: LostPoints;
  /** Of points: they were not lost but given up by a prune, and somebody remembers them still. */
  readonly isPruned?: boolean;
  /** Of points: commits whose changes can't be read, so that nobody can name their items from the vault alone. */
  readonly lostCommits?: readonly number[];
  /** Of a document: what people call it, where somebody remembers it. */
  readonly title?: string;
}

export interface AffectedItem {
  readonly resourceId: string;
  readonly itemId: string;
  readonly name: string;
  readonly sequence: number;
  /** The roles whose content can't be read. */
  readonly roles: readonly string[];
}

/** What somebody else saw of the heads: shows when the end of a journal was cut off or rolled back. */
export interface HeadsWitness {
  readonly vaultId: string;
  readonly at: string;
  readonly heads: readonly { readonly resourceId: string; readonly sequence: number; readonly hash: string }[];
  /** Ed25519 over the rest, base64url. */
  readonly signature: string;
}

/** What is remembered of one journal outside the vault. */
export interface RememberedJournal {
  readonly head: { readonly sequence: number; readonly hash: string };
  /** Sequences of the restore points that must be there. */
  readonly points: readonly number[];
}

/** Who remembers, outside the vault, what must be in it. A catalog does. */
export interface VaultMemory {
  /** Every resource that must be there. */
  resources(): AsyncIterable<string>;
  /** What is remembered of one right now; undefined when nothing of it has to be there any more. */
  journal(resourceId: string): Promise<RememberedJournal | undefined>;
  /** Names of evidence objects that must be there; a later one names those before it, so the newest are enough. */
  evidence(): Promise<readonly string[]>;
  /** Documents that must be there right now, with what people call them. */
  documents(): AsyncIterable<{ readonly documentId: string; readonly title: string }>;
}

/** A text, the Ed25519 signature over exactly its bytes, and the key that checks it (SPKI, PEM): enough for any tool. */
export interface SignedStatement {
  readonly text: string;
  readonly signature: Buffer;
  readonly verifyingKey: string;
}

export interface VerifyOptions {
  /** `structure`: every object is there, whole in size, opens, and fits the others. `data`: every byte is read back as well. */
  readonly depth: 'structure' | 'data';
  /** Stop after reading about so many bytes; go on later from `resume`. */
  readonly budgetBytes?: number;
  /** Packs already read back intact, as the last report gave it. */
  readonly resume?: VerifyProgress;
  /** What must be there; without it, and without a witness, what is missing altogether can't show. */
  readonly memory?: VaultMemory;
  readonly witnesses?: readonly HeadsWitness[];
  /** Evidence objects that nobody can bring back: noted, and not missed from now on. */
  readonly givenUpEvidence?: readonly string[];
  /** Stop collecting affected items beyond this many (default 100,000); the count goes on. */
  readonly maxAffectedItems?: number;
  /** How far reading back is; what is within `resume` counts as done. */
  readonly onProgress?: (progress: VerifyStep) => void;
  readonly signal?: AbortSignal;
}

/** Packs and bytes that are done, of all there are. */
export interface VerifyStep {
  readonly donePacks: number;
  readonly totalPacks: number;
  readonly doneBytes: number;
  readonly totalBytes: number;
  /** The pack that was just read back whole: kept at once it need not be read again after a verify that does not end. */
  readonly intact?: { readonly packId: string; readonly at: string };
}

/** When each pack was last read back whole; kept between verifies by the caller. Only intact packs are in it. */
export interface VerifyProgress {
  readonly verifiedAt: { readonly [packId: string]: string };
}

/** Evidence of one verify. Kept in the vault under `evidence/` as well. */
export interface VerifyReport {
  readonly vaultId: string;
  readonly depth: 'structure' | 'data';
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly packs: number;
  readonly segments: number;
  readonly bytesRead: number;
  readonly packsRead: number;
  /** True when every pack was read back by this verify or within `resume`. */
  readonly complete: boolean;
  readonly damages: readonly Damage[];
  readonly affectedItems: readonly AffectedItem[];
  readonly affectedItemCount: number;
  readonly progress: VerifyProgress;
  readonly heads: HeadsWitness;
  /** Name of the object that keeps this report; none where the vault can't be written to. */
  readonly evidence?: string;
}

/** Gives back the content of an item from its source (Microsoft 365), or `undefined` when it has none. */
export type Refetch = (item: AffectedItem, role: string, content: ContentRef) => Promise<Bytes | undefined>;

export interface RepairOptions {
  readonly report: VerifyReport;
  /** A copy of the vault (same vault id). */
  readonly secondCopy?: BlobStore;
  readonly refetch?: Refetch;
  readonly signal?: AbortSignal;
}

/**
 * Where what was damaged came from: its copy in this vault, the segment that a copy is of, the chain around a marker,
 * the rest of the journal, the readable rest of a pack, or the second copy of the vault.
 */
export type RepairSource = 'copy' | 'segment' | 'chain' | 'journal' | 'salvage' | 'second-copy';

export interface RepairStep {
  readonly name: string;
  readonly source: RepairSource;
}

export interface RepairReport {
  /** Every object that was repaired, in order, and from what. */
  readonly steps: readonly RepairStep[];
  readonly repairedObjects: readonly string[];
  readonly restoredBlobs: number;
  /** What no source had: exactly the items that stay damaged. */
  readonly remaining: readonly AffectedItem[];
  readonly remainingDamages: readonly Damage[];
  /** Evidence that no copy has: from now on nobody misses it. */
  readonly givenUpEvidence: readonly string[];
}

/** What must stay. Asked for every item version that retention would let go. */
export interface PrunePolicy {
  /** Restore points that are kept: true keeps. The head is always kept. */
  keepsPoint(point: ResourceHead & { readonly resourceId: string }): boolean;
  /** Legal hold on an item: true keeps every version of it whatever the points say. Without it, what the last prune kept for a hold stays. */
  isHeld?(resourceId: string, itemId: string): boolean;
  /** A resource whose whole history may go. Default: none. */
  dropsResource?(resourceId: string): boolean;
}

export interface PruneOptions {
  readonly policy: PrunePolicy;
  /** How long something is marked before it is swept. Longer than any run lasts. Default 24 h. */
  readonly graceMs?: number;
  /** What time it is; the vault's clock says so unless it is given. For who knows it better than a clock that may be ahead. */
  readonly nowMs?: number;
  /** Packs with less than this share in use are written anew. Default 0.5. */
  readonly repackBelow?: number;
  readonly signal?: AbortSignal;
}

export interface PruneReport {
  readonly keptBlobs: number;
  readonly unreachableBlobs: number;
  readonly markedPacks: readonly string[];
  readonly sweptPacks: readonly string[];
  readonly repackedPacks: readonly string[];
  /** Packs that may go but are under object lock. */
  readonly lockedPacks: readonly string[];
  /** Blobs of erased items that nothing else needs and that are still stored: a later prune sweeps them. */
  readonly erasedBlobs: number;
  /** Resources with lost segments: every version of theirs stays, erased ones too. */
  readonly lostResources: number;
  readonly freedBytes: number;
  readonly orphanObjects: number;
}

/** A version of an item with the interval of commits in which it holds: what a catalog keeps. */
export type CatalogEntry =
  | { readonly type: 'point'; readonly resourceId: string; readonly point: ResourceHead }
  | { readonly type: 'put'; readonly resourceId: string; readonly sequence: number; readonly item: ItemState }
  | { readonly type: 'remove'; readonly resourceId: string; readonly sequence: number; readonly itemId: string };

export interface CopyOptions {
  readonly target: BlobStore;
  /** Read each copied object back and compare. Default true. */
  readonly verify?: boolean;
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

export interface CopyReport {
  readonly copiedObjects: number;
  readonly copiedBytes: number;
  readonly presentObjects: number;
  /** Item keys that were destroyed here and so are destroyed there. */
  readonly deletedObjects: number;
  /** Left out because they are damaged here. */
  readonly damagedObjects: readonly string[];
}

/** Everything that is done to a vault besides taking in and giving out. All of it safe beside running writers, and killable. */
export interface Maintenance {
  verify(options: VerifyOptions): Promise<VerifyReport>;
  repair(options: RepairOptions): Promise<RepairReport>;
  prune(options: PruneOptions): Promise<PruneReport>;
  /** Brings the index in line with the packs that are really there. */
  synchroniseIndex(options?: { readonly rebuild?: boolean }): Promise<{ readonly packs: number; readonly blobs: number }>;
  /** Every point and every change of every resource in order: enough to build a catalog from nothing. */
  rebuildCatalogFeed(options?: {
    readonly resourceId?: string;
    readonly signal?: AbortSignal;
  }): AsyncGenerator<CatalogEntry, void, undefined>;
  /** Copies what the target lacks: packs before segments, header last. Repeatable and incremental. */
  copyTo(options: CopyOptions): Promise<CopyReport>;
  /** A signed statement of all heads, to be kept somewhere else. */
  witnessHeads(): Promise<HeadsWitness>;
  /** The same of heads that are known already. */
  signHeads(heads: HeadsWitness['heads']): HeadsWitness;
  /** Whether a witness is of this vault and signed by it. */
  isOwnWitness(witness: HeadsWitness): boolean;
  /** Signs what an export says of itself, so that who receives it can check it without this vault. */
  signExport(statement: string): SignedStatement;
  /** What prune has let go of a resource: a catalog that is built anew leaves it out. */
  forgottenPoints(resourceId: string): Promise<{ readonly points: readonly number[]; readonly isDropped: boolean }>;
  /**
   * Wraps the vault's keys with the ring's current master key. Data is not rewritten. With
   * `organisationId` the vault is that organisation's from now on: for an installation made anew.
   */
  rotateMasterKey(options?: { readonly keyRing?: KeyRing; readonly organisationId?: string }): Promise<{ readonly keyVersion: number }>;
  /** Destroys the key of its own that a content was sealed with. */
  shredItemKey(itemKeyId: string): Promise<void>;
  /** The vault's keys sealed for escrow with a passphrase. */
  exportKeysForEscrow(passphrase: string): Promise<string>;
}
