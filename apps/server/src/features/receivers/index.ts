/**
 * Receivers: journal mail comes in by SMTP and goes into archives.
 *
 * Each tenant has one receiver with a secret address. A worker listens where a port is set. A mail is answered with 250
 * when it is durable in packs, journal and catalog, whole groups of mails at a time; every fault of ours is a 4xx, so that
 * the sender keeps the mail. What came in is a resource of the vault of its own; from there its messages are placed in the
 * archives of their owners, who are found by every address that the directory ever had for them. Mail without an owner
 * waits until somebody assigns it.
 */
export { createReceiversFeature } from './feature.ts';
