/** A recipient as Exchange names it in a journal report. */
export interface JournaledRecipient {
  readonly as: 'To' | 'Cc' | 'Bcc' | 'Recipient';
  readonly address: string;
  readonly expanded?: string;
  readonly forwarded?: string;
}

/** A message as it passed the transport, with its envelope. */
export interface Journaled {
  readonly sender: string;
  readonly subject: string;
  readonly messageId: string;
  readonly recipients: readonly JournaledRecipient[];
  readonly message: Buffer;
  /** Tells reports apart. */
  readonly reportId: string;
  readonly atMs: number;
  /** The character set of the envelope, as Exchange chooses it by the subject; `utf-8` in base64 by default. */
  readonly isPlain?: boolean;
}

function lineOf({ as, address, expanded, forwarded }: JournaledRecipient): string {
  const history = [
    ...(expanded === undefined ? [] : [`Expanded: ${expanded}`]),
    ...(forwarded === undefined ? [] : [`Forwarded: ${forwarded}`]),
  ];
  return [`${as}: ${address}`, ...history].join(', ');
}

/** The journal report that Exchange Online sends of a message: its envelope as text, and the message with its bytes unchanged. */
export function journalReport(journaled: Journaled): Buffer {
  const { sender, subject, messageId, recipients, message, reportId, atMs, isPlain = false } = journaled;
  const envelope = [`Sender: ${sender}`, `Subject: ${subject}`, `Message-Id: ${messageId}`, ...recipients.map(lineOf), ''].join('\r\n');
  const packed = Buffer.from(envelope).toString('base64').replaceAll(/.{76}/gu, '$&\r\n');
  const boundary = `_000_${reportId}_journal_`;
  const encodedSubject = `=?utf-8?B?${Buffer.from(subject.slice(0, 100)).toString('base64')}?=`;
  const head = [
    `From: <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@contoso.com>`,
    `Subject: ${encodedSubject}`,
    `Date: ${new Date(atMs).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${reportId}@journal.report.generator>`,
    'X-MS-Journal-Report:',
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset="utf-8"',
    `Content-Transfer-Encoding: ${isPlain ? '8bit' : 'base64'}`,
    '',
    isPlain ? envelope : packed,
    `--${boundary}`,
    'Content-Type: message/rfc822',
    'Content-Disposition: attachment',
    '',
    '',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head), message, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}
