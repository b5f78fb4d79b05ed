import type { HoldNotice, NoticePerson, NoticeRecipient } from '@holdfast/contract/hold-notices';
import { noticeRecipientsMax } from '@holdfast/contract/hold-notices';
import type { Tx } from '@holdfast/database';
import { sql } from 'kysely';
import { mostAttempts } from '../../mail/mail-queue.ts';
import type { NoticeRow } from './hold-notices.store.ts';

interface RecipientRow {
  readonly recipient_id: string;
  readonly notice_id: string;
  readonly name: string;
  readonly address: string;
  readonly reminders: number;
  readonly remind_at: Date | null;
  readonly acknowledged_at: Date | null;
  readonly is_mailed: boolean;
  readonly attempts: number;
  readonly sent_at: Date | null;
}

/** Where a mail is, by what the queue says of it: nothing is called sent that no mail server has taken. */
function mailOf(row: RecipientRow): NoticeRecipient['mail'] {
  if (row.sent_at === null) return row.attempts >= mostAttempts ? 'failed' : 'waiting';
  return row.is_mailed ? 'sent' : 'filed';
}

function recipientOf(row: RecipientRow): NoticeRecipient {
  const mail = mailOf(row);
  return {
    recipientId: row.recipient_id,
    name: row.name,
    address: row.address,
    mail,
    sentAt: mail === 'sent' ? (row.sent_at?.toISOString() ?? null) : null,
    reminders: row.reminders,
    nextReminderAt: row.remind_at?.toISOString() ?? null,
    acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
  };
}

/** The notices of a hold and of the other holds of its case. */
const noticesAbout = (holdId: string) => sql`(select notice.* from hold_notices notice
  join holds told on told.hold_id = notice.hold_id
  join holds asked on asked.hold_id = ${holdId} and (asked.hold_id = told.hold_id or asked.case_id = told.case_id))`;

/** What was sent about a hold, the newest first, each with everybody it went to. */
export async function noticesOf(tx: Tx, holdId: string): Promise<HoldNotice[]> {
  const { rows: notices } = await sql<NoticeRow>`
    select * from ${noticesAbout(holdId)} notice order by created_at desc, notice_id`.execute(tx);
  const { rows: recipients } = await sql<RecipientRow>`
    select recipient.recipient_id, recipient.notice_id, recipient.name, recipient.address, recipient.reminders, recipient.remind_at,
      recipient.acknowledged_at, newest.is_mailed, newest.attempts, newest.sent_at
    from hold_notice_recipients recipient
    cross join lateral (select told.is_mailed, mail.attempts, mail.sent_at from hold_notice_mails told join mails mail on mail.id = told.mail_id
      where told.recipient_id = recipient.recipient_id order by told.queued_at desc limit 1) newest
    where recipient.notice_id = any(${notices.map((one) => one.notice_id)}::uuid[])
    order by lower(coalesce(nullif(recipient.name, ''), recipient.address)), lower(recipient.address)`.execute(tx);
  const byNotice = Map.groupBy(recipients, (row) => row.notice_id);
  return notices.map((row) => ({
    noticeId: row.notice_id,
    subject: row.subject,
    message: row.message,
    remindDays: row.remind_days,
    sender: row.sender,
    createdAt: row.created_at.toISOString(),
    recipients: (byNotice.get(row.notice_id) ?? []).map(recipientOf),
  }));
}

/** Whose data a hold is on, by name and address: whoever has the mailbox or OneDrive, whom its search found, the custodians of its case. */
const custodians = (holdId: string) => sql`(
  select distinct on (lower(person.address)) person.name, person.address
  from (
    select resource.name, resource.address from holds hold
    join resources resource on resource.kind in ('mailbox', 'drive', 'archive')
      and (resource.resource_id = hold.resource_id or resource.resource_id in (
        select source.resource_id from hold_hits hit join catalog_sources source using (organisation_id, realm, source_id)
        where hit.hold_id = hold.hold_id))
    where hold.hold_id = ${holdId}
    union all
    select custodian.name, custodian.address from holds hold join case_custodians custodian on custodian.case_id = hold.case_id
    where hold.hold_id = ${holdId}
  ) person
  where person.address like '%_@_%' order by lower(person.address), person.name)`;

/** The custodians of a hold whom no notice of it was sent to yet: as many as one notice takes. */
export async function untoldOf(tx: Tx, holdId: string): Promise<NoticePerson[]> {
  const { rows } = await sql<NoticePerson>`
    select name, address from ${custodians(holdId)} person
    where not exists (select from ${noticesAbout(holdId)} notice join hold_notice_recipients told on told.notice_id = notice.notice_id
      where lower(told.address) = lower(person.address))
    order by lower(name), lower(address) limit ${noticeRecipientsMax}`.execute(tx);
  return rows;
}

/** What people of these addresses are called, by address in small letters, as far as the hold says. */
export async function namesOf(tx: Tx, holdId: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<NoticePerson>`select name, address from ${custodians(holdId)} person`.execute(tx);
  return new Map(rows.map(({ name, address }) => [address.toLowerCase(), name]));
}
