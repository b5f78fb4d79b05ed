import type { Resource } from './item.ts';

/** What of a mailbox is taken besides mail that is always taken; defaults in brackets. */
export interface MailboxSelection {
  /** Deleted Items (true). */
  readonly deletedItems?: boolean;
  /** Junk (true). */
  readonly junk?: boolean;
  /** Recoverable Items (false). */
  readonly recoverableItems?: boolean;
  readonly calendars?: boolean;
  readonly contacts?: boolean;
  readonly tasks?: boolean;
}

/** A channel of a team, with the name that it had when it was chosen. */
export interface ChosenChannel {
  readonly id: string;
  readonly name: string;
}

/** What one job protects of a resource. Folder paths are full: `Inbox/Sub`; an excluded folder takes what is below it along. */
export interface Selection {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly mailbox?: MailboxSelection;
  /** How many earlier versions of a file are kept at its first reading; 0 for none. Default 10. */
  readonly fileVersions?: number;
  /** Who may see and change files and folders (true). */
  readonly permissions?: boolean;
  /** Of a team that is taken whole: its private channels too (true). A channel that is named is taken in any case. */
  readonly privateChannels?: boolean;
  /** Of a team: only these channels. All without it. */
  readonly channels?: readonly ChosenChannel[];
}

/**
 * What all jobs over a resource protect of it, that of the run first. A run reads what any of them protects: a restore
 * point is whole whichever job has made it.
 */
export type Selections = readonly [Selection, ...Selection[]];

export interface BackupRequest {
  readonly runId: string;
  readonly resource: Resource;
  readonly selections: Selections;
  readonly signal: AbortSignal;
}

export type RunStatus = 'successful' | 'defective' | 'failed' | 'excluded' | 'cancelled';

export interface RunCounts {
  /** Entries that enumeration gave. */
  readonly seen: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Deleted between listing and reading. */
  readonly gone: number;
  /** In the error list. */
  readonly failed: number;
  readonly excluded: number;
  /** Found again although it was erased: it stays erased. */
  readonly erasedBefore?: number;
}

/** How one run over one resource ended. `sequence` is its restore point, or the one that still holds when nothing changed. */
export interface RunResult {
  readonly status: RunStatus;
  readonly counts: RunCounts;
  readonly bytesRead: number;
  /** Plaintext that the vault did not have yet, and what it became on the store: the difference is what was saved. */
  readonly newBytes: number;
  readonly storedBytes: number;
  readonly sequence: number | null;
  /** Segments that this run committed: 0 for a run without changes. */
  readonly segments: number;
  /** Why the resource failed or is excluded. */
  readonly code?: string;
}
