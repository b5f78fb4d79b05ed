import { z } from 'zod';
import { defineRoute } from '../shared/route.ts';
import { drawnPage, id, instant, pageNumber, tenantParams } from '../shared/values.ts';

/** Why content stays closed: no right to do this, one for another time, or nobody's right counts. Routes that open content name the codes of what they do. */
export const readRefusals = ['content.read-right-needed', 'content.outside-period', 'content.exempt', 'content.private'] as const;
export const leaveRefusals = [
  'content.export-right-needed',
  'content.restore-right-needed',
  'content.outside-period',
  'content.exempt',
  'content.private',
] as const;
export const exportRefusals = ['content.export-right-needed', 'content.outside-period', 'content.exempt', 'content.private'] as const;

/** A right to look at one item: reason given, right checked, logged. Good for one use within a minute. */
export const contentTicket = z.object({ ticket: z.string(), expiresAt: instant });

const attachment = z.object({ index: z.number().int(), name: z.string(), mediaType: z.string(), sizeBytes: z.number() });

/** A file that the item links to, in the version that was the newest when the item was sent. */
export const linkedFile = z.object({
  link: z.string(),
  sentAt: instant,
  locationId: id,
  sourceId: id,
  nodeId: z.string(),
  sequence: z.number().int(),
  name: z.string(),
  owner: z.string(),
  version: z.string(),
  modifiedAt: instant,
  /** The version itself, an earlier one because it is not kept, or the first one after because none from before is. */
  rule: z.enum(['last-change-before', 'earlier-kept', 'first-kept-after']),
});
export type LinkedFile = z.infer<typeof linkedFile>;

/** An item made readable. HTML is never part of it: `frame` is the address of a sandboxed document. */
export const preview = z.object({
  kind: z.string(),
  title: z.string(),
  from: z.string().nullable(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  at: instant.nullable(),
  text: z.string().nullable(),
  frame: z.string().nullable(),
  attachments: z.array(attachment),
  properties: z.array(z.object({ name: z.string(), value: z.string() })),
  versions: z.array(z.object({ label: z.string(), at: instant.nullable(), sizeBytes: z.number() })),
  /** What it refers to and Microsoft 365 has lost for good; everything else of it is protected. */
  gone: z.array(z.object({ part: z.enum(['picture', 'photo', 'version']), name: z.string(), since: instant })),
  /** Kept files that it links to, as sent; absent where there is none that the reader may find. */
  links: z.array(linkedFile).optional(),
});
export type Preview = z.infer<typeof preview>;

/** A message of a chat or channel among those around it. */
const conversationMessage = z.object({
  nodeId: z.string(),
  /** The message that was asked for. */
  isHit: z.boolean(),
  isReply: z.boolean(),
  author: z.string().nullable(),
  at: instant.nullable(),
  subject: z.string().nullable(),
  text: z.string().nullable(),
  attachments: z.array(z.string()),
  /** It is no longer in Microsoft 365. */
  isDeleted: z.boolean(),
  isEdited: z.boolean(),
});

/**
 * What may have been said before the first message of a conversation and is not in it: more than is shown, what was deleted before
 * the oldest restore point, the post that began the thread, and what the period of a case leaves out.
 */
export const gapsBefore = ['moreBefore', 'beforeRestorePoints', 'noFirstPost', 'casePeriodBefore'] as const;
/** The same after the last message. */
export const gapsAfter = ['moreAfter', 'afterRestorePoints', 'casePeriodAfter'] as const;
/** All that may be missing from a conversation; a right that opens less than all of it leaves messages out anywhere. */
const conversationGaps = [...gapsBefore, ...gapsAfter, 'limitedRight'] as const;

/** A message of a chat or channel with its surroundings. */
export const conversation = z.object({
  kind: z.enum(['chat', 'thread']),
  title: z.string(),
  /** Of a chat: 12 hours before and after the message, as far as the right reaches; null for a thread, which is shown whole. */
  from: instant.nullable(),
  to: instant.nullable(),
  /** The restore points that the messages are from. */
  oldestPointAt: instant,
  newestPointAt: instant,
  gaps: z.array(z.enum(conversationGaps)),
  messages: z.array(conversationMessage),
});
export type Conversation = z.infer<typeof conversation>;
export type ConversationGap = (typeof conversationGaps)[number];

/** The item as it is stored, as text: of a message the header lines and everything below them. */
export const originalSource = z.object({ text: z.string(), isCut: z.boolean() });

export const contentTicketBody = z.object({
  locationId: id,
  sourceId: id,
  nodeId: z.string().min(1).max(1_000),
  sequence: z.number().int().min(1).optional(),
  reason: z.string().trim().min(3, { error: 'validation.reason' }).max(500, { error: 'validation.tooLong' }),
});

export const ticketParams = tenantParams.extend({ ticket: z.string().min(20).max(200) });
/** A file as it was in this version, by the label that the preview gave. */
const version = z.string().min(1).max(60).optional();

/** Files of which pages are drawn, by the endings of their names: PDF files and pictures. */
const drawnEndings = /\.(?:pdf|png|jpe?g|jfif|gif|bmp|webp|avif)$/iu;
export const isDrawn = (fileName: string): boolean => drawnEndings.test(fileName);

export const content = {
  conversation: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/conversations',
    action: 'content.read',
    summary: 'A message of a chat or channel with what was said around it; the reason is logged',
    params: tenantParams,
    body: contentTicketBody,
    response: conversation,
    errors: ['content.item-unknown', 'content.no-conversation', ...readRefusals],
  }),
  open: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/content-tickets',
    action: 'content.read',
    summary: 'Ask to read one item; the reason is logged',
    params: tenantParams,
    body: contentTicketBody,
    response: contentTicket,
    status: 201,
    errors: ['content.item-unknown', ...readRefusals],
  }),
  preview: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/content-tickets/:ticket',
    action: 'content.read',
    summary: 'The item of a ticket, made readable',
    params: ticketParams,
    query: z.object({ version }),
    response: preview,
    errors: ['content.ticket-expired', 'content.item-unknown', ...readRefusals],
  }),
  page: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/content-tickets/:ticket/pages/:page',
    action: 'content.read',
    summary: 'A page of the file of a ticket as a picture: of a PDF file, or a picture, which has one',
    params: ticketParams.extend({ page: pageNumber }),
    query: z.object({ version, size: z.enum(['page', 'thumbnail']).default('page') }),
    response: drawnPage,
    errors: ['content.ticket-expired', 'content.item-unknown', 'content.not-shown', ...readRefusals],
  }),
  source: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/content-tickets/:ticket/source',
    action: 'content.read',
    summary: 'The stored bytes of the item of a ticket as text, cut after 256 KiB',
    params: ticketParams,
    response: originalSource,
    errors: ['content.ticket-expired', 'content.item-unknown', ...readRefusals],
  }),
  file: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/content-tickets/:ticket/file',
    action: 'content.read',
    summary: 'The exact bytes of the item, of one attachment, or of an earlier version',
    params: ticketParams,
    query: z.object({
      attachment: z.coerce.number().int().min(0).optional(),
      version,
    }),
    response: 'download',
    errors: ['content.ticket-expired', 'content.item-unknown', ...exportRefusals],
  }),
};
