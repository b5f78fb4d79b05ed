export type { ImportSettings } from './jobs/import-settings.ts';
export { jobs, jobSort, jobsQuery, saving } from './jobs/job.ts';
export { jobApprovals, jobStatuses, type JobTraits } from './jobs/kind.ts';
export { jobName } from './jobs/name.ts';
export {
  askedTypes,
  completeBody,
  coveringTypes,
  job,
  jobAddress,
  jobBody,
  jobTypes,
  needsTenant,
  placeOf,
  gatheringTypes,
  protectingTypes,
  restoringTypes,
  storingTypes,
  traitsOf,
  typesWhere,
  type BodyOf,
  type Job,
  type JobBody,
  type JobType,
} from './jobs/registry.ts';
export { retentionRule, type RetentionRule } from './jobs/retention-rule.ts';
export {
  channelReference,
  countSources,
  folderPath,
  jobSource,
  sourceOptions,
  sourceReference,
  type ChannelReference,
  type JobSource,
  type SourceReference,
} from './jobs/source.ts';
