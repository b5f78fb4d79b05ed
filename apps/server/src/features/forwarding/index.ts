/**
 * Forwarding: audit events and alarms leave the house.
 *
 * An organisation names destinations: a syslog server over TLS, a webhook with signed requests, or a file of JSON lines. Each
 * has a cursor: the number of the last event that it has received. Events are sent in the order of their numbers, one
 * batch at a time, and the cursor moves after the receipt: a process that dies in between sends the batch again. A
 * receiver that is away loses nothing; the waits between attempts grow to five minutes, the page shows what waits and
 * why, and after 15 minutes owners and administrators get a mail.
 *
 * Alarms are events too (`alarms.…`), so that a destination that wants alarms alone is the same machinery.
 */
export { createForwardingFeature } from './feature.ts';
