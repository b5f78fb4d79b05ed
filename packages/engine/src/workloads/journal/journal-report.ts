import { contentOfPart, readMimePart, type MimePart } from '../../mime/mime-part.ts';
import { decodeText } from '../../mime/text-of-bytes.ts';

/** How the journaled message reached a recipient, as Exchange says it; `recipient` where it does not say. */
export const recipientRoles = ['to', 'cc', 'bcc', 'recipient'] as const;

export interface JournalRecipient {
  readonly address: string;
  readonly role: (typeof recipientRoles)[number];
  /** The group that was expanded to this recipient. */
  readonly expanded?: string;
  /** Whose mail was forwarded to this recipient. */
  readonly forwarded?: string;
}

/** What a journal report says of the message that it brings. */
export interface JournalReport {
  readonly sender: string;
  readonly onBehalfOf?: string;
  readonly subject: string;
  readonly messageId: string;
  readonly recipients: readonly JournalRecipient[];
  /** The exact bytes of the journaled messages: one, or a protected one and its decrypted copy. */
  readonly messages: readonly Buffer[];
}

/** Why a mail is no whole journal report. */
export type BrokenReport = 'unreadable' | 'no-report' | 'no-message' | 'no-envelope';

export type ReadReport =
  | { readonly kind: 'report'; readonly report: JournalReport }
  | { readonly kind: 'broken'; readonly reason: BrokenReport; readonly messages: readonly Buffer[] };

/** More recipients than any mail has: what comes after them is not read. */
const MOST_RECIPIENTS = 100_000;

function partsOf(part: MimePart): readonly MimePart[] {
  return part.parts.length === 0 ? [part] : part.parts.flatMap(partsOf);
}

interface Lines {
  readonly single: ReadonlyMap<string, string>;
  readonly recipients: readonly JournalRecipient[];
}

/** The address in `Name <address>` or alone. */
function addressOf(text: string): string {
  const from = text.lastIndexOf('<');
  const to = text.indexOf('>', from);
  return (from >= 0 && to > from ? text.slice(from + 1, to) : text).trim();
}

/** `a@b, Expanded: group@b, Forwarded: c@b`: the address and how it became a recipient. */
function recipientOf(role: JournalRecipient['role'], value: string): JournalRecipient {
  const found: { expanded?: string; forwarded?: string } = {};
  let rest = value;
  for (;;) {
    const at = rest.lastIndexOf(', ');
    const [, label = '', history = ''] = /^(expanded|forwarded):(.*)$/iu.exec(at < 0 ? '' : rest.slice(at + 2)) ?? [];
    if (label === '') break;
    found[label.toLowerCase() as 'expanded' | 'forwarded'] = addressOf(history);
    rest = rest.slice(0, at);
  }
  return { address: addressOf(rest), role, ...found };
}

const isRole = (name: string): name is JournalRecipient['role'] => (recipientRoles as readonly string[]).includes(name);

function readLines(text: string): Lines {
  const single = new Map<string, string>();
  const recipients: JournalRecipient[] = [];
  for (const line of text.split(/\r?\n/u)) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (!isRole(name)) {
      if (!single.has(name)) single.set(name, value);
    } else if (recipients.length < MOST_RECIPIENTS) {
      const recipient = recipientOf(name, value);
      if (recipient.address !== '') recipients.push(recipient);
    }
  }
  return { single, recipients };
}

const textOf = (part: MimePart): string => decodeText(contentOfPart(part), part.charset);

function takenApart(raw: Buffer): readonly MimePart[] | undefined {
  try {
    return partsOf(readMimePart(raw));
  } catch {
    return undefined;
  }
}

/**
 * Reads a journal report as Exchange writes it: a text with the envelope and the original message as an attachment, whose
 * bytes are taken as they are. A mail that is none says why, with the messages that it brings.
 */
export function readJournalReport(raw: Buffer): ReadReport {
  const parts = takenApart(raw);
  if (!parts) return { kind: 'broken', reason: 'unreadable', messages: [] };
  const messages = parts.filter(({ mediaType }) => mediaType === 'message/rfc822').map(contentOfPart);
  const text = parts.find(({ mediaType, disposition }) => mediaType === 'text/plain' && disposition !== 'attachment');
  const { single, recipients } = readLines(text ? textOf(text) : '');
  const isEnvelope = single.has('sender') && (single.has('message-id') || recipients.length > 0);
  if (!isEnvelope) return { kind: 'broken', reason: messages.length === 0 ? 'no-report' : 'no-envelope', messages };
  if (messages.length === 0) return { kind: 'broken', reason: 'no-message', messages };
  const onBehalfOf = single.get('on-behalf-of');
  return {
    kind: 'report',
    report: {
      sender: addressOf(single.get('sender') ?? ''),
      ...(onBehalfOf === undefined ? {} : { onBehalfOf: addressOf(onBehalfOf) }),
      subject: single.get('subject') ?? '',
      messageId: single.get('message-id') ?? '',
      recipients,
      messages,
    },
  };
}
