import { noticeRemindersMax } from '@holdfast/contract/hold-notices';
import type { Database, OrganisationId, OrganisationTables, Scope, Tx } from '@holdfast/database';
import { sql, type Insertable, type Selectable } from 'kysely';
import { mostAttempts } from '../../mail/mail-queue.ts';
import { readOrganisation } from '../organisations/index.ts';

export type NoticeRow = Selectable<OrganisationTables['hold_notices']>;
export type RecipientRow = Selectable<OrganisationTables['hold_notice_recipients']>;

/** The hold that a notice is about. */
export interface NoticedHold {
  readonly hold_id: string;
  readonly name: string;
  readonly tenant_id: string;
  /** Whether it guards anything still; of a case, whether any of its holds does. */
  readonly is_in_force: boolean;
}

/** A recipient with what the mail to them says, and the hold. */
export interface ToldPerson {
  readonly recipient: RecipientRow;
  readonly notice: NoticeRow;
  readonly hold: NoticedHold;
  readonly organisationName: string;
}

export interface DueReminder {
  readonly scope: Scope;
  readonly recipientId: string;
}

/** Notices over PostgreSQL. Functions that take `tx` are part of the caller's transaction. */
export interface HoldNoticesStore {
  within: Database['within'];
  /** A hold of the tenant. */
  hold(tx: Tx, tenantId: string, holdId: string): Promise<NoticedHold | undefined>;
  organisationName(tx: Tx): Promise<string>;
  addNotice(tx: Tx, row: Insertable<OrganisationTables['hold_notices']>): Promise<void>;
  addRecipient(tx: Tx, row: Insertable<OrganisationTables['hold_notice_recipients']>): Promise<RecipientRow>;
  addMail(tx: Tx, row: Insertable<OrganisationTables['hold_notice_mails']>): Promise<void>;
  /** The organisation of a link. */
  scopeOfLink(codeHash: Buffer): Promise<Scope | undefined>;
  /** Whom a link that is still good was sent to; locked, so that it is acknowledged once. */
  byLink(tx: Tx, codeHash: Buffer, at: Date): Promise<ToldPerson | undefined>;
  acknowledge(tx: Tx, recipientId: string, at: Date): Promise<void>;
  /** Who may have to be reminded, of all organisations. */
  due(at: Date, limit: number): Promise<readonly DueReminder[]>;
  /** Somebody whose reminder is due, locked; undefined when it is not any more, or another process has them. */
  lockDue(tx: Tx, recipientId: string, at: Date): Promise<ToldPerson | undefined>;
  /** Whether the newest mail to somebody still waits to be sent. */
  isMailWaiting(tx: Tx, recipientId: string): Promise<boolean>;
  /** Sets when somebody is reminded next, and counts a reminder that was queued. */
  remindNext(tx: Tx, recipientId: string, next: { readonly at: Date | null; readonly isReminded: boolean }): Promise<void>;
}

/** A hold, and in a case the case as a whole: its holds are one matter to those who are told. */
const isInForce = sql<boolean>`exists (select from holds same where same.released_at is null
  and (same.hold_id = hold.hold_id or same.case_id = hold.case_id))`;

async function hold(tx: Tx, holdId: string): Promise<NoticedHold | undefined> {
  const { rows } = await sql<NoticedHold>`
    select hold.hold_id, hold.name, hold.tenant_id, ${isInForce} as is_in_force from holds hold where hold.hold_id = ${holdId}`.execute(tx);
  return rows[0];
}

async function organisationName(tx: Tx): Promise<string> {
  return (await readOrganisation(tx))?.name ?? '';
}

async function withHold(tx: Tx, recipient: RecipientRow | undefined): Promise<ToldPerson | undefined> {
  if (!recipient) return undefined;
  const notice = await tx.selectFrom('hold_notices').selectAll().where('notice_id', '=', recipient.notice_id).executeTakeFirstOrThrow();
  const of = await hold(tx, notice.hold_id);
  return of && { recipient, notice, hold: of, organisationName: await organisationName(tx) };
}

async function due(database: Database, at: Date, limit: number): Promise<readonly DueReminder[]> {
  return database.acrossOrganisations(async (tx) => {
    const rows = await tx
      .selectFrom('hold_notice_recipients')
      .select(['organisation_id', 'realm', 'recipient_id'])
      .where('remind_at', '<=', at)
      .orderBy('remind_at')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      scope: { organisationId: row.organisation_id as OrganisationId, realm: row.realm },
      recipientId: row.recipient_id,
    }));
  });
}

export function createHoldNoticesStore(database: Database): HoldNoticesStore {
  return Object.freeze<HoldNoticesStore>({
    within: <T>(scope: Scope, work: (tx: Tx) => Promise<T>) => database.within(scope, work),
    async hold(tx, tenantId, holdId) {
      const found = await hold(tx, holdId);
      return found?.tenant_id === tenantId ? found : undefined;
    },
    organisationName,
    async addNotice(tx, row) {
      await tx.insertInto('hold_notices').values(row).execute();
    },
    addRecipient: (tx, row) => tx.insertInto('hold_notice_recipients').values(row).returningAll().executeTakeFirstOrThrow(),
    async addMail(tx, row) {
      await tx.insertInto('hold_notice_mails').values(row).execute();
    },
    scopeOfLink: (codeHash) =>
      database.acrossOrganisations(async (tx) => {
        const row = await tx
          .selectFrom('hold_notice_mails')
          .select(['organisation_id', 'realm'])
          .where('code_hash', '=', codeHash)
          .executeTakeFirst();
        return row && { organisationId: row.organisation_id as OrganisationId, realm: row.realm };
      }),
    async byLink(tx, codeHash, at) {
      const recipient = await tx
        .selectFrom('hold_notice_recipients')
        .selectAll()
        .where('recipient_id', 'in', (from) =>
          from.selectFrom('hold_notice_mails').select('recipient_id').where('code_hash', '=', codeHash).where('expires_at', '>', at),
        )
        .forUpdate()
        .executeTakeFirst();
      return withHold(tx, recipient);
    },
    async acknowledge(tx, recipientId, at) {
      const change = { acknowledged_at: at, remind_at: null };
      await tx.updateTable('hold_notice_recipients').set(change).where('recipient_id', '=', recipientId).execute();
    },
    due: (at, limit) => due(database, at, limit),
    async lockDue(tx, recipientId, at) {
      const recipient = await tx
        .selectFrom('hold_notice_recipients')
        .selectAll()
        .where('recipient_id', '=', recipientId)
        .where('remind_at', '<=', at)
        .where('acknowledged_at', 'is', null)
        .where('reminders', '<', noticeRemindersMax)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      return withHold(tx, recipient);
    },
    async isMailWaiting(tx, recipientId) {
      const newest = await tx
        .selectFrom('hold_notice_mails as told')
        .innerJoin('mails', 'mails.id', 'told.mail_id')
        .select(['mails.sent_at', 'mails.attempts'])
        .where('told.recipient_id', '=', recipientId)
        .orderBy('told.queued_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return newest !== undefined && newest.sent_at === null && newest.attempts < mostAttempts;
    },
    async remindNext(tx, recipientId, { at, isReminded }) {
      await tx
        .updateTable('hold_notice_recipients')
        .set((be) => ({ remind_at: at, reminders: isReminded ? be('reminders', '+', 1) : be.ref('reminders') }))
        .where('recipient_id', '=', recipientId)
        .execute();
    },
  });
}
