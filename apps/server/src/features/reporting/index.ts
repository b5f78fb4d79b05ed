/**
 * Reports: what ran, month by month and run by run, what is not protected and why, and what
 * verifications and drills have proved.
 *
 * Everything is read from runs, resources and the catalog; nothing is stored for a report, so a report
 * can't disagree with what happened. A month's id is made from tenant and month and stays the same.
 */
export { createReportingFeature } from './feature.ts';
export { createProtectionViews, type ProtectionCounts, type ProtectionViews } from './protection.views.ts';
export { createReportsViews, organisationZone, type ReportsViews } from './reports.views.ts';
