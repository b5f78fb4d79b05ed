import { expect, test } from 'vitest';
import { readJournalReport } from './journal-report.ts';

const MESSAGE = 'Subject: Inner\n\nBare lines\n..\n\0 and no end';

function reportWith(envelope: string | Buffer, charset = 'utf-8', encoding = '8bit', message: string | null = MESSAGE): Buffer {
  const parts = [
    Buffer.from('Content-Type: multipart/mixed; boundary="b"\r\n\r\n'),
    Buffer.from(`--b\r\nContent-Type: text/plain; charset="${charset}"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`),
    typeof envelope === 'string' ? Buffer.from(envelope) : envelope,
    ...(message === null ? [] : [Buffer.from(`\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n${message}`, 'latin1')]),
    Buffer.from('\r\n--b--\r\n'),
  ];
  return Buffer.concat(parts);
}

const reportOf = (raw: Buffer) => {
  const read = readJournalReport(raw);
  if (read.kind !== 'report') throw new Error(`The report is broken: ${read.reason}`);
  return read.report;
};

test('the envelope is read in each form that Exchange writes, and the message keeps its bytes', () => {
  const { messages, ...envelope } = reportOf(
    reportWith(
      [
        'Sender: anna@contoso.example',
        'On-Behalf-Of: boss@contoso.example',
        'Subject: To: not a recipient',
        'Message-Id: <1@contoso.example>',
        'To: ben@contoso.example, Expanded: sales@contoso.example',
        'Cc: Carla <carla@contoso.example>, Forwarded: old@contoso.example',
        'Bcc: dora@contoso.example, Expanded: all@contoso.example, Forwarded: info@contoso.example',
        'Recipient: "a, b"@contoso.example',
        'Label: Confidential',
        '',
      ].join('\r\n'),
    ),
  );
  expect(messages.map((bytes) => bytes.toString('latin1'))).toEqual([MESSAGE]);
  expect(envelope).toEqual({
    sender: 'anna@contoso.example',
    onBehalfOf: 'boss@contoso.example',
    subject: 'To: not a recipient',
    messageId: '<1@contoso.example>',
    recipients: [
      { address: 'ben@contoso.example', role: 'to', expanded: 'sales@contoso.example' },
      { address: 'carla@contoso.example', role: 'cc', forwarded: 'old@contoso.example' },
      { address: 'dora@contoso.example', role: 'bcc', expanded: 'all@contoso.example', forwarded: 'info@contoso.example' },
      { address: '"a, b"@contoso.example', role: 'recipient' },
    ],
  });
});

test('Exchange chooses the character set of the envelope by the subject: each is read', () => {
  const lines = (subject: string): string => `Sender: a@b.example\r\nSubject: ${subject}\r\nMessage-ID: <1@b>\r\nTo: c@d.example`;
  const japanese = Buffer.concat([Buffer.from('Sender: a@b.example\r\nSubject: \x1b$B8+@Q\x1b(B\r\nMessage-ID: <1@b>\r\nTo: c@d.example')]);
  expect(reportOf(reportWith(japanese, 'iso-2022-jp')).subject).toBe('見積');
  const german = Buffer.from(lines('Gr\xfc\xdfe'), 'latin1');
  expect(reportOf(reportWith(german, 'iso-8859-1')).subject).toBe('Grüße');
  const packed = Buffer.from(Buffer.from(lines('Смета')).toString('base64'));
  expect(reportOf(reportWith(packed, 'utf-8', 'base64')).subject).toBe('Смета');
  expect(reportOf(reportWith(lines('Gr=C3=BC=C3=9Fe'), 'utf-8', 'quoted-printable')).subject).toBe('Grüße');
});

test('what is no whole report says why, and brings what it has', () => {
  const broken = (raw: Buffer) => {
    const read = readJournalReport(raw);
    return read.kind === 'broken' ? [read.reason, read.messages.length] : [read.kind, 0];
  };
  expect(broken(Buffer.from('Subject: x\r\n\r\ntext'))).toEqual(['no-report', 0]);
  expect(broken(Buffer.alloc(0))).toEqual(['no-report', 0]);
  expect(broken(reportWith('Hello'))).toEqual(['no-envelope', 1]);
  expect(broken(reportWith('Sender: a@b\r\nMessage-Id: <1>', 'utf-8', '8bit', null))).toEqual(['no-message', 0]);
  const deep = Buffer.from(
    Array.from({ length: 400 }, (_, at) => `Content-Type: multipart/mixed; boundary="${at}"\r\n\r\n--${at}\r\n`).join(''),
  );
  expect(broken(deep)).toEqual(['unreadable', 0]);
});

test('10,000 recipients are read', () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => `To: person${at}@contoso.example`);
  expect(reportOf(reportWith(['Sender: a@b.example', 'Message-Id: <1>', ...lines].join('\r\n'))).recipients).toHaveLength(10_000);
});

test('addresses in other scripts are read, in the envelope of a report with its text packed or not', () => {
  const lines = 'Sender: анна@пример.example\r\nMessage-Id: <1>\r\nTo: 社員@例え.example, Expanded: все@пример.example\r\n';
  for (const read of [reportOf(reportWith(lines)), reportOf(reportWith(Buffer.from(lines).toString('base64'), 'utf-8', 'base64'))]) {
    expect(read.sender).toBe('анна@пример.example');
    expect(read.recipients).toEqual([{ address: '社員@例え.example', role: 'to', expanded: 'все@пример.example' }]);
  }
});
