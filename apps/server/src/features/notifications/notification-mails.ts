import { isErrorCode } from '@holdfast/contract/errors';
import { fill, phrasesOf, reasonText, type Language } from '../../http/language.ts';
import type { Mail } from '../../mail/mail.ts';
import { composeMail, type MailLine, type MailPicture } from '../../mail/templates.ts';
import type { DayFigures, Recipient, RecoveredRun, TroubledRun } from './notifications.store.ts';

const PAGES = '/backup-and-restore/job-monitor';
const AUDIT_PAGE = '/configuration/audit-log';
const FORWARDING_PAGE = '/configuration/audit-forwarding';
const RECEIVERS_PAGE = '/archive/jobs';
const INCOMPLETE_PAGE = '/archive/mailboxes';

/** Why, in a sentence where the language has one. */
function reasonOf(code: string | null, language: Language): string {
  if (code === null) return '';
  return reasonText(code, language) ?? (isErrorCode(code) ? phrasesOf(language).errors[code] : code);
}

/** A run in one line of a list. */
function lineOf(run: TroubledRun, language: Language): string {
  const phrases = phrasesOf(language);
  const reason = reasonOf(run.code, language);
  const line = fill(phrases.mails.runLine, { job: run.jobName, tenant: run.tenantName, status: phrases.status[run.status] });
  return reason === '' ? line : `${line}: ${reason}`;
}

/** Tells that a vault is not as it should be: what deviates, by name and number. */
function deviationMail(
  { email, language }: Recipient,
  run: TroubledRun,
  found: NonNullable<TroubledRun['deviation']>,
  address: string,
): Mail {
  return composeMail({
    to: email,
    language,
    kind: 'verifyDeviation',
    values: { location: found.location, tenant: run.tenantName, errors: String(run.errors) },
    lines: found.findings.map(({ code, count }) => `${reasonOf(code, language)} (${count})`),
    link: `${address}${PAGES}/${run.runId}`,
    address,
  });
}

/** Tells of a run that failed or left something out. */
export function runMail(recipient: Recipient, run: TroubledRun, address: string): Mail {
  const { email, language } = recipient;
  if (run.deviation) return deviationMail(recipient, run, run.deviation, address);
  const reason = reasonOf(run.code, language);
  return composeMail({
    to: email,
    language,
    kind: run.status === 'failed' ? 'runFailed' : 'runDefective',
    values: { job: run.jobName, tenant: run.tenantName, errors: String(run.errors), processed: String(run.processed) },
    lines: reason === '' ? [] : [reason],
    link: `${address}${PAGES}/${run.runId}`,
    address,
  });
}

/** Tells that an alarm is over: the job works again. */
export function runOverMail({ email, language }: Recipient, run: RecoveredRun, address: string): Mail {
  const values = { job: run.jobName, tenant: run.tenantName };
  return composeMail({ to: email, language, kind: 'runOver', values, link: `${address}${PAGES}/${run.runId}`, address });
}

/** Sums a day up: figures first, then what needs a look. */
export function summaryMail(
  { email, language }: Recipient,
  day: { readonly date: string; readonly figures: DayFigures },
  address: string,
): Mail {
  const { troubled, ...counts } = day.figures;
  const values = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]));
  const date = Temporal.PlainDate.from(day.date).toLocaleString(language === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'long' });
  return composeMail({
    to: email,
    language,
    kind: 'daySummary',
    values: { ...values, date },
    lines: troubled.map((run) => lineOf(run, language)),
    link: `${address}${PAGES}`,
    address,
  });
}

/** Tells that somebody may have tampered with the audit log. The findings are of the log itself, and in English like its events. */
export function auditMail(
  { email, language }: Recipient,
  found: { readonly night: string; readonly problems: readonly string[] },
  address: string,
): Mail {
  return composeMail({
    to: email,
    language,
    kind: 'auditDeviation',
    values: { date: found.night },
    lines: found.problems,
    link: `${address}${AUDIT_PAGE}`,
    address,
  });
}

/** Reports that no authority stamps the audit log any more. */
export function timestampsMail({ email, language }: Recipient, { day }: { readonly day: string }, address: string): Mail {
  return composeMail({ to: email, language, kind: 'timestampsStalled', values: { day }, link: `${address}${AUDIT_PAGE}`, address });
}

/** Reports that a destination of audit events takes none any more. */
export function forwardingMail(
  { email, language }: Recipient,
  { name, since }: { readonly name: string; readonly since: Date },
  address: string,
): Mail {
  const at = since.toLocaleString(language === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const link = `${address}${FORWARDING_PAGE}`;
  return composeMail({ to: email, language, kind: 'forwardingStalled', values: { name, since: `${at} UTC` }, link, address });
}

export function journalMail(
  { email, language }: Recipient,
  { name, since }: { readonly name: string; readonly since: Date },
  address: string,
): Mail {
  const at = since.toLocaleString(language === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const link = `${address}${RECEIVERS_PAGE}`;
  return composeMail({ to: email, language, kind: 'journalSilent', values: { name, since: `${at} UTC` }, link, address });
}

/** So many mailboxes are named in a mail. */
const NAMED = 10;

/** In which mailboxes messages are missing, and how many in which place. */
export interface IncompleteNews {
  readonly mailboxes: readonly string[];
  readonly missing: number;
  readonly notJournaled: number;
  readonly notCaptured: number;
  readonly notSearchable: number;
}

export function incompleteMail(
  { email, language }: Recipient,
  { mailboxes, missing, notJournaled, notCaptured, notSearchable }: IncompleteNews,
  address: string,
): Mail {
  const names = [...mailboxes.slice(0, NAMED), ...(mailboxes.length > NAMED ? ['…'] : [])].join(', ');
  const counts = { missing, notJournaled, notCaptured, notSearchable };
  const shown = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]));
  const values = { names, mailboxes: String(mailboxes.length), ...shown };
  return composeMail({ to: email, language, kind: 'archiveIncomplete', values, link: `${address}${INCOMPLETE_PAGE}`, address });
}

/** What the mail about the report of a month says, in the language of its reader. */
export interface ReportNews {
  readonly reportId: string;
  readonly tenant: string;
  readonly file: { readonly fileName: string; readonly bytes: Uint8Array };
  in(language: Language): ReportMailWords;
}

export interface ReportMailWords {
  readonly month: string;
  /** The state and the sentence that the report begins with. */
  readonly verdict: string;
  /** What needs attention; links are addresses within the portal. */
  readonly lines: readonly MailLine[];
  readonly chart: MailPicture | undefined;
}

/** Brings the report of a month. */
export function reportMail({ email, language }: Recipient, news: ReportNews, address: string): Mail {
  const { month, verdict, lines, chart } = news.in(language);
  const mail = composeMail({
    to: email,
    language,
    kind: 'monthlyReport',
    values: { month, verdict, tenant: news.tenant },
    lines: lines.map(({ text, link }) => ({ text, ...(link === undefined ? {} : { link: `${address}${link}` }) })),
    picture: chart,
    link: `${address}/reports/${news.reportId}`,
    address,
  });
  const base64 = Buffer.from(news.file.bytes).toString('base64');
  const file = { fileName: news.file.fileName, mediaType: 'application/pdf', base64 };
  return { ...mail, attachments: [file, ...(mail.attachments ?? [])] };
}

/** Reminds of a procedure documentation that nobody has renewed for a year. */
export function procedureMail({ email, language }: Recipient, { tenant }: { readonly tenant: string }, address: string): Mail {
  const link = `${address}/documentation?tab=procedure`;
  return composeMail({ to: email, language, kind: 'procedureDue', values: { tenant }, link, address });
}

/** Reminds of a request of a person about their data. It does not say who has asked: that is for whoever handles requests. */
export function requestMail(
  { email, language }: Recipient,
  { tenant, dueOn }: { readonly tenant: string; readonly dueOn: string },
  address: string,
): Mail {
  const [year = 0, month = 1, day = 1] = dueOn.split('-').map(Number);
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.UTC(year, month - 1, day));
  return composeMail({
    to: email,
    language,
    kind: 'requestDue',
    values: { tenant, date },
    link: `${address}/archive/data-requests`,
    address,
  });
}

/** Tells a reviewer what waits for them, without a word of what it contains. */
export function reviewMail(
  { email, language }: Recipient,
  { policy, messages }: { readonly policy: string; readonly messages: number },
  address: string,
): Mail {
  const link = `${address}/archive/deletion-jobs?tab=reviews`;
  return composeMail({ to: email, language, kind: 'reviewWaiting', values: { policy, messages: String(messages) }, link, address });
}

/** Notifies of new hits of a saved search, without a word of what they contain. */
export function searchMail(
  { email, language }: Recipient,
  found: { readonly searchId: string; readonly name: string; readonly hits: number },
  address: string,
): Mail {
  const values = { name: found.name, hits: String(found.hits) };
  return composeMail({ to: email, language, kind: 'searchFound', values, link: `${address}/search?saved=${found.searchId}`, address });
}

/** Tells somebody who opened what is kept of them, and why. They may have no account here: there is nothing to follow. */
export function contentMail(
  { email, language }: Pick<Recipient, 'email' | 'language'>,
  opening: { readonly reader: string; readonly name: string; readonly reason: string },
  address: string,
): Mail {
  return composeMail({ to: email, language, kind: 'contentOpened', values: { ...opening }, address });
}
