import type { ItemKind } from './item.ts';

/**
 * `recorded`: the item could not be read and the run is defective. `excluded`: it can't be
 * protected for a lasting reason, which the coverage report names. `gone`: it was deleted between
 * listing and reading, which is no error.
 */
export type ProblemOutcome = 'recorded' | 'excluded' | 'gone';

/** What the person who reads the list can do; each has a text in `phrases`. */
export type Advice =
  | 'retryNextRun'
  | 'grantRole'
  | 'assignLicence'
  | 'waitForProvisioning'
  | 'askAccessPolicy'
  | 'removeMalware'
  | 'openInApp'
  | 'freeSpace'
  | 'unlockItem'
  | 'reactivate'
  | 'notPossible'
  | 'checkSource'
  | 'repairVault'
  | 'runArchiveJob'
  | 'none';

/** One item (or the whole resource, when `itemKey` is null) that is not in the restore point as it should be. */
export interface Problem {
  readonly resourceId: string;
  readonly runId: string;
  readonly itemKey: string | null;
  readonly kind: ItemKind | null;
  /** Readable place of the item: `Inbox/Sub/Subject`. */
  readonly path: string;
  readonly outcome: ProblemOutcome;
  readonly code: string;
  /** What was attempted, in order: `mime`, `json`, `attachment 2`. */
  readonly tried: readonly string[];
  readonly advice: Advice;
  readonly requestId?: string;
}

/** Receives problems as they are found, one by one, in order. */
export interface Problems {
  add(problem: Problem): Promise<void>;
}
