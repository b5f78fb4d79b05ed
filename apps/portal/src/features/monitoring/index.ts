/**
 * Runs in the portal: what is running, what has run, and the page of one run with its resources, its
 * errors and, for a restore, its report item by item.
 *
 * `LiveEvents` keeps one stream of events a tab: an event names what has changed, and the queries that
 * show it are read again. While the stream is silent the same is read by polling, marked as background
 * so that it never counts as activity.
 *
 * Starting and stopping jobs is the business of `jobs`.
 */
export { Monitor } from './monitor-of-area.tsx';
export { queryOf, type RunArea } from './run-area.ts';
export { RunList } from './run-list.tsx';
export { RunReport } from './run-report.tsx';
export { RunNews } from './run-news-region.tsx';
export { RunProgress } from './run-progress.tsx';
export { useAccountColumns, useAccountFilters } from './run-accounts.tsx';
export { useRunColumns, useRunFilters } from './run-columns.tsx';
export { useRun } from './monitoring.queries.ts';
