/**
 * Dashboards: is everything safe, and if not, what first?
 *
 * One answer holds all workloads: how many resources are protected and which are not, the last run of
 * each, storage, evidence, next runs, and what needs attention. Figures accumulate over the last thirty
 * days. All of it is read from runs, resources and the catalog; nothing is counted twice or stored here.
 */
export { createDashboardFeature } from './feature.ts';
export type { FiguresViews } from './figures.views.ts';
export { unusedSince } from './unused.ts';
export { createMailboxesViews } from './mailboxes.views.ts';
