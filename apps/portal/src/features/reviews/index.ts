/**
 * Review sets of cases in the portal: their list in a case, and the page on which one is read and decided by keyboard.
 */
export { ReviewSets } from './review-sets.tsx';
export { ReviewView } from './review-view.tsx';
