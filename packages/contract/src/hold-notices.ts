import { z } from 'zod';
import { defineRoute } from './shared/route.ts';
import { id, instant, oneLine, said, tenantParams } from './shared/values.ts';

/** So many people are sent one notice. */
export const noticeRecipientsMax = 200;
/** So often somebody is reminded who does not acknowledge. */
export const noticeRemindersMax = 5;

/** Where the newest mail of a recipient is. `filed`: no mail server is set up, so it was put into a folder of the server and reached nobody. */
const noticeMailStates = ['waiting', 'sent', 'filed', 'failed'] as const;

/** Anybody's address: a custodian need not be one of our own users, whose addresses allow fewer characters. */
const address = z
  .string()
  .trim()
  .max(254, { error: 'rules.address' })
  .regex(/^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+$/, { error: 'rules.address' });

/** A notice as somebody writes it. */
export const holdNoticeBody = z.object({
  recipients: z
    .array(address)
    .min(1, { error: 'validation.noticeRecipients' })
    .max(noticeRecipientsMax, { error: 'validation.noticeRecipients' }),
  subject: oneLine(said(150)),
  message: said(5_000),
  /** Of the sentences around the message. */
  language: z.enum(['en', 'de']),
  /** Whoever has not acknowledged is reminded every so many days; null: never. */
  remindDays: z
    .number({ error: 'validation.noticeDays' })
    .int({ error: 'validation.noticeDays' })
    .min(1, { error: 'validation.noticeDays' })
    .max(30, { error: 'validation.noticeDays' })
    .nullable(),
});
export type HoldNoticeBody = z.infer<typeof holdNoticeBody>;

/** Somebody whose data is on hold. */
const noticePerson = z.object({ name: z.string(), address: z.string() });
export type NoticePerson = z.infer<typeof noticePerson>;

const noticeRecipient = noticePerson.extend({
  recipientId: id,
  mail: z.enum(noticeMailStates),
  /** When the newest mail was handed to the mail server. */
  sentAt: instant.nullable(),
  reminders: z.number().int(),
  nextReminderAt: instant.nullable(),
  acknowledgedAt: instant.nullable(),
});
export type NoticeRecipient = z.infer<typeof noticeRecipient>;

const holdNotice = z.object({
  noticeId: id,
  subject: z.string(),
  message: z.string(),
  remindDays: z.number().int().nullable(),
  sender: z.string(),
  createdAt: instant,
  recipients: z.array(noticeRecipient),
});
export type HoldNotice = z.infer<typeof holdNotice>;

const holdParams = tenantParams.extend({ holdId: id });

/** What the custodians of a hold are told, on the side of whoever tells them. */
export const holdNotices = {
  list: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/holds/:holdId/notices',
    action: 'deletion.manage',
    summary: 'The notices of a hold, or of all holds of its case, with who acknowledged them and when, and who has not been told yet',
    params: holdParams,
    response: z.object({
      /** Whether a mail server is set up. */
      isMailed: z.boolean(),
      /** Custodians without a notice, as far as the hold says who they are. */
      untold: z.array(noticePerson),
      items: z.array(holdNotice),
    }),
  }),
  send: defineRoute({
    method: 'POST',
    path: '/api/:tenantId/holds/:holdId/notices',
    action: 'deletion.manage',
    summary: 'Tell custodians of a hold by mail, each with a link to acknowledge it',
    params: holdParams,
    body: holdNoticeBody,
    response: holdNotice,
    status: 201,
    errors: ['hold-notices.hold-ended', 'hold-notices.staging'],
  }),
};

/** The secret of a notice's link. It travels in bodies, so that no log of addresses has it. */
const linkBody = z.object({ code: z.string().min(1).max(200) });

/** A notice as the holder of its link sees it. */
export const openNotice = z.object({
  organisationName: z.string(),
  sender: z.string(),
  /** Whom the link was sent to. */
  address: z.string(),
  subject: z.string(),
  message: z.string(),
  createdAt: instant,
  acknowledgedAt: instant.nullable(),
});

/** The recipient's side: a link that reads and acknowledges one notice, and opens nothing else. */
export const holdNoticeLinks = {
  look: defineRoute({
    method: 'POST',
    path: '/api/hold-notices/look',
    action: 'public',
    summary: 'Read the notice of a legal hold behind a link',
    body: linkBody,
    response: openNotice,
    errors: ['hold-notices.link-over'],
  }),
  acknowledge: defineRoute({
    method: 'POST',
    path: '/api/hold-notices/acknowledge',
    action: 'public',
    summary: 'Acknowledge the notice of a legal hold behind a link; a second time changes nothing',
    body: linkBody,
    response: openNotice,
    errors: ['hold-notices.link-over'],
  }),
};
