/**
 * The audit log: who did what, when, to what, from where, kept so that tampering shows.
 *
 * An event is written into the inbox in the transaction of the change it records, so that neither is
 * there without the other. One sequencer numbers events without gaps and appends each as a leaf to an
 * RFC 6962 Merkle tree; signed checkpoints of the tree are kept in the database and in a file beside it.
 *
 * Every night the whole log is verified, once, whichever process does it; what it found stands on the
 * page of the log and among the evidence, and a deviation is mailed to owners and administrators.
 *
 * A feature calls `audit.record(tx, { event, actor, subject })` with its own transaction and thinks no
 * further. Deciding what is worth an event is the business of the features; secrets and the content of
 * messages never belong into one.
 */
export type { AuditActor, AuditEntry, AuditEvent, AuditValue } from './audit-entry.ts';
export { viewOf as auditEventView, type AuditEventView } from './audit-event-view.ts';
export { eventsAfter, type StoredCheckpoint } from './audit-log.store.ts';
export { TIMESTAMPED, type LogStamps, type StampedNote } from './log-stamps.ts';
export { createAuditInbox, type AuditInbox } from './audit-inbox.store.ts';
export { createAuditFeature, type AuditFeature, type PrintedLog } from './feature.ts';
export type { AuditService, CoveredEvents } from './audit.service.ts';
export { readCheckpoint, verifierKey } from './checkpoint-note.ts';
export { eventLeaf } from './leaf.ts';
export { leafHash, rootFromPath, treeOver } from './merkle-tree.ts';
export { eventsAbout, everyEvent, type SubjectEvent } from './subject-events.views.ts';
export type { NightlyStore } from './nightly.store.ts';
export { nobody } from './nobody.ts';
