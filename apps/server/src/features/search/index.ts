/**
 * One search over everything that is kept.
 *
 * The indexer reads the words of each version of an item from the vault, newest first, and writes them beside the
 * catalog; what the catalog forgets leaves the index with it. A query becomes sets of items that are joined by their
 * numbers. A search is written into the audit log in the transaction that answers it.
 *
 * How a query is read is the business of `contract/query`; what the words of an item are, of the engine.
 */
export { createSearchFeature, type SearchFeature } from './feature.ts';
