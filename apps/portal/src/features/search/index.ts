/**
 * Search in the portal: one box over everything that is kept, its hits and the reading pane.
 *
 * Cases show their own hits with the same parts.
 */
export { Coverage } from './coverage.tsx';
export { HitsToRead } from './hits-to-read.tsx';
export { ReadingPane } from './reading-pane.tsx';
