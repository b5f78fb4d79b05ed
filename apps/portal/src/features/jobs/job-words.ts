import type { Job } from '@holdfast/contract/jobs';
import type { PhraseKey } from '../../i18n/phrase-key.ts';

/** The words for the kinds of jobs. */
export const jobTypeNames: Readonly<Record<Job['type'], PhraseKey>> = {
  backup: 'jobs.typeBackup',
  archive: 'jobs.typeArchive',
  restore: 'jobs.typeRestore',
  deletion: 'jobs.typeDeletion',
  verify: 'jobs.typeVerify',
  drill: 'jobs.typeDrill',
};

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
