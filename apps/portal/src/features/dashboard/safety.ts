import type { Overview } from '@holdfast/contract/dashboard';
import { isFirstBackup } from './first-backup.ts';

export interface Safety {
  readonly safe: number;
  /** What somebody excluded on purpose is not among them. */
  readonly total: number;
  /** Without a restore point, or not whole; what the first backup has not reached yet is not among them. */
  readonly needing: number;
  /** What the first backup has yet to reach. */
  readonly awaited: number;
  readonly newestPointAt: string | null;
}

/** The one sentence of the overview, in figures. */
export function safetyOf(workloads: Overview['workloads']): Safety {
  const start: Safety = { safe: 0, total: 0, needing: 0, awaited: 0, newestPointAt: null };
  return workloads.reduce((sum, figures) => {
    const missing = figures.unprotected;
    const isFirst = isFirstBackup(figures);
    const newest = [sum.newestPointAt, figures.newestPointAt]
      .filter((at) => at !== null)
      .toSorted((one, other) => one.localeCompare(other));
    return {
      safe: sum.safe + figures.protected,
      total: sum.total + figures.protected + figures.partly + missing,
      needing: sum.needing + figures.partly + (isFirst ? 0 : missing),
      awaited: sum.awaited + (isFirst ? missing : 0),
      newestPointAt: newest.at(-1) ?? null,
    };
  }, start);
}
