/**
 * eDiscovery cases: a matter, who works on it, whose data it is about, what is searched for, and what is held.
 *
 * Only members and the owners of the organisation see a case; to everybody else it does not exist. Custodians are people
 * whose mailboxes, OneDrives and chats are in the backups, looked up each time so that what is backed up later belongs to
 * them too. Queries look at nothing else. Everything that is done in a case is in the audit log, from which its own log is read.
 *
 * Holds are placed and released by `holds`; searching is the business of `search`, reading what was found that of `reviews`.
 */
export { createCaseGround } from './case-ground.views.ts';
export type { CaseAsking } from './case-access.ts';
export type { CaseExports } from './case-exports.ts';
export { caseScopeOf, type CaseReviews, type CaseScope } from './case-reviews.ts';
export { createCasesFeature, type CasesFeature } from './feature.ts';
export { caseAskingOf } from './cases.routes.ts';
