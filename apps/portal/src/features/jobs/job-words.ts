import type { Job } from '@holdfast/contract/jobs';
import type { Workload } from '@holdfast/contract/values';
import type { PhraseKey, Translate } from '../../i18n/phrase-key.ts';

/** The words for the kinds of jobs. */
export const jobTypeNames: Readonly<Record<Job['type'], PhraseKey>> = {
  backup: 'jobs.typeBackup',
  archive: 'jobs.typeArchive',
  import: 'jobs.typeImport',
  restore: 'jobs.typeRestore',
  recovery: 'jobs.typeRecovery',
  deletion: 'jobs.typeDeletion',
  verify: 'jobs.typeVerify',
  drill: 'jobs.typeDrill',
  scan: 'jobs.typeScan',
  cleanUp: 'jobs.typeCleanUp',
  monthlyReport: 'jobs.typeMonthlyReport',
  export: 'jobs.typeExport',
  erasure: 'jobs.typeErasure',
  threads: 'jobs.typeThreads',
  undo: 'jobs.typeUndo',
};

/** The word for the workload of a job or a run; empty for kinds that have none. */
export function workloadWord(of: { readonly type: Job['type']; readonly workload?: Workload | null }, text: Translate): string {
  return of.workload ? text(`common.${of.workload}`) : '';
}

/** The name of a job's location; empty for kinds that store nothing. */
export function locationWord(job: Job): string {
  return 'locationName' in job ? job.locationName : '';
}

/** Names of the days from Monday on, as the schedule counts them. */
export const dayNames: readonly PhraseKey[] = [
  'kit.monday',
  'kit.tuesday',
  'kit.wednesday',
  'kit.thursday',
  'kit.friday',
  'kit.saturday',
  'kit.sunday',
];
