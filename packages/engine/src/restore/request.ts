import type { FileUpload, UploadSessionState } from '@holdfast/m365';
import type { ItemKind, Resource } from '../ports/item.ts';

/** What happens when something of the same identity is at the target already. */
export const collisionPolicies = ['skip', 'keepBoth', 'replace', 'newerWins'] as const;
export type CollisionPolicy = (typeof collisionPolicies)[number];

/** Where restored items go. `folder` names a new or existing folder inside the target. */
export interface RestoreTarget {
  /** The resource that receives; the source itself for the original place. */
  readonly resource: Resource;
  /** Absent: original places, recreated where they are gone. Present: everything below this folder. */
  readonly folder?: string;
}

/** Which items: all of the point, or these keys with what is in them. */
export type RestoreSelection = 'all' | readonly string[];

export interface RestoreRequest {
  readonly runId: string;
  readonly source: Resource;
  /** The restore point; `pointOf` says which is the newest. */
  readonly sequence: number;
  readonly selection: RestoreSelection;
  /** Files come back as they were in the version of this label, not in their newest; for a selection of one file. */
  readonly fileVersion?: string;
  /** Messages of an archive come back into this folder if they were ever in it, otherwise to where they were seen last. */
  readonly archivedFolder?: string;
  readonly target: RestoreTarget;
  readonly collisions: CollisionPolicy;
  readonly options?: RestoreOptions;
  /** What a worker that died has left of this run: what it told of is counted, and neither done nor told again. */
  readonly earlier?: EarlierWork;
}

export interface RestoreOptions {
  /** File versions are put back oldest to newest. Default true. */
  readonly versions?: boolean;
  /** Grants and links of files are put back. Default true for the original place, false elsewhere. */
  readonly permissions?: boolean;
  /** Automatic replies come back as they were; otherwise disabled. Default false. */
  readonly automaticReplies?: boolean;
}

/** What became of one item, or would become in a dry run. */
export type RestoreOutcome = 'restored' | 'skipped' | 'renamed' | 'replaced' | 'failed' | 'notPossible';

/** One line of the report. `differences` names properties that the service did not take as they were. */
export interface RestoreLine {
  readonly key: string;
  readonly kind: ItemKind;
  readonly path: string;
  readonly outcome: RestoreOutcome;
  readonly targetId?: string;
  readonly code?: string;
  readonly differences: readonly string[];
}

/** An upload session that is open for a stored content. */
export interface OpenUpload {
  readonly sha256: string;
  readonly driveId: string;
  readonly target: FileUpload['target'];
  readonly session: UploadSessionState;
}

/** What lay in an item's place before the restore replaced it: its id, and the state it was in as the service tags it. */
export interface Replaced {
  readonly id: string;
  readonly mark: string;
}

/** Something a restore has written, with what undoing it has to know. */
export interface WrittenThing {
  /** The key of the restored item; a name of its own for a folder that no item represents. */
  readonly key: string;
  readonly kind: ItemKind;
  readonly name: string;
  readonly targetId: string;
  /** What it is in: the folder of a message, the list of a task or row, the drive of a file. */
  readonly place: string;
  /** The state that the restore left it in, as the service tags it; empty as long as nobody knows. */
  readonly mark: string;
  readonly replaced?: Replaced;
}

/** With the resource it is in. */
export interface Written extends WrittenThing {
  readonly home: Pick<Resource, 'kind' | 'graphId' | 'name'>;
}

/** Receives the report. Lines may be held back until something is begun; what is begun after them is durable after them. */
export interface RestoreReport {
  /**
   * An item is about to be written beside `there`, the ids of what is in its place already. Durable when it returns, so
   * that whoever takes the run up can tell what may be half written, and tell it from what was there before.
   */
  begin(key: string, there: readonly string[]): Promise<void>;
  /**
   * An upload session is open for an item that was begun. Durable when it returns, and nowhere readable: the address is a
   * secret. Without it the session would keep the name from whoever takes the run up.
   */
  uploading(key: string, upload: OpenUpload): Promise<void>;
  /**
   * Notes what was written, for an undo. A second note of the same key adds what is known since; what was replaced first stays.
   * Durable when it returns if something is replaced. Absent where nobody will undo the restore.
   */
  wrote?(thing: Written): Promise<void>;
  /** Lines that are told together or not at all. */
  tell(lines: readonly RestoreLine[]): Promise<void>;
}

/** What became of an item that was told of. */
export interface Told {
  readonly outcome: RestoreOutcome;
  readonly targetId?: string;
}

/** What a worker that died has left of a restore. Asked by the page: a report has as many lines as a mailbox has items. */
export interface EarlierWork {
  readonly counts: Readonly<Partial<Record<RestoreOutcome, number>>>;
  /** Items that were begun and not reported as done, with what was in their place before: as many as are written at a time. */
  readonly begun: ReadonlyMap<string, readonly string[]>;
  /** Upload sessions that may still be open, by item. */
  readonly uploads: ReadonlyMap<string, OpenUpload>;
  /** Those of these items that were told of. */
  told(keys: readonly string[]): Promise<ReadonlyMap<string, Told>>;
  /** Those of these ids at the target that were told of as the place of an item. */
  targets(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface RestoreResult {
  readonly status: 'successful' | 'defective' | 'failed' | 'cancelled';
  readonly counts: Readonly<Record<RestoreOutcome, number>>;
  readonly bytes: number;
  /** Why the whole restore could not go on, when it could not. */
  readonly code?: string;
}

/** What a dry run says before anything is written. */
export interface RestorePlan {
  readonly items: number;
  readonly bytes: number;
  readonly byKind: Readonly<Partial<Record<ItemKind, number>>>;
  /** Items that meet something at the target. */
  readonly collisions: number;
  /** Items of which that can't be known before: what lies at the target can't be read. */
  readonly unknown: number;
  /** Properties and items that will not come back, by reason, with how often. */
  readonly notRestorable: readonly { readonly code: string; readonly count: number }[];
  /** Application roles that the restore needs and the tenant has not granted. */
  readonly missingRoles: readonly string[];
}
