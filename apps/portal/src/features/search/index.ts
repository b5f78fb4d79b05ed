/**
 * Search in the portal: one box over everything that is kept, its hits and the reading pane.
 *
 * Cases show their own hits with the same parts.
 */
export { Coverage } from './coverage.tsx';
export { HitList } from './hit-list.tsx';
export { ReadingPane } from './reading-pane.tsx';
