import type { Tenant } from '../state/tenant.ts';
import { type ChangeLog, type Journal, createChangeLog } from '../state/change-log.ts';
import type { ItemRecord } from './drive-record.ts';
import type { Intake } from './receive-file.ts';

/** An upload by fragments that is under way. */
export interface UploadSession {
  readonly id: string;
  /** A new child by name, or a new version of an item. */
  readonly target: { readonly parentId: string; readonly name: string } | { readonly itemId: string };
  readonly conflict: 'fail' | 'replace' | 'rename';
  readonly fileCreatedMs?: number;
  readonly fileModifiedMs?: number;
  readonly isDeferred: boolean;
  readonly appId: string;
  intake: Intake;
  totalBytes: number | undefined;
  expiresMs: number;
}

/** A copy that runs beside requests, until its monitor says that it is done. */
export interface CopyJob {
  readonly id: string;
  readonly itemId: string;
  readonly driveId: string;
}

/** What was changed in one drive since the seed, as plain data. */
export interface DriveState {
  readonly items: Map<string, ItemRecord>;
  /** What came into a folder by creation or move, in order; an id counts where `placeInFolder` says. */
  readonly children: Map<string, string[]>;
  readonly placeInFolder: Map<string, number>;
  /** How many items more, or fewer, a folder has than the seed gave it. */
  readonly childChange: Map<string, number>;
  /** Lower-case names of changed items by folder. */
  readonly names: Map<string, Map<string, string>>;
  /** Positions after the seeded ones: what was created, and what moved below something that stands later. */
  readonly order: string[];
  readonly placeInOrder: Map<string, number>;
  created: number;
  readonly log: ChangeLog;
  /** When each entry of the log was made. */
  readonly logMs: number[];
  readonly journal: Journal<ItemRecord>;
  usedDelta: number;
  deletedBytes: number;
  readonly sessions: Map<string, UploadSession>;
  readonly copies: Map<string, CopyJob>;
}

/** The state of the drive `driveId`, empty as long as nobody changed anything. */
export function driveState(tenant: Tenant, driveId: string): DriveState {
  return tenant.store.state<DriveState>(`drive/${driveId}`, () => ({
    items: new Map(),
    children: new Map(),
    placeInFolder: new Map(),
    childChange: new Map(),
    names: new Map(),
    order: [],
    placeInOrder: new Map(),
    created: 0,
    log: createChangeLog(),
    logMs: [],
    journal: [],
    usedDelta: 0,
    deletedBytes: 0,
    sessions: new Map(),
    copies: new Map(),
  }));
}
