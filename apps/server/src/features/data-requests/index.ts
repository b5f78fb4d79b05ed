/**
 * Requests of people about their own data: access (Article 15 GDPR) and erasure (Article 17).
 *
 * The register has every request with the day it came in and the day it must be answered by; reminders go out before that. A
 * request for access lists everything about a person: what is theirs, as an erasure finds it, and items elsewhere
 * that have them as sender or recipient or mention their name. Items can be left out with a reason, and the rest is handed out as
 * an export. An erasure enters the register when its deletion is drafted.
 *
 * Deleting is the business of `deletions`, packing and signing that of `exports`, who may open what that of `content-access`.
 */
export { requestDetails } from './data-requests.views.ts';
export { dayOf } from './request-clock.ts';
export { createDataRequestsFeature, type DataRequestsFeature } from './feature.ts';
export type { RequestExports } from './request-exports.ts';
