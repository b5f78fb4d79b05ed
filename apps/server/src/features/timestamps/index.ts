/**
 * Time stamps (RFC 3161) on the audit log: once a day an authority outside of the installation attests when the newest
 * checkpoint existed. An installation alone could sign another past with its own key; together with an authority it cannot.
 *
 * A stamp is an event of the log too, so that the next one covers it, and one that was taken away is missed.
 */
export { createTimestampsFeature, type TimestampsFeature } from './feature.ts';
export { readRoots } from './roots.ts';
export { checkTimestamp, type TimestampVerdict } from './token.ts';
