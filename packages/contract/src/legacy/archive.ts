import { z } from 'zod';
import {
  archivedMailbox,
  archivedMailboxDetails,
  archivedMailboxesQuery,
  archiveFigures,
  topArchived,
  topArchivedQuery,
} from '../archive.ts';
import { pageOf } from '../shared/paging.ts';
import { defineRoute } from '../shared/route.ts';
import { id } from '../shared/values.ts';
import { workerIp } from '../workers.ts';

/** A worker and its index; a pair that does not belong together is not found. */
const pair = z.object({ workerIp, indexIp: workerIp });
const target = { tenantId: id.optional(), workerIp: workerIp.optional() };

/** The archive as the legacy surface asks for it. */
export const legacyArchive = {
  statistics: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/archive/statistics',
    action: 'dashboard.read',
    summary: 'The mail archive in figures, with its last 30 days',
    query: z.object({ tenantId: id.optional(), ip: workerIp.optional() }),
    response: archiveFigures,
  }),
  mailboxes: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/archive/mailboxes/:workerIp/:indexIp',
    action: 'reporting.read',
    summary: 'Archived mailboxes behind a worker',
    params: pair,
    query: archivedMailboxesQuery.extend({ tenantId: id.optional() }),
    response: pageOf(archivedMailbox),
    errors: ['not-found'],
  }),
  top: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/mailboxes/top',
    action: 'reporting.read',
    summary: 'The ten largest archived mailboxes by size, messages or messages with attachments, each once',
    query: topArchivedQuery.extend(target),
    response: topArchived,
  }),
  meta: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/archive/mailbox-meta',
    action: 'reporting.read',
    summary: 'One archived mailbox, by its address or id, with its folders and months',
    query: z.object({ ...target, mailbox: z.string().min(1).max(600) }),
    response: archivedMailboxDetails,
    errors: ['not-found'],
  }),
  csv: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/archive/downloadCSV/:workerIp/:indexIp',
    action: 'reporting.read',
    summary: 'All archived mailboxes behind a worker as CSV',
    params: pair,
    query: z.object({ tenantId: id.optional() }),
    response: 'download',
    errors: ['not-found'],
  }),
};
