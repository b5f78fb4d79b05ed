import { z } from 'zod';
import { exportRefusals, preview, readRefusals } from './content/content.ts';
import { recoverySettings, selection } from './content/selections.ts';
import { saving } from './jobs.ts';
import { pageSizeMax } from './shared/limits.ts';
import { pageOf } from './shared/paging.ts';
import { defineRoute } from './shared/route.ts';
import { searchReason } from './query/search.ts';
import { id, instant, tenantParams } from './shared/values.ts';

/** What a message is called: the SHA-256 of its exact bytes. */
const messageId = z.string().regex(/^[0-9a-f]{64}$/u);

/** An archived message as a list shows it. */
const archivedMessage = z.object({
  messageId,
  /** Names it where its content is asked for, with `messageId` as its node. */
  locationId: id,
  sourceId: id,
  sequence: z.number().int(),
  subject: z.string(),
  from: z.string(),
  receivedAt: instant.nullable(),
  sentAt: instant.nullable(),
  sizeBytes: z.number(),
  hasAttachments: z.boolean(),
  /** The folders in which it was captured, each once. */
  folders: z.array(z.string()),
});
export type ArchivedMessage = z.infer<typeof archivedMessage>;

/** How a journaled message reached somebody; `recipient` where Exchange does not say. */
export const journalRoles = ['sender', 'to', 'cc', 'bcc', 'recipient'] as const;

/** The envelope of a journaled message, as far as the owner of the archive may know it; auditors see all of it. */
const journalEnvelope = z.object({
  sender: z.string(),
  recipients: z.array(
    z.object({ address: z.string(), role: z.enum(journalRoles), expanded: z.string().optional(), forwarded: z.string().optional() }),
  ),
});

/** What the signatures of a message were worth when it arrived. */
const arrivalSignatures = z.object({
  dkim: z.array(z.object({ domain: z.string(), selector: z.string(), result: z.string() })),
  arc: z.string(),
});

/** A place where a message was when it was captured; its flags are those of that time. */
const placement = z.object({
  folder: z.string(),
  /** What the provider called it there. */
  providerId: z.string(),
  capturedAt: instant,
  isRead: z.boolean(),
  isDraft: z.boolean(),
  /** Of journaled messages alone. */
  envelope: journalEnvelope.optional(),
  signatures: arrivalSignatures.optional(),
});

/** A legal hold that keeps a message; its reason is for those who may place holds. */
const keptBy = z.object({ name: z.string(), reason: z.string().nullable(), from: instant.nullable(), to: instant.nullable() });

/** A message of the archive, opened: its header, its text and parts, where it was, and why it is kept. */
export const openedMessage = z.object({
  messageId,
  mailbox: z.object({ mailboxId: id, name: z.string(), email: z.string() }),
  sizeBytes: z.number(),
  /** The bytes were read back and have the hash that is their name. */
  isVerified: z.boolean(),
  /** It was made from an item of Outlook, which never had the bytes of a message. */
  isReconstructed: z.boolean(),
  archivedAt: instant.nullable(),
  /** The header lines in their order, encoded words decoded. */
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  content: preview,
  placements: z.array(placement),
  /** When the longest minimum that a policy sets for it ends; null where none has an end, for archives keep everything else without end. */
  keptUntil: instant.nullable(),
  /** The retention policies that keep it, the longest first; without an end while the period waits for an event. */
  policies: z.array(z.object({ name: z.string(), until: instant.nullable() })),
  /** The retention policies that delete it, and from when on unless something keeps it; null while the period waits for an event. */
  deletedBy: z.array(z.object({ name: z.string(), from: instant.nullable(), isReviewed: z.boolean() })),
  holds: z.array(keptBy),
  /** The owner of the mailbox has marked it: neither a role nor a proxy right opens it, unless two people granted that. */
  isPrivate: z.boolean(),
  /** It is the reader's own mailbox, so that they may mark it. */
  isOwn: z.boolean(),
});
export type OpenedMessage = z.infer<typeof openedMessage>;

/** Which messages of an archived mailbox: those that are named, else those of a folder and of words of the subject, else all. */
const chosenMessages = z.object({
  reason: searchReason,
  messageIds: z.array(messageId).min(1, { error: 'validation.required' }).max(10_000).optional(),
  /** One folder by its path, as the mailbox lists them. */
  folder: z.string().max(4_000).optional(),
  /** Words of the subject. */
  subject: z.string().max(200).optional(),
});
export type ChosenMessages = z.infer<typeof chosenMessages>;

const ticket = z.object({ ticket: z.string().min(20).max(200) });
const messageParams = tenantParams.extend({ messageId });

/** The messages of archived mailboxes. What opens one asks for a ticket for it first, with a reason that is logged. */
export const archivedMessages = {
  list: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/mailboxes/:mailboxId/messages',
    action: 'search.run',
    summary: 'The messages of an archived mailbox that the reader may see, newest first; the look and its reason are logged',
    params: tenantParams.extend({ mailboxId: id }),
    body: z.object({
      reason: searchReason,
      /** One folder by its path, as the mailbox lists them. */
      folder: z.string().max(4_000).optional(),
      /** Words of the subject. */
      subject: z.string().max(200).optional(),
      cursor: z.string().max(2_000).optional(),
      limit: z.number().int().min(1).max(pageSizeMax).default(50),
    }),
    response: pageOf(archivedMessage),
    errors: ['not-found', 'content.read-right-needed'],
  }),
  select: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/mailboxes/:mailboxId/selections',
    action: 'search.run',
    summary: 'Keep messages of an archived mailbox, a folder of it or all of them, for a restore or an export; logged with its reason',
    params: tenantParams.extend({ mailboxId: id }),
    body: chosenMessages,
    status: 201,
    response: selection,
    errors: ['not-found', 'search.nothing-selected', 'content.read-right-needed'],
  }),
  restore: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/archive/restore',
    action: 'restore.run',
    summary: 'Put messages of an archived mailbox back into it, into a folder there or into another mailbox',
    params: tenantParams,
    body: chosenMessages.extend({
      mailboxId: id,
      target: recoverySettings.shape.target,
      collisions: recoverySettings.shape.collisions,
    }),
    status: 202,
    response: z.object({ jobId: id, selectionId: id }),
    errors: ['not-found', 'search.nothing-selected', 'content.read-right-needed', ...saving],
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/messages/:messageId',
    action: 'content.read',
    summary: 'One archived message with its header, parts, places, holds and hash, by a ticket for it',
    params: messageParams,
    query: ticket,
    response: openedMessage,
    errors: ['content.ticket-expired', 'content.item-unknown', ...readRefusals],
  }),
  markPrivate: defineRoute({
    method: 'PUT',
    path: '/api/:tenantId/archive/messages/:messageId/private',
    action: 'content.read',
    summary: 'Mark a message of your own mailbox as private or take the mark away, by a ticket for it; in its archive and its backups',
    params: messageParams,
    body: ticket.extend({ isPrivate: z.boolean() }),
    response: z.object({ isPrivate: z.boolean() }),
    errors: ['content.ticket-expired', 'content.item-unknown', 'archive.not-your-mailbox', ...readRefusals],
  }),
  proof: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/messages/:messageId/proof',
    action: 'content.read',
    summary:
      'What shows, by itself and the public key of the audit log alone, that a message was archived and has not changed; by a ticket for it',
    params: messageParams,
    query: ticket,
    response: 'download',
    errors: ['content.ticket-expired', 'content.item-unknown', 'archive.no-proof', ...readRefusals],
  }),
  raw: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/messages/:messageId/raw',
    action: 'content.read',
    summary: 'The exact bytes of an archived message, by a ticket for it',
    params: messageParams,
    query: ticket,
    response: 'download',
    errors: ['content.ticket-expired', 'content.item-unknown', ...exportRefusals],
  }),
  part: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/archive/messages/:messageId/parts/:part',
    action: 'content.read',
    summary: 'One attachment of an archived message, by a ticket for it',
    params: messageParams.extend({ part: z.coerce.number().int().min(0) }),
    query: ticket,
    response: 'download',
    errors: ['content.ticket-expired', 'content.item-unknown', ...exportRefusals],
  }),
};
