import PostalMime, { type Email } from 'postal-mime';
import type { JsonObject } from '../ports/item.ts';
import { endOfHeader, headerLines, readMimePart, type HeaderLine, type MimePart } from './mime-part.ts';
import { decodeText } from './text-of-bytes.ts';

/** What a message says of itself, as far as lists and searches show it. */
export interface MailFacts {
  readonly subject: string;
  readonly sentAt?: string;
  readonly receivedAt: string;
  /** What tells when it was received: a server's line, the sender's date, or nothing but its coming here. */
  readonly receivedBy: 'received' | 'date' | 'arrival';
  /** In the names that Microsoft Graph has for them. */
  readonly properties: JsonObject;
}

const FIRST_MAIL_MS = Date.UTC(1980, 0);
const DAY_MS = 24 * 3_600_000;
const LONGEST_HEADER = 8 * 1024 * 1024;

/** A date of a header as it counts: what is in parentheses is a comment, such as the name of a time zone. */
const withoutComments = (value: string): string =>
  value
    .split('(')
    .map((part, at) => (at === 0 ? part : part.slice(part.indexOf(')') + 1 || part.length)))
    .join(' ')
    .trim();

function timeOf(value: string | undefined): number | undefined {
  const at = value === undefined ? Number.NaN : Date.parse(withoutComments(value));
  return Number.isNaN(at) ? undefined : at;
}

const iso = (at: number): string => new Date(at).toISOString();

/** When a message was received: the sender's clock is believed only where no server says anything, and where it can be right. */
function receivedOf(
  headers: readonly HeaderLine[],
  sentMs: number | undefined,
  arrivedMs: number,
): Pick<MailFacts, 'receivedAt' | 'receivedBy'> {
  const isPlausible = (at: number | undefined): at is number => at !== undefined && at >= FIRST_MAIL_MS && at <= arrivedMs + DAY_MS;
  const [received] = headers
    .filter(([name]) => name.toLowerCase() === 'received')
    .map(([, value]) => timeOf(value.slice(value.lastIndexOf(';') + 1)))
    .filter(isPlausible);
  if (received !== undefined) return { receivedAt: iso(received), receivedBy: 'received' };
  return isPlausible(sentMs) ? { receivedAt: iso(sentMs), receivedBy: 'date' } : { receivedAt: iso(arrivedMs), receivedBy: 'arrival' };
}

function holdsAttachment(part: MimePart): boolean {
  if (part.parts.length > 0) return part.parts.some(holdsAttachment);
  if (part.mediaType.startsWith('multipart/')) return false;
  if (part.disposition === 'attachment' || part.mediaType === 'message/rfc822') return true;
  return !part.mediaType.startsWith('text/') && part.disposition !== 'inline' && part.contentId === undefined;
}

function senderOf({ from, sender }: Email): JsonObject {
  const one = from ?? sender;
  if (!one) return {};
  const { name, address = '' } = one;
  return { from: { emailAddress: { name: name === '' ? address : name, address } } };
}

/** A header that the parser refuses tells nothing, and the message is kept all the same. */
async function parsed(head: Uint8Array): Promise<Email | undefined> {
  return PostalMime.parse(head, { maxHeadersSize: LONGEST_HEADER }).catch(() => undefined);
}

/** A message that is nested too deep to be taken apart has something in it. */
function hasAttachments(raw: Buffer): boolean {
  try {
    return holdsAttachment(readMimePart(raw));
  } catch {
    return true;
  }
}

/** Reads what a message says of itself. Nothing in it can make this fail: what makes no sense is left out. */
export async function readMailFacts(raw: Buffer, arrivedMs: number): Promise<MailFacts> {
  const [headEnd] = endOfHeader(raw);
  const head = raw.subarray(0, Math.min(headEnd, LONGEST_HEADER));
  const headers = headerLines(decodeText(head, 'utf-8'));
  const email = await parsed(head);
  const sentMs = timeOf(headers.find(([name]) => name.toLowerCase() === 'date')?.[1]);
  const { subject = '', messageId } = email ?? {};
  const received = receivedOf(headers, sentMs, arrivedMs);
  return {
    subject,
    ...(sentMs === undefined ? {} : { sentAt: iso(sentMs) }),
    ...received,
    properties: {
      ...(messageId === undefined ? {} : { internetMessageId: messageId }),
      ...(email ? senderOf(email) : {}),
      ...(sentMs === undefined ? {} : { sentDateTime: iso(sentMs) }),
      receivedDateTime: received.receivedAt,
      receivedBy: received.receivedBy,
      hasAttachments: hasAttachments(raw),
    },
  };
}
