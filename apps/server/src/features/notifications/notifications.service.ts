import type { Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { Mail } from '../../mail/mail.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { AuditEntry, AuditInbox } from '../audit/index.ts';
import {
  auditMail,
  timestampsMail,
  contentMail,
  forwardingMail,
  incompleteMail,
  journalMail,
  procedureMail,
  requestMail,
  reviewMail,
  reportMail,
  runMail,
  runOverMail,
  searchMail,
  summaryMail,
  type ReportNews,
  type IncompleteNews,
} from './notification-mails.ts';
import { overSubject, type ContentReference, type NotificationsStore, type Subscriber, type TroubledRun } from './notifications.store.ts';
import { summaryDay } from './summary-day.ts';

export interface NotificationsOptions {
  readonly store: NotificationsStore;
  readonly mail: Pick<MailQueue, 'enqueue'>;
  readonly audit: AuditInbox;
  /** Every organisation in every realm. */
  scopes(): Promise<readonly Scope[]>;
  publicUrl(): string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Notifications {
  /** Tells of a run that ended badly, or that ended the alarm of the one before, once. Never throws: what can't be told now is told by the sweep. */
  runEnded(scope: Scope, runId: string): Promise<void>;
  /** Tells every organisation that the audit log is not as it should be, once a night. */
  auditDeviated(result: { readonly night: string; readonly problems: readonly string[] }): Promise<void>;
  timestampsStalled(missing: { readonly day: string; readonly failure: string | null }): Promise<void>;
  /** Tells the owner of a mailbox or drive who opened it and why, once a day and reader, where the organisation wants that. */
  contentOpened(tx: Tx, scope: Scope, opening: ContentOpening): Promise<void>;
  /** Notifies the owner of a saved search of new hits. The caller's transaction makes sure that it happens once. */
  searchFound(tx: Tx, scope: Scope, found: SearchFound): Promise<void>;
  /** Mails that a destination of audit events takes none any more. The caller's transaction makes sure that it happens once. */
  forwardingStalled(tx: Tx, scope: Scope, stalled: { readonly name: string; readonly since: Date }): Promise<void>;
  /** Mails that a receiver takes in no journal mail. The caller's transaction makes sure that it happens once. */
  journalSilent(tx: Tx, scope: Scope, silent: { readonly name: string; readonly since: Date }): Promise<void>;
  /** Tells that messages of these mailboxes are missing in the archive, the journal, the backups or the index. */
  archiveIncomplete(tx: Tx, scope: Scope, news: IncompleteNews): Promise<void>;
  /** Mails the report of a month to owners and administrators. The caller's transaction makes sure that it happens once. */
  reportMade(tx: Tx, scope: Scope, news: ReportNews): Promise<void>;
  /** Reminds owners and administrators of an old procedure documentation. The caller's transaction makes sure that it happens once. */
  procedureDue(tx: Tx, scope: Scope, due: { readonly tenant: string }): Promise<void>;
  /** Reminds of a request of a person that must be answered soon. */
  requestDue(tx: Tx, scope: Scope, due: { readonly tenant: string; readonly dueOn: string }): Promise<void>;
  /** Tells the reviewers of a policy what waits for them. The caller's transaction makes sure that it happens once. */
  reviewWaiting(tx: Tx, scope: Scope, waiting: ReviewWaiting): Promise<void>;
  /** Tells what was not told yet, and sums up days that are due. */
  sweep(): Promise<void>;
}

/** Who opened what of somebody, and the reason they gave. */
export interface ContentOpening {
  readonly content: ContentReference;
  readonly reader: { readonly accountId: string; readonly email: string };
  readonly reason: string;
}

/** Messages that wait for some of these accounts. */
export interface ReviewWaiting {
  readonly policy: string;
  readonly messages: number;
  readonly reviewers: readonly string[];
}

/** What the alert of a saved search has found. */
export interface SearchFound {
  readonly searchId: string;
  readonly name: string;
  readonly ownerId: string;
  readonly hits: number;
}

const DAY_MS = 24 * 3_600_000;
const KEPT_MS = 90 * DAY_MS;
/** A longer list would not be read; the portal has the rest. */
const MOST_RUNS = 20;

async function tellOpening(options: NotificationsOptions, tx: Tx, { content, reader, reason }: ContentOpening): Promise<void> {
  const { store, mail, clock } = options;
  const owner = await store.ownerOf(tx, content);
  if (!owner || owner.email.toLowerCase() === reader.email.toLowerCase()) return;
  const at = now(clock);
  const subject = `${owner.resourceId} ${reader.accountId} ${at.toISOString().slice(0, 10)}`;
  if (!(await store.note(tx, { kind: 'content', subject, at }))) return;
  await mail.enqueue(tx, contentMail(owner, { reader: reader.email, name: owner.name, reason }, options.publicUrl()));
}

async function tellFound(options: NotificationsOptions, tx: Tx, { ownerId, ...found }: SearchFound): Promise<void> {
  for (const recipient of await options.store.recipientsOfSearch(tx, ownerId, now(options.clock)))
    await options.mail.enqueue(tx, searchMail(recipient, found, options.publicUrl()));
}

type Alarm = Pick<AuditEntry, 'event' | 'subject' | 'details'>;

/** An alarm is an event of the log, from where it gets to the systems outside that want alarms. */
const raise = ({ audit }: NotificationsOptions, tx: Tx, alarm: Alarm): Promise<void> =>
  audit.record(tx, { ...alarm, outcome: 'failed', actor: { kind: 'system', name: 'notifications' } });

function runAlarm(runId: string, { jobName, tenantName, status, errors, code }: TroubledRun): Alarm {
  const details = { status, errors, tenant: tenantName, ...(code === null ? {} : { code }) };
  return { event: 'alarms.run', subject: { kind: 'run', id: runId, name: jobName }, details };
}

type Letter = (recipient: Subscriber) => Mail;
/** Whether a recipient is among those who are told; without it all are. */
type Wants = (recipient: Subscriber) => boolean;
type Send = (tx: Tx, letter: Letter) => Promise<void>;
type Tell = (tx: Tx, scope: Scope, letter: Letter, wants?: Wants) => Promise<void>;

/** What concerns the audit log of the whole installation; each subject is told once. */
interface LogNews {
  readonly subject: string;
  readonly alarm: Alarm;
  readonly letter: Letter;
}

async function tellEveryOrganisation(options: NotificationsOptions, send: Send, { subject, alarm, letter }: LogNews): Promise<void> {
  const { store, clock } = options;
  for (const scope of await options.scopes()) {
    if (scope.realm !== 'production') continue;
    await store.within(scope, async (tx) => {
      if (!(await store.note(tx, { kind: 'audit', subject, at: now(clock) }))) return;
      await raise(options, tx, alarm);
      await send(tx, letter);
    });
  }
}

/** What the nightly verification found, once a night. */
function deviation(options: NotificationsOptions, found: { readonly night: string; readonly problems: readonly string[] }): LogNews {
  const news = { night: found.night, problems: found.problems.slice(0, MOST_RUNS) };
  return {
    subject: news.night,
    alarm: { event: 'alarms.audit-deviated', details: news },
    letter: (recipient) => auditMail(recipient, news, options.publicUrl()),
  };
}

/** That time stamps are missing, once for each gap. */
function gap(options: NotificationsOptions, missing: { readonly day: string; readonly failure: string | null }): LogNews {
  const news = { day: missing.day, failure: missing.failure };
  return {
    subject: `timestamps ${news.day}`,
    alarm: { event: 'alarms.timestamps-stalled', details: news },
    letter: (recipient) => timestampsMail(recipient, news, options.publicUrl()),
  };
}

/** An alarm ends by itself when the next run of its job goes well. */
async function tellOver(options: NotificationsOptions, send: Send, scope: Scope, runId: string): Promise<void> {
  const { store, clock } = options;
  await store.within(scope, async (tx) => {
    const run = await store.recovered(tx, runId);
    if (!run || !(await store.note(tx, { kind: 'run', subject: overSubject(runId), at: now(clock) }))) return;
    await options.audit.record(tx, {
      event: 'alarms.run-over',
      actor: { kind: 'system', name: 'notifications' },
      subject: { kind: 'run', id: runId, name: run.jobName },
      details: { tenant: run.tenantName },
    });
    await send(tx, (recipient) => runOverMail(recipient, run, options.publicUrl()));
  });
}

/** Mails about runs and days, each once, in the language of the reader. */
export function createNotifications(options: NotificationsOptions): Notifications {
  const { store, mail, clock, logger } = options;

  async function send(tx: Tx, letter: Letter, wants: Wants = () => true): Promise<void> {
    for (const recipient of (await store.recipients(tx, now(clock))).filter(wants)) await mail.enqueue(tx, letter(recipient));
  }

  /** Nobody is mailed about what is tried out. */
  const tell: Tell = async (tx, { realm }, letter, wants) => {
    if (realm === 'production') await send(tx, letter, wants);
  };

  async function tellRun(scope: Scope, runId: string): Promise<void> {
    await store.within(scope, async (tx) => {
      const run = await store.troubled(tx, runId);
      if (!run || !(await store.note(tx, { kind: 'run', subject: runId, at: now(clock) }))) return;
      await raise(options, tx, runAlarm(runId, run));
      await send(tx, (recipient) => runMail(recipient, run, options.publicUrl()));
    });
  }

  async function tellDay(scope: Scope): Promise<void> {
    await store.within(scope, async (tx) => {
      const zone = await store.zone(tx);
      const date = zone === undefined ? undefined : summaryDay(clock.nowMs(), zone);
      const until = now(clock);
      if (date === undefined || !(await store.note(tx, { kind: 'day', subject: date, at: until }))) return;
      await store.forget(tx, new Date(until.getTime() - KEPT_MS));
      const figures = await store.day(tx, { from: new Date(until.getTime() - DAY_MS), until }, MOST_RUNS);
      await send(
        tx,
        (recipient) => summaryMail(recipient, { date, figures }, options.publicUrl()),
        ({ wantsSummary }) => wantsSummary,
      );
    });
  }

  async function sweepOne(scope: Scope): Promise<void> {
    const since = new Date(clock.nowMs() - DAY_MS);
    for (const runId of await store.within(scope, (tx) => store.untold(tx, since))) await tellRun(scope, runId);
    for (const runId of await store.within(scope, (tx) => store.unsaid(tx, since))) await tellOver(options, send, scope, runId);
    await tellDay(scope);
  }

  async function sweepAll(): Promise<void> {
    for (const scope of await options.scopes()) {
      if (scope.realm !== 'production') continue;
      await sweepOne(scope).catch((error: unknown) =>
        logger.warn({ err: error, organisationId: scope.organisationId }, 'the notifications of an organisation could not be sent'),
      );
    }
  }

  // One sweep at a time: with many organisations it may last longer than the wait for the next.
  let sweeping: Promise<void> | undefined;

  return Object.freeze<Notifications>({
    async runEnded(scope, runId) {
      if (scope.realm !== 'production') return;
      await Promise.all([tellRun(scope, runId), tellOver(options, send, scope, runId)]).catch((error: unknown) =>
        logger.warn({ err: error, runId }, 'the notification of a run could not be sent'),
      );
    },
    async contentOpened(tx, scope, opening) {
      if (scope.realm === 'production') await tellOpening(options, tx, opening);
    },
    async searchFound(tx, scope, found) {
      if (scope.realm === 'production') await tellFound(options, tx, found);
    },
    reportMade: (tx, scope, news) => tell(tx, scope, (recipient) => reportMail(recipient, news, options.publicUrl())),
    forwardingStalled: (tx, scope, stalled) => tell(tx, scope, (recipient) => forwardingMail(recipient, stalled, options.publicUrl())),
    journalSilent: (tx, scope, silent) => tell(tx, scope, (recipient) => journalMail(recipient, silent, options.publicUrl())),
    archiveIncomplete: (tx, scope, news) => tell(tx, scope, (recipient) => incompleteMail(recipient, news, options.publicUrl())),
    procedureDue: (tx, scope, due) => tell(tx, scope, (recipient) => procedureMail(recipient, due, options.publicUrl())),
    requestDue: (tx, scope, due) => tell(tx, scope, (recipient) => requestMail(recipient, due, options.publicUrl())),
    auditDeviated: (found) => tellEveryOrganisation(options, send, deviation(options, found)),
    timestampsStalled: (missing) => tellEveryOrganisation(options, send, gap(options, missing)),
    reviewWaiting: (tx, scope, { reviewers, ...waiting }) =>
      tell(
        tx,
        scope,
        (recipient) => reviewMail(recipient, waiting, options.publicUrl()),
        ({ accountId }) => reviewers.includes(accountId),
      ),
    sweep: () =>
      (sweeping ??= sweepAll().finally(() => {
        sweeping = undefined;
      })),
  });
}
