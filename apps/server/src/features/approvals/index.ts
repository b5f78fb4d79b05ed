/**
 * Approvals: four eyes for what takes away something that others rely on to be kept.
 *
 * A deletion job and a shorter retention come into force when a second person who is entitled to them
 * has approved them, never by the one who asked. An organisation where nobody else is entitled may choose a
 * delay of 24 hours instead, of which all owners are told at once. The audit log says which it was.
 *
 * A feature calls `approvals.ask(tx, …)` in the transaction that saves what is wanted, and says with
 * `approvals.on(kind, effects)` what is to happen in the end. Newer wishes about the same thing supersede
 * older ones, so that what is approved is what was seen. What the effects do is the business of the feature.
 */
export type { Approvals, ApprovalEffects, Asked, Dropped } from './approvals.service.ts';
export { createApprovalsFeature } from './feature.ts';
