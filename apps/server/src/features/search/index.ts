/**
 * One search over everything that is kept.
 *
 * The indexer reads the words of each version of an item from the vault, newest first, and writes them beside the
 * catalog; what the catalog forgets leaves the index with it. A query becomes sets of items that are joined by their
 * numbers. A search is written into the audit log in the transaction that answers it.
 *
 * A search can be saved under a name, with an alert. Other features refer to it by its id: they read it with `saved` and
 * register what uses it, so that it is not deleted under them.
 *
 * Hits are chosen into a selection, a list that does not change: exports and restores work on it.
 *
 * How a query is read is the business of `contract/query`; what the words of an item are, of the engine.
 */
export { createSearchFeature, type SearchFeature } from './feature.ts';
export { batchesOf, keysIn, openVaults } from './selection-files.ts';
export {
  createSelectionReader,
  forgetSelections,
  keepSelection,
  hitsToKeep,
  keepHits,
  keysByResource,
  readSelection,
  selectionExpiry,
  sourcesOf,
  type NewSelection,
  type SelectedKey,
  type SelectionPart,
  type SelectionReader,
} from './selections.store.ts';
export { placeOf as searchPlaceOf, readQuery } from './search-place.ts';
export { readSavedSearch } from './saved-searches.store.ts';
export { asksForMarks } from './query-marks.ts';
export {
  readSearchVersions,
  readStandingSearch,
  unreadableItems,
  unreadItems,
  type SearchVersion,
  type StandingSearch,
} from './standing-searches.store.ts';
export { foundLabels, itemsOfUnknownLabels, labelIdsOf, labelledItems, labelledNow } from './labels.views.ts';
export type { FindUses } from './search-uses.ts';
export { linksAsSent, type LinkAsSent } from './as-sent.views.ts';
export { coverageOf } from './coverage.views.ts';
export { hitsByNumber, hitsPage } from './hits-page.views.ts';
export { hitsOf, hitsOfEach, monthsOf, type SearchPlace, type SearchPlaces, type SearchWithin } from './search.views.ts';
