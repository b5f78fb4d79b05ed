/**
 * Legal holds in the portal: what nobody deletes, and why.
 *
 * `HoldForm` places one, on a resource that another feature shows, on what a saved search finds or on a period. The page lists them and asks
 * for their end; approving that is the business of `approvals`.
 */
export { HoldDetails } from './hold-details.tsx';
export { useHoldWords } from './hold-words.ts';
export { HoldForm } from './hold-form.tsx';
export { HoldTable } from './hold-table.tsx';
