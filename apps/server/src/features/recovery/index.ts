/**
 * Recovery: the hits of a search put back in one go, whichever mailboxes, drives, sites and teams they are of.
 *
 * A run works on a selection, the frozen list that `search` keeps. It gives the engine the items of each resource as a
 * restore of its own, with the collision rules of every restore, and all of them are in one report.
 *
 * What one resource is restored from and to is the business of `restore`.
 */
export { createRecoveryKind } from './kind.ts';
