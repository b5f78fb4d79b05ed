/**
 * Reports: what ran, month by month and run by run, what is not protected and why, and what
 * verifications and drills have proved.
 *
 * Everything is read from runs, resources and the catalog. A month whose report is made says what that report says;
 * making it is the business of period reports. A month's id is made from tenant and month and stays the same.
 */
export { createReportingFeature } from './feature.ts';
export {
  createProtectionViews,
  peopleWithout,
  stateOfResources,
  type ProtectedResource,
  type ProtectionCounts,
  type ProtectionViews,
} from './protection.views.ts';
export { reportIdOf } from './report-id.ts';
export { createReportsViews, organisationZone, type ReportsViews } from './reports.views.ts';
