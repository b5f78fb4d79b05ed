import { z } from 'zod';
import { topMailboxOrders, unusedFor } from './dashboard.ts';
import { run } from './monitoring.ts';
import { listQuery, pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, tenantParams } from './shared/values.ts';

const count = z.number().int();

/** How far the newest run of an archive job got with a mailbox: everything, not everything, or nothing at all. */
export const archiveCoverages = ['complete', 'partly', 'none'] as const;
export type ArchiveCoverage = (typeof archiveCoverages)[number];

/** What an archive holds, counted in the commit that stored it. */
const counted = {
  messages: count,
  /** Messages with attachments. */
  attachments: count,
};

/** A mailbox that an archive job covers, with what is archived of it. */
export const archivedMailbox = z.object({
  mailboxId: id,
  /** Where its archive is stored; null while nothing was archived. */
  sourceId: id.nullable(),
  locationId: id.nullable(),
  name: z.string(),
  email: z.string(),
  /** Bytes of the original messages, each once. */
  size: z.number(),
  /** What the archive added to the vault: content that a backup stores there already takes no more space. */
  storedBytes: z.number(),
  ...counted,
  oldestAt: instant.nullable(),
  newestAt: instant.nullable(),
  /** When its newest message was received. */
  lastUsedAt: instant.nullable(),
  lastCapturedAt: instant.nullable(),
  isHeld: z.boolean(),
  coverage: z.enum(archiveCoverages),
  /** Why not everything is archived. */
  coverageCode: z.string().nullable(),
  /** Messages that backups have, that an archive job has passed and that the archive does not have; null until both were compared. */
  missing: count.nullable(),
  /** Messages of the archive that journaling, the backups or the search index do not have although they should. */
  unmatched: count.nullable(),
  comparedAt: instant.nullable(),
});
export type ArchivedMailbox = z.infer<typeof archivedMailbox>;

export const archivedMailboxesQuery = listQuery({
  sort: ['name', 'email', 'size', 'storedBytes', 'messages', 'attachments', 'oldestAt', 'newestAt', 'lastUsedAt', 'lastCapturedAt'],
  filter: {
    held: z.stringbool().optional(),
    /** Those that received nothing for so long; a mailbox without a message is unused. */
    unused: z.enum(unusedFor).optional(),
    coverage: z.enum(archiveCoverages).optional(),
  },
});

/** Messages are counted in each folder where they were. */
const archiveFolder = z.object({ path: z.string(), bytes: z.number(), ...counted });
/** Messages by the month in which they were received, `YYYY-MM`, by UTC. */
const archiveMonth = z.object({ month: z.string(), bytes: z.number(), ...counted });

export const archivedMailboxDetails = archivedMailbox.extend({ folders: z.array(archiveFolder), months: z.array(archiveMonth) });
export type ArchivedMailboxDetails = z.infer<typeof archivedMailboxDetails>;

export const topArchivedQuery = z.object({ by: z.enum(topMailboxOrders).default('size') });
export const topArchived = z.object({ items: z.array(archivedMailbox) });

/** What the archive holds, and what its last 30 days brought. */
export const archiveFigures = z.object({
  mailboxes: count,
  ...counted,
  bytes: z.number(),
  storedBytes: z.number(),
  /** Every day of the last 30 by the organisation's clock. */
  growth: z.array(z.object({ date: z.string(), messages: count, bytes: z.number() })),
  /** Messages that were archived in these days, and errors of archive jobs in them. */
  archived: count,
  failed: count,
  coverage: z.object({ complete: count, partly: count, none: count }),
  /** Mailboxes under a legal hold. */
  held: count,
  lastRun: run.nullable(),
  lastSuccessAt: instant.nullable(),
  /** When a location that holds archives was last read back. */
  lastSweepAt: instant.nullable(),
  /** The last mail of a journal receiver whose alarm is on. Null while mail arrives, and without a receiver. */
  receiverSilentSince: instant.nullable(),
  /** Archived messages of approved deletions that have not begun; a message in several locations or deletions counts once. */
  due: count,
  top: z.array(archivedMailbox),
});
export type ArchiveFigures = z.infer<typeof archiveFigures>;

/** What is archived of mailboxes: names and numbers, no content. */
export const archive = {
  dashboard: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/dashboard/archive',
    action: 'dashboard.read',
    summary: 'The mail archive in figures, with its last 30 days',
    params: tenantParams,
    response: archiveFigures,
  }),
  mailboxes: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/mailboxes',
    action: 'reporting.read',
    summary: 'Archived mailboxes; those alone that were unused for 30 days, 8 weeks or 6 months',
    params: tenantParams,
    query: archivedMailboxesQuery,
    response: pageOf(archivedMailbox),
  }),
  top: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/mailboxes/top',
    action: 'reporting.read',
    summary: 'The ten largest archived mailboxes by size, messages or messages with attachments, each once',
    params: tenantParams,
    query: topArchivedQuery,
    response: topArchived,
  }),
  csv: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/mailboxes/csv',
    action: 'reporting.read',
    summary: 'All archived mailboxes as CSV',
    params: tenantParams,
    response: 'download',
  }),
  mailbox: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/mailboxes/:mailboxId',
    action: 'reporting.read',
    summary: 'One archived mailbox with its folders and months',
    params: tenantParams.extend({ mailboxId: id }),
    response: archivedMailboxDetails,
    errors: ['not-found'],
  }),
};
