/**
 * Discovery: who and what can be protected, and what a location holds of them.
 *
 * Pickers read the directory live, through a short memory so that paging does not ask Microsoft again,
 * joined with what is protected. Sources, restore points and nodes come from the catalog alone: a folder
 * at any time is one indexed query, and what no longer exists in Microsoft 365 is there all the same.
 *
 * Opening the content of an item is not its business: that asks for a reason and is logged.
 */
export { createDiscoveryFeature } from './feature.ts';
export { createBrowseViews, type BrowseViews } from './browse.views.ts';
export { pageOfCandidates, type CandidatesQuery } from './candidates.ts';
export type { Directory, ListName } from './directory.service.ts';
export { createProtectionOfViews, type Protection, type ProtectionOfViews } from './protection-of.views.ts';
export { createSourcesViews, type SourcePlace, type SourcesViews } from './sources.views.ts';
