/**
 * Notices of legal holds: what custodians are told by mail, and whether they have acknowledged it.
 *
 * Each mail has a link of its own that reads and acknowledges one notice and opens nothing else; it ends after 90 days or with
 * the hold. Whoever does not acknowledge is reminded at most five times. A mail counts as sent when a mail server has
 * taken it. The holds of a case are one matter: their notices are shown on each of them.
 *
 * What a hold keeps is the business of `holds`, and sending that of the mail queue. Staging sends no notices.
 */
export { createHoldNoticesFeature } from './feature.ts';
