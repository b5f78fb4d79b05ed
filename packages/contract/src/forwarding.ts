import { z } from 'zod';
import { defineRoute } from './shared/route.ts';
import { id, instant, oneLine } from './shared/values.ts';

/** How events leave: a syslog server over TLS, a web address that receives signed requests, or a file of JSON lines. */
export const destinationKinds = ['syslog', 'webhook', 'file'] as const;
/** `alarms`: only what somebody should act on, such as failed runs. */
export const feeds = ['everything', 'alarms'] as const;
/** What a webhook receives: the events as JSON, or a message that Teams or Slack shows in a channel. */
export const messageForms = ['events', 'teams', 'slack'] as const;
/** Why the last attempt failed. */
export const sendFailures = ['unreachable', 'untrusted', 'timedOut', 'refused', 'hostRefused', 'notWritten', 'unreadable'] as const;

export const syslogPort = 6514;
const certificateMost = 65_536;
const tooLong = { error: 'validation.tooLong' } as const;
const portRange = { error: 'validation.port' } as const;

/** Certificates (PEM) that the receiver's must lead to; those that Node trusts where empty. */
const ca = z.string().trim().max(certificateMost, tooLong).default('');
const shared = {
  name: oneLine(z.string({ error: 'validation.name' }).trim().min(1, { error: 'validation.name' }).max(100, { error: 'validation.name' })),
  feed: z.enum(feeds).default('everything'),
  isEnabled: z.boolean().default(true),
  /** Begin with the oldest event of the log instead of the next one. Read when a destination is created. */
  fromStart: z.boolean().default(false),
};

export const destinationBody = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('syslog'),
    host: z
      .string({ error: 'validation.host' })
      .trim()
      .max(253, tooLong)
      .regex(/^[A-Za-z0-9_.:-]+$/, { error: 'validation.host' }),
    port: z.int(portRange).min(1, portRange).max(65_535, portRange).default(syslogPort),
    ca,
    ...shared,
  }),
  z.object({
    kind: z.literal('webhook'),
    url: z.url({ protocol: /^https?$/, error: 'rules.url' }).max(2_000, tooLong),
    form: z.enum(messageForms).default('events'),
    ca,
    ...shared,
  }),
  z.object({ kind: z.literal('file'), ...shared }),
]);
export type DestinationBody = z.output<typeof destinationBody>;
export type DestinationDraft = z.input<typeof destinationBody>;

/** What went wrong: `detail` is a status, or the name of a failure of the system. */
const sendFailure = z.object({ reason: z.enum(sendFailures), detail: z.string() });
export type SendFailureView = z.output<typeof sendFailure>;

export const destination = z.object({
  destinationId: id,
  name: z.string(),
  kind: z.enum(destinationKinds),
  feed: z.enum(feeds),
  isEnabled: z.boolean(),
  host: z.string().nullable(),
  port: z.number().int().nullable(),
  url: z.string().nullable(),
  /** Of a webhook. */
  form: z.enum(messageForms).nullable(),
  ca: z.string(),
  /** The folder on the server that the files of a destination of this kind are written to. */
  folder: z.string().nullable(),
  createdAt: instant,
  creator: z.string(),
  lastSentAt: instant.nullable(),
  /** Events that wait, counted up to a thousand. */
  backlog: z.number().int(),
  /** Since when every attempt has failed. */
  failingSince: instant.nullable(),
  nextAttemptAt: instant.nullable(),
  lastFailure: sendFailure.nullable(),
});
export type Destination = z.output<typeof destination>;

/** The key of a webhook's signatures, in the answer that creates it and in no other; null for the other kinds. */
const withSecret = destination.extend({ secret: z.string().nullable() });

/** Which of my organisations: the one chosen last when it is left out. */
const query = z.object({ organisationId: id.optional() });
const params = z.object({ destinationId: id });
const saving = ['forwarding.host-refused', 'forwarding.certificate-invalid'] as const;

/** Where audit events and alarms are sent outside. */
export const forwarding = {
  list: defineRoute({
    method: 'GET',
    path: '/api/audit-destinations',
    action: 'audit.export',
    summary: 'Where audit events are sent, how far each destination is and why it stands still; never a secret',
    query,
    response: z.object({ items: z.array(destination) }),
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/audit-destinations',
    action: 'forwarding.manage',
    summary: 'Add a destination; the secret of a webhook is shown in this answer only',
    query,
    body: destinationBody,
    response: withSecret,
    status: 201,
    errors: [...saving, 'forwarding.too-many'],
  }),
  change: defineRoute({
    method: 'PUT',
    path: '/api/audit-destinations/:destinationId',
    action: 'forwarding.manage',
    summary: 'Change a destination, or pause it: what happens meanwhile is sent later',
    params,
    query,
    body: destinationBody,
    response: destination,
    errors: [...saving, 'forwarding.kind-stays'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/audit-destinations/:destinationId',
    action: 'forwarding.manage',
    summary: 'Remove a destination; what it has not received is not sent',
    params,
    query,
    response: 'empty',
    status: 204,
  }),
  test: defineRoute({
    method: 'POST',
    path: '/api/audit-destinations/:destinationId/test',
    action: 'forwarding.manage',
    summary: 'Send a test event now, by the same way as the events of the log',
    params,
    query,
    response: z.object({ failure: sendFailure.nullable() }),
  }),
  renewSecret: defineRoute({
    method: 'POST',
    path: '/api/audit-destinations/:destinationId/secret',
    action: 'forwarding.manage',
    summary: 'Give a webhook a new secret, shown in this answer only; the old one signs nothing more',
    params,
    query,
    response: z.object({ secret: z.string() }),
  }),
};
