import type { Resource } from '../ports/item.ts';

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

/** A team is read in part: some of its channels. */
export interface ChannelSelection {
  /** Those that are read, with the name that they had when they were chosen. */
  readonly chosen: readonly { readonly id: string; readonly name: string }[];
  /** Those that other runs over the team read: what is stored of them stays as it is. */
  readonly kept: readonly string[] | 'all';
}

/** What of a resource is protected. Folder paths are full: `Inbox/Sub`; an excluded folder takes what is below it along. */
export interface Selection {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly mailbox?: MailboxSelection;
  /** How many earlier versions of a file are kept at its first reading; 0 for none. Default 10. */
  readonly fileVersions?: number;
  /** Of a team: only these channels. All without it. */
  readonly channels?: ChannelSelection;
}

export interface BackupRequest {
  readonly runId: string;
  readonly resource: Resource;
  readonly selection: Selection;
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
