import { z } from 'zod';
import { sourceReference } from './jobs/source.ts';
import { networkList } from './shared/networks.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, oneLine, tenantParams, timeOfDay } from './shared/values.ts';

const count = z.number().int();
const MEGABYTE = 1024 * 1024;

/** The largest journal report that a receiver can be set to take: Exchange Online sends no message above 150 MB. */
export const receiverMaxMegabytes = 200;

const minutes = z.int({ error: 'rules.minutes' }).min(0, { error: 'rules.minutes' }).max(10_080, { error: 'rules.minutes' });

export const receiverBody = z
  .object({
    name: oneLine(
      z.string({ error: 'validation.name' }).trim().min(1, { error: 'validation.name' }).max(100, { error: 'validation.name' }),
    ),
    locationId: id,
    isEnabled: z.boolean().default(true),
    /** Networks that Exchange sends from; every network where empty. */
    networks: networkList.default([]),
    maxMegabytes: z
      .int({ error: 'rules.receiverSize' })
      .min(1, { error: 'rules.receiverSize' })
      .max(receiverMaxMegabytes, { error: 'rules.receiverSize' })
      .default(160),
    /** Alarm after so many minutes of business without a mail; 0 for none. */
    silenceMinutes: minutes.default(60),
    /** Days of business, Monday is 1. */
    businessDays: z.array(z.int().min(1).max(7)).max(7).default([1, 2, 3, 4, 5]),
    businessFrom: timeOfDay.default('08:00'),
    businessTo: timeOfDay.default('18:00'),
  })
  .refine(({ businessFrom, businessTo }) => businessFrom < businessTo, { path: ['businessTo'], error: 'rules.businessHours' });
export type ReceiverBody = z.output<typeof receiverBody>;
export type ReceiverDraft = z.input<typeof receiverBody>;

/** The worker that listens, as it said within the last minutes. */
const listening = z.object({
  hostName: z.string(),
  port: count,
  seenAt: instant,
  certificateEndsAt: instant,
  /** SHA-256 of the certificate, as Exchange and browsers show it. */
  certificateSha256: z.string(),
});

export const receiver = z.object({
  receiverId: id,
  name: z.string(),
  locationId: id,
  isEnabled: z.boolean(),
  /** Where Exchange sends journal reports. Whoever knows the address can send to it. */
  address: z.string(),
  networks: z.array(z.string()),
  maxMegabytes: count,
  silenceMinutes: count,
  businessDays: z.array(count),
  businessFrom: z.string(),
  businessTo: z.string(),
  createdAt: instant,
  creator: z.string(),
  listening: listening.nullable(),
  /** Journal reports that were taken in, each once. */
  received: count,
  receivedBytes: z.number(),
  lastReceivedAt: instant.nullable(),
  /** Reports with messages in the archive of somebody, and those whose owners have not been looked for. */
  placed: count,
  waiting: count,
  unassigned: count,
  broken: count,
  /** Reports whose owners are all exempt: they are in no archive. */
  exempt: count,
  /** Messages that were erased from an archive before, and stay erased there. */
  erasedBefore: count,
  silentSince: instant.nullable(),
  /** When a mail could not be stored the last time, and the code of the fault. The sender tries again. */
  lastFailedAt: instant.nullable(),
  lastFailure: z.string().nullable(),
});
export type Receiver = z.output<typeof receiver>;

/** What a test message came to. */
export const receiverTestResults = ['stored', 'refused', 'unreachable', 'notListening'] as const;

export const brokenReports = ['unreadable', 'no-report', 'no-message', 'no-envelope'] as const;

/** Mail without an owner, by address; those without an envelope by what is wrong with them. */
const unassigned = z.object({
  address: z.string().nullable(),
  broken: z.enum(brokenReports).nullable(),
  messages: count,
  bytes: z.number(),
  oldestAt: instant,
  newestAt: instant,
});
export type UnassignedMail = z.output<typeof unassigned>;

const receiverParams = tenantParams.extend({ receiverId: id });
const saving = ['jobs.location-unknown', 'jobs.location-use'] as const;

/** Receivers of journal reports by SMTP. Names and numbers alone: what came in is opened in the archives. */
export const receivers = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/receivers',
    action: 'receivers.manage',
    summary: 'Receivers of journal mail with their addresses, counters, alarms and the certificate of their worker',
    params: tenantParams,
    response: z.object({ items: z.array(receiver) }),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/receivers',
    action: 'receivers.manage',
    summary: 'Add the receiver of a tenant; its secret address is made',
    params: tenantParams,
    body: receiverBody,
    response: receiver,
    status: 201,
    errors: [...saving, 'receivers.one-each'],
  }),
  change: defineRoute({
    method: 'PUT',
    path: '/api/:tenantId/archive/receivers/:receiverId',
    action: 'receivers.manage',
    summary: 'Change a receiver, or pause it: Exchange keeps what it cannot deliver for about two days',
    params: receiverParams,
    body: receiverBody,
    response: receiver,
    errors: ['not-found', 'receivers.location-stays'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/:tenantId/archive/receivers/:receiverId',
    action: 'receivers.manage',
    summary: 'Remove a receiver; what it took in stays in the archives, and nothing may be left without an owner',
    params: receiverParams,
    response: 'empty',
    status: 204,
    errors: ['not-found', 'receivers.has-unassigned'],
  }),
  test: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/receivers/:receiverId/test',
    action: 'receivers.manage',
    summary: 'Send a journal report from yourself to yourself to the receiver by SMTP, and wait until it is stored',
    params: receiverParams,
    response: z.object({ result: z.enum(receiverTestResults), detail: z.string() }),
    errors: ['not-found'],
  }),
  renewAddress: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/receivers/:receiverId/address',
    action: 'receivers.manage',
    summary: 'Give a receiver a new address; the old one is refused at once',
    params: receiverParams,
    response: receiver,
    errors: ['not-found'],
  }),
  unassigned: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/receivers/:receiverId/unassigned',
    action: 'receivers.manage',
    summary: 'Mail whose owner nobody knows, counted by address: at most the 500 addresses with the most mail',
    params: receiverParams,
    response: z.object({ items: z.array(unassigned) }),
    errors: ['not-found'],
  }),
  assign: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/receivers/:receiverId/unassigned',
    action: 'receivers.manage',
    summary: 'Place the mail of an address in the archive of somebody, from now on too; or the broken reports',
    params: receiverParams,
    body: z.object({
      /** Null for the reports without a readable envelope. */
      address: z.string().trim().toLowerCase().min(3).max(320).nullable(),
      mailbox: sourceReference,
    }),
    response: z.object({ messages: count }),
    errors: ['not-found', 'import.mailbox-unknown', 'import.mailbox-exempt'],
  }),
};

export const bytesOfMegabytes = (megabytes: number): number => megabytes * MEGABYTE;
