/**
 * Review sets of eDiscovery cases: what queries found, frozen into a list whose items reviewers decide about one by one.
 *
 * A set names contents by their hash and their place; it keeps no subject and no sender, so that what is erased leaves none
 * behind. Copies of a content are read once and decided together. Whoever decides names the decision that they saw: one that
 * came in between is never overwritten. Lists and decisions are in the log of the case before they are answered; a content
 * is opened like any other, by `content`.
 */
export { createReviewsFeature } from './feature.ts';
export { createThreadsKind } from './threads.kind.ts';
export type { ReviewExports } from './review-exports.ts';
