import { z } from 'zod';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams } from './shared/values.ts';

const count = z.number().int();
/** A day of receipt by UTC, `YYYY-MM-DD`; null stands for the messages without one. */
const day = z.iso.date().nullable();

/**
 * What backups have of a mailbox and what its archive has, by the day of receipt, as both were last compared, message by
 * message. Of what backups have is archived what is neither missing nor waiting, has an original, and was not erased.
 */
const archivedDay = z.object({
  date: day,
  inBackups: count,
  archived: count,
  /** Of the archived messages: those that journaling brought. */
  journaled: count,
  /** Of the archived messages: those that the search index has not read yet. */
  notSearchable: count,
  /** An archive job has passed them, and the archive does not have them. The next run takes them in. */
  missing: count,
  /** Came after the last run of the archive job. */
  waiting: count,
  /** Backups have parts of these alone. */
  withoutOriginal: count,
  /** Were in the archive and were erased from it. */
  erased: count,
  /** Of the archived messages: backups brought them, and journaling did not although it was on. */
  notJournaled: count,
  /** Of the archived messages: journaling brought them, and no backup has seen them although one was made since. */
  notCaptured: count,
});
export type ArchivedDay = z.infer<typeof archivedDay>;

/** Why a message is named: where it is missing. */
const gapReasons = ['missing', 'withoutOriginal', 'notJournaled', 'notCaptured', 'notSearchable'] as const;

/** A message that the archive, its journal, its backups or the index does not have: its name alone, no content. */
const missingMessage = z.object({
  /** The SHA-256 of its bytes; without an original what Microsoft 365 calls it. */
  messageKey: z.string(),
  date: day,
  reason: z.enum(gapReasons),
  receivedAt: instant.nullable(),
  sizeBytes: z.number(),
});
export type MissingMessage = z.infer<typeof missingMessage>;

const params = tenantParams.extend({ mailboxId: id });

/** Whether archives have what the backups of their mailboxes have: numbers and hashes, no content. */
export const archiveCompleteness = {
  days: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/mailboxes/:mailboxId/days',
    action: 'reporting.read',
    summary: 'For each day of receipt, how many messages backups have of a mailbox, and how many its archive has',
    params,
    query: listQuery({ sort: ['date'], filter: { incomplete: z.stringbool().optional() } }).omit({ search: true }),
    response: pageOf(archivedDay),
    errors: ['not-found'],
  }),
  missing: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/mailboxes/:mailboxId/missing',
    action: 'reporting.read',
    summary:
      'The messages of a mailbox that its archive, its journal, its backups or the index do not have, newest first; 10,000 of each comparison are named at most',
    params,
    query: listQuery({ sort: ['receivedAt'], filter: { date: z.iso.date().optional() } }).omit({ search: true }),
    response: pageOf(missingMessage),
    errors: ['not-found'],
  }),
  compare: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/mailboxes/:mailboxId/compare',
    action: 'jobs.run',
    summary: 'Compare the archive of a mailbox with its backups now; the server does so once a day by itself',
    params,
    response: z.object({ missing: count.nullable(), comparedAt: instant.nullable() }),
    errors: ['not-found'],
  }),
};
