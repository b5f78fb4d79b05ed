import type { Body } from '@holdfast/m365';
import type { MailAddress, ParsedMail } from './parsed-mail.ts';

/** The property set from which the service writes header lines of any name. */
const INTERNET_HEADERS = 'String {00020386-0000-0000-C000-000000000046} Name';

/** Header lines that the service writes from a property of their own. */
const OWN_PROPERTY: ReadonlyMap<string, string> = new Map([
  ['in-reply-to', 'String 0x1042'],
  ['references', 'String 0x1039'],
  ['thread-topic', 'String 0x0070'],
  ['list-help', 'String 0x1043'],
  ['list-subscribe', 'String 0x1044'],
  ['list-unsubscribe', 'String 0x1045'],
]);

/** Header lines that the service writes from what the message says, and those that only describe how it is packed. */
const FROM_MESSAGE = /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.+)$/u;

/**
 * Header lines that cannot be given: those that servers write on the way, those that the service keeps for itself, and
 * those that would ask for a receipt when somebody reads the copy.
 */
const NOT_GIVEN =
  /^(?:received|return-path|resent-.+|comments|encrypted|lines|organization|path|summary|importance|priority|x-priority|x-msmail-priority|sensitivity|thread-index|x-mimeole|x-ms-tnef-correlator|x-ms-exchange-(?:organization|forest)-.+|x-microsoft-exchange-(?:organization|forest).*|disposition-notification-to|return-receipt-to|x-confirm-reading-to)$/u;

const LONGEST_NAME = 200;

/** Header lines that the copy gets, and the names of those that it does not get, as a report names them. */
export interface CarriedHeaders {
  readonly properties: readonly Body[];
  readonly given: readonly string[];
  readonly lost: readonly string[];
}

function isGivable(key: string, lines: readonly string[]): boolean {
  const [value = ''] = lines;
  return lines.length === 1 && value !== '' && !NOT_GIVEN.test(key) && key.length <= LONGEST_NAME && !/[\0\r\n\uFFFD]/u.test(value);
}

/** Sorts the header lines of a message by whether a request can carry them. A name that occurs twice cannot be carried. */
export function carriedHeaders({ headers }: Pick<ParsedMail, 'headers'>): CarriedHeaders {
  const byName = new Map<string, { readonly name: string; readonly lines: string[] }>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (FROM_MESSAGE.test(key)) continue;
    const known = byName.get(key);
    if (known) known.lines.push(value);
    else byName.set(key, { name, lines: [value] });
  }
  const properties: Body[] = [];
  const given: string[] = [];
  const lost: string[] = [];
  for (const [key, { name, lines }] of byName) {
    const isGiven = isGivable(key, lines);
    (isGiven ? given : lost).push(`header ${name}`);
    if (isGiven) properties.push({ id: OWN_PROPERTY.get(key) ?? `${INTERNET_HEADERS} ${name}`, value: lines[0] });
  }
  return { properties, given, lost };
}

/** Letters and digits alone: how a name is quoted and where a line is folded says nothing. */
function plain(text: string): string {
  return text.replaceAll(/[\s"'<>\\,;]/gu, '').toLowerCase();
}

/** False when the line names somebody without an address: the service decides how it shows them. */
function isSaid(line: string | undefined, mailboxes: readonly MailAddress[]): boolean {
  if (mailboxes.some(({ address }) => !address.includes('@'))) return false;
  const said = mailboxes.map(({ name, address }) => (name === address ? address : `${name}${address}`)).join('');
  return plain(line ?? '') === plain(said);
}

/** Header lines of which the copy has exactly one, whatever the message has. */
const WRITTEN_ONCE = ['Date', 'Message-ID', 'Subject'] as const;

/** Header lines that the service writes of its own accord where the message has none, several or one that is no time. */
export function rewrittenHeaders({ headers, date }: Pick<ParsedMail, 'headers' | 'date'>): readonly string[] {
  const count = (name: string): number => headers.filter(([other]) => other.toLowerCase() === name.toLowerCase()).length;
  const isNoTime = date !== undefined && Number.isNaN(Date.parse(date));
  return WRITTEN_ONCE.filter((name) => {
    return count(name) > 1 || (count(name) === 0 && name !== 'Subject') || (name === 'Date' && isNoTime);
  }).map((name) => `header ${name}`);
}

/** Properties of people whose header line says more than a list of names and addresses can: groups, remarks, routes. */
export function unsaidPeople(mail: ParsedMail): readonly string[] {
  const lines = new Map<string, string[]>();
  for (const [name, value] of mail.headers) lines.set(name.toLowerCase(), [...(lines.get(name.toLowerCase()) ?? []), value]);
  const people = [
    ['from', 'from', mail.from],
    ['sender', 'sender', mail.sender],
    ['toRecipients', 'to', mail.to],
    ['ccRecipients', 'cc', mail.cc],
    ['bccRecipients', 'bcc', mail.bcc],
    ['replyTo', 'reply-to', mail.replyTo],
  ] as const;
  const isOnce = (name: string): boolean => (lines.get(name)?.length ?? 0) < 2;
  const isSingle = (name: string, list: readonly MailAddress[]): boolean => (name !== 'from' && name !== 'sender') || list.length < 2;
  return people.flatMap(([property, name, list]) => {
    return isOnce(name) && isSingle(name, list) && isSaid(lines.get(name)?.[0], list) ? [] : [property];
  });
}
