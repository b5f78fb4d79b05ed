import { holdNoticeLinks, holdNotices } from '@holdfast/contract/hold-notices';
import type { HoldNotice, NoticeRecipient } from '@holdfast/contract/hold-notices';
import { de } from '@holdfast/phrases/de';
import { en } from '@holdfast/phrases/en';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createFakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { now } from '../../testing/samples.ts';
import { NoticesOfHold } from './index.ts';
import NoticePage from './notice-page.tsx';

const tenantId = '01900000-0000-7000-8000-0000000000a1';
const holdId = '01900000-0000-7000-8000-0000000000ba';
const words = { en, de };

const aRecipient = (given: Partial<NoticeRecipient>): NoticeRecipient => ({
  recipientId: '01900000-0000-7000-8000-0000000000c1',
  name: '',
  address: 'ann@contoso.example',
  mail: 'sent',
  sentAt: now,
  reminders: 0,
  nextReminderAt: null,
  acknowledgedAt: null,
  ...given,
});
const aNotice = (recipients: readonly NoticeRecipient[]): HoldNotice => ({
  noticeId: '01900000-0000-7000-8000-0000000000d1',
  subject: 'Keep Falcon',
  message: 'Delete nothing.',
  remindDays: 7,
  sender: 'owner@contoso.example',
  createdAt: now,
  recipients: [...recipients],
});
const ofHold = (isInForce = true) => <NoticesOfHold tenantId={tenantId} holdId={holdId} isInForce={isInForce} />;
const untold = [
  { name: 'Ann Ash', address: 'ann@contoso.example' },
  { name: 'Ben Oak', address: 'ben@contoso.example' },
];

test.each(['en', 'de'] as const)(
  'in %s a notice is written to the custodians who have not been told, and not sent while its proposed text is unfinished',
  async (language) => {
    const own = words[language].holdNotices;
    const api = aSignedInApi().on(holdNotices.list, { isMailed: true, untold, items: [] }).on(holdNotices.send, aNotice([]));
    const page = await renderPage(ofHold(), { api, language });
    await page.user.click(await screen.findByRole('button', { name: own.send }));
    expect(screen.getByText('ann@contoso.example')).toBeTruthy();
    await page.checkAccessibility();
    await page.user.click(screen.getByRole('button', { name: own.send }));
    expect((await screen.findAllByText(words[language].validation.noticeUnfinished)).length).toBeGreaterThan(0);
    expect(api.calls.some((call) => call.startsWith('POST'))).toBe(false);
    const message = screen.getByRole('textbox', { name: new RegExp(own.message) });
    await page.user.clear(message);
    await page.user.type(message, 'Delete nothing about Falcon.');
    await page.user.clear(screen.getByLabelText(new RegExp(own.remindDays)));
    await page.user.click(screen.getByRole('button', { name: own.send }));
    await expect
      .poll(() => api.bodies)
      .toContainEqual({
        recipients: ['ann@contoso.example', 'ben@contoso.example'],
        subject: own.subjectOpen,
        message: 'Delete nothing about Falcon.',
        language,
        remindDays: null,
      });
  },
);

test('an address that is none is a fault of the recipients, and nothing is sent', async () => {
  const api = aSignedInApi().on(holdNotices.list, { isMailed: true, untold: [], items: [] });
  const page = await renderPage(ofHold(), { api });
  await page.user.click(await screen.findByRole('button', { name: 'Send a notice' }));
  await page.user.type(screen.getByLabelText('Recipients'), 'nobody{Enter}');
  await page.user.clear(screen.getByRole('textbox', { name: /Message/ }));
  await page.user.type(screen.getByRole('textbox', { name: /Message/ }), 'Keep it');
  await page.user.click(screen.getByRole('button', { name: 'Send a notice' }));
  expect((await screen.findAllByText('The email is invalid.')).length).toBeGreaterThan(0);
  expect(api.calls.some((call) => call.startsWith('POST'))).toBe(false);
});

test('the hold says who has acknowledged and when, and calls nothing sent that was not', async () => {
  const ids = ['1', '2', '3', '4'].map((at) => `01900000-0000-7000-8000-0000000000c${at}`);
  const recipients = [
    aRecipient({ recipientId: ids[0] ?? '', name: 'Ann Ash', acknowledgedAt: now }),
    aRecipient({ recipientId: ids[1] ?? '', address: 'ben@contoso.example', mail: 'waiting', sentAt: null }),
    aRecipient({ recipientId: ids[2] ?? '', address: 'cara@contoso.example', mail: 'failed', sentAt: null }),
    aRecipient({ recipientId: ids[3] ?? '', address: 'dan@contoso.example', mail: 'filed', sentAt: null }),
  ];
  const api = aSignedInApi().on(holdNotices.list, { isMailed: false, untold: untold.slice(1), items: [aNotice(recipients)] });
  const page = await renderPage(ofHold(), { api });
  expect(await screen.findByText('1 of 4 acknowledged')).toBeTruthy();
  expect(screen.getByText('Ann Ash (ann@contoso.example)')).toBeTruthy();
  expect(screen.getAllByText('Not yet')).toHaveLength(3);
  expect(screen.getAllByText(/^Sent /)).toHaveLength(1);
  expect(screen.getByText('Waiting to be sent')).toBeTruthy();
  expect(screen.getByText('Failed: the mail server did not take it')).toBeTruthy();
  expect(screen.getByText('Not sent: no mail server')).toBeTruthy();
  expect(screen.getByText(/No mail server is set up/)).toBeTruthy();
  expect(screen.getByText('1 custodian has not been notified yet.')).toBeTruthy();
  await page.checkAccessibility();
});

test('of a hold that has ended nothing is sent, and what was sent stays', async () => {
  const api = aSignedInApi().on(holdNotices.list, { isMailed: true, untold, items: [aNotice([aRecipient({})])] });
  await renderPage(ofHold(false), { api });
  expect(await screen.findByText('0 of 1 acknowledged')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send a notice' })).toBeNull();
});

const open = {
  organisationName: 'Contoso',
  sender: 'owner@contoso.example',
  address: 'ann@contoso.example',
  subject: 'Keep Falcon',
  message: 'Delete nothing.',
  createdAt: now,
  acknowledgedAt: null,
};
const at = { path: '/hold-notice/secret-code', pattern: '/hold-notice/:code' };

test.each(['en', 'de'] as const)(
  'in %s whoever has the link reads the notice without signing in, and acknowledges it by a button, not by opening it',
  async (language) => {
    const own = words[language].noticePage;
    const api = createFakeApi()
      .on(holdNoticeLinks.look, open)
      .on(holdNoticeLinks.acknowledge, { ...open, acknowledgedAt: now });
    const page = await renderPage(<NoticePage />, { ...at, api, signedIn: false, language });
    expect(await screen.findByText('Delete nothing.')).toBeTruthy();
    expect(screen.getByText(/ann@contoso\.example/)).toBeTruthy();
    expect(api.calls.some((call) => call.endsWith('/acknowledge'))).toBe(false);
    await page.checkAccessibility();
    await page.user.click(screen.getByRole('button', { name: own.acknowledge }));
    expect(await screen.findByText(new RegExp(own.acknowledgedAt.split('{{')[0] ?? ''))).toBeTruthy();
    expect(screen.queryByRole('button', { name: own.acknowledge })).toBeNull();
    expect(api.bodies).toContainEqual({ code: 'secret-code' });
    await page.checkAccessibility();
  },
);

test('whoever has a link that is over reads what to do', async () => {
  const message = en.errors['hold-notices.link-over'];
  const api = createFakeApi().fail(holdNoticeLinks.look, 410, { code: 'hold-notices.link-over', message });
  await renderPage(<NoticePage />, { ...at, api, signedIn: false });
  expect(await within(screen.getByRole('main')).findByText(message, { exact: false })).toBeTruthy();
});
