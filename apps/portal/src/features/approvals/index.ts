/**
 * Four eyes in the portal: what waits for a second person, who can decide it, and what was decided.
 * Pages whose changes need approval list their own requests with `ApprovalList`.
 */
export { ApprovalList } from './approval-list.tsx';
