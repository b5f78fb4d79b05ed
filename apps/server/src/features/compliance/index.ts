/**
 * What SharePoint and OneDrive hold: a file manager over every restore point, and reports on versions, duplicates,
 * stale files, exposure, numbers that guests can read, owners who have left and sites that nobody owns.
 *
 * A scan is a run: it reads from the catalog what backups have changed since the last one and keeps a row for each file, earlier
 * version and share. Reports are sums over these rows. Microsoft 365 is asked for two things alone: whether the versions
 * that the script of a clean-up deletes are gone, and whether owners of whom nothing else is protected are. Nothing is deleted there.
 *
 * Opening contents belongs to `content`, restoring them to `restore`.
 */
export { createComplianceFeature } from './feature.ts';
export { createDataReports } from './data-reports.ts';
export { createCleanUpKind } from './clean-up.kind.ts';
export { createCleanUpsStore } from './clean-ups.store.ts';
export { createScanKind } from './scan.kind.ts';
export { createScanReportStore } from './scan-report.store.ts';
export { createScanSourcesStore } from './scan-sources.store.ts';
export { createAbsentOwnersStore } from './absent-owners.store.ts';
export { createTrimmedVersionsStore } from './trimmed-versions.store.ts';
