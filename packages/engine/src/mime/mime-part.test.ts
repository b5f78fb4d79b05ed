import { expect, test } from 'vitest';
import { parseMail } from './parse-mail.ts';

const mail = (...lines: readonly string[]) => parseMail(Buffer.from(lines.join('\r\n'), 'latin1'));
const bytesOf = ({ attachments }: Awaited<ReturnType<typeof parseMail>>) =>
  attachments.map(({ bytes }) => Buffer.from(bytes).toString('latin1'));

test('an attachment that is not encoded keeps its line ends and gets none at its end', async () => {
  const parsed = await mail(
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/csv; name=a.csv',
    '',
    'one;two',
    'three',
    '--b--',
  );
  expect(bytesOf(parsed)).toEqual(['one;two\r\nthree']);
});

test('a second text is an attachment, not more of the first', async () => {
  const part = (text: string) => ['--b', 'Content-Type: text/plain', '', text];
  const parsed = await mail('Content-Type: multipart/mixed; boundary=b', '', ...part('First'), ...part('Second'), '--b--');
  expect([parsed.text, ...bytesOf(parsed)]).toEqual(['First', 'Second']);
});

test('a boundary that begins like another one does not end its parts', async () => {
  const parsed = await mail(
    'Content-Type: multipart/mixed; boundary="=_a"',
    '',
    '--=_a',
    'Content-Type: multipart/alternative; boundary="=_a_b"',
    '',
    '--=_a_b',
    'Content-Type: text/plain',
    '',
    'Words',
    '--=_a_b--',
    '--=_a',
    "Content-Disposition: attachment; filename*0*=utf-8''%C3%BC; filename*1=.bin",
    '',
    'bytes',
    '--=_a--',
  );
  expect([parsed.text, parsed.attachments.map(({ name }) => name), bytesOf(parsed)]).toEqual(['Words', ['ü.bin'], ['bytes']]);
});

test('what is no escape of quoted-printable stays', async () => {
  const parsed = await mail('Content-Transfer-Encoding: quoted-printable', '', '1=2 caf=C3=A9 soft=', 'ly = ');
  expect(parsed.text).toBe('1=2 café softly =');
});
