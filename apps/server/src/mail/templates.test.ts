import { expect, test } from 'vitest';
import { composeMail, type MailKind } from './templates.ts';

const kinds: readonly MailKind[] = [
  'confirm',
  'changeEmail',
  'reset',
  'resetCode',
  'signInCode',
  'invitation',
  'alreadyRegistered',
  'passwordChanged',
  'emailChanging',
];
const values = { code: '123456', organisation: 'Contoso', inviter: 'owner@example.com', role: 'reader' };

test.each(kinds)('%s has text and HTML in both languages, every place filled', (kind) => {
  for (const language of ['en', 'de'] as const) {
    const mail = composeMail({
      to: 'you@example.com',
      language,
      kind,
      values,
      link: 'https://holdfast.example/x',
      address: 'https://holdfast.example',
    });
    for (const part of [mail.subject, mail.text, mail.html]) expect(part).not.toMatch(/\{\{|undefined/);
    expect(mail.html).toContain(`lang="${language}"`);
    expect(mail.text).toContain('https://holdfast.example/x');
  }
});

test('what people typed can not become markup or a header', () => {
  const mail = composeMail({
    to: 'you@example.com',
    language: 'en',
    kind: 'invitation',
    values: { ...values, organisation: '<script>alert(1)</script>\r\nBcc: evil@example.com' },
    link: "https://holdfast.example/'><script>",
    address: 'https://holdfast.example',
  });
  expect(mail.subject).not.toMatch(/[\r\n]/);
  expect(mail.html).not.toContain('<script>');
});

test('a picture is shown in the mail itself, and each line leads to its list', () => {
  const mail = composeMail({
    to: 'you@example.com',
    language: 'en',
    kind: 'monthlyReport',
    values: { month: 'October 2026', tenant: 'Contoso' },
    lines: [{ text: 'One run failed & waits.', link: 'https://holdfast.example/runs?status=failed' }, 'Nothing else.'],
    picture: { title: 'Protected "by" workload', fileName: 'chart.png', bytes: Buffer.from('png') },
    address: 'https://holdfast.example',
  });
  expect(mail.html).toContain(
    '<a href="https://holdfast.example/runs?status=failed" style="color:#0f3d75">One run failed &amp; waits.</a>',
  );
  expect(mail.html).toContain('<img src="cid:picture" alt="Protected &quot;by&quot; workload"');
  expect(mail.text).toContain('- One run failed & waits.\n  https://holdfast.example/runs?status=failed\n- Nothing else.');
  expect(mail.attachments).toEqual([{ fileName: 'chart.png', mediaType: 'image/png', base64: 'cG5n', contentId: 'picture' }]);
});
