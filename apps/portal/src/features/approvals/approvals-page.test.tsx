import { screen, within } from '@testing-library/react';
import { approvals } from '@holdfast/contract/approvals';
import type { Approval } from '@holdfast/contract/approvals';
import type { ResponseOf } from '@holdfast/contract/route';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { anApproval } from '../../testing/approval-samples.ts';
import ApprovalsPage from './approvals-page.tsx';

const place = { path: '/configuration/approvals', pattern: '/configuration/approvals/*' };

const answer = (approval: Approval) => ({
  items: [approval],
  secondPersons: approval.waitsFor,
  approvers: [],
  delayHours: 24,
  delayFrom: null,
});

/** Presses a button of a dialog over the drawer: in jsdom the layers below and above hide each other from the roles. */
async function press(page: Awaited<ReturnType<typeof renderPage>>, title: string, name: string): Promise<void> {
  const dialog = (await screen.findByText(title)).closest<HTMLElement>('[role="dialog"]');
  if (dialog === null) throw new Error(`${title} is not in a dialog.`);
  await page.user.click(within(dialog).getByRole('button', { name }));
}

test('a second person sees what is asked for and approves it after being told what that means', async () => {
  const api = aSignedInApi()
    .on(approvals.list, answer(anApproval()))
    .on(approvals.approve, anApproval({ status: 'approved' }));
  const page = await renderPage(<ApprovalsPage />, { ...place, api });
  await page.user.click(await screen.findByText('Tidy up'));
  expect(await screen.findByText('Older than 30 days')).toBeTruthy();
  expect(screen.queryByText('Withdraw')).toBeNull();
  expect(screen.getByText('Lapses').nextSibling?.textContent).toMatch(/27.*2026/);
  await page.user.click(screen.getByText('Approve'));
  await press(page, 'Approve: Tidy up?', 'Approve');
  await expect.poll(() => api.calls.some((call) => call.startsWith('POST') && call.endsWith('/approve'))).toBe(true);
});

test('who is alone is offered the delay and never the approval, in German too', async () => {
  const own = anApproval({ mayApprove: false, mayRefuse: false, mayWithdraw: true, mayDelay: true, waitsFor: [] });
  const api = aSignedInApi()
    .on(approvals.list, answer(own))
    .on(approvals.delay, { ...own, status: 'delayed' });
  const page = await renderPage(<ApprovalsPage />, { ...place, api, language: 'de' });
  await page.user.click(await screen.findByText('Tidy up'));
  const wait = 'Stattdessen 24 Stunden warten';
  await page.user.click(await screen.findByText(wait));
  expect(screen.queryByText('Genehmigen')).toBeNull();
  await press(page, 'In 24 Stunden von selbst gelten lassen?', wait);
  await expect.poll(() => api.calls.some((call) => call.startsWith('POST') && call.endsWith('/delay'))).toBe(true);
});

test('the list is accessible', async () => {
  const page = await renderPage(<ApprovalsPage />, { ...place, api: aSignedInApi().on(approvals.list, answer(anApproval())) });
  await screen.findByText('Tidy up');
  await page.checkAccessibility();
});

test('the page says who cannot approve yet and until when, and the request why the reader cannot', async () => {
  const obstacle = { reason: 'tooNew', until: '2026-11-30T09:00:00.000Z' } as const;
  const people: ResponseOf<typeof approvals.list>['approvers'] = [
    { email: 'ben@contoso.example', status: 'tooNew', until: '2026-11-30T09:00:00.000Z', confirmers: [] },
    { email: 'eve@contoso.example', status: 'unconfirmed', until: null, confirmers: ['ann@contoso.example'] },
    { email: 'ann@contoso.example', status: 'ready', until: null, confirmers: [] },
  ];
  const list = { ...answer(anApproval({ mayApprove: false, obstacle })), approvers: people, delayFrom: '2026-12-01T09:00:00.000Z' };
  const page = await renderPage(<ApprovalsPage />, { ...place, api: aSignedInApi().on(approvals.list, list) });
  expect(await screen.findByText(/ben@contoso\.example can approve from .*30.*2026/)).toBeTruthy();
  expect(screen.getByText(/eve@contoso\.example can approve once another owner .*: ann@contoso\.example/)).toBeTruthy();
  expect(screen.queryByText(/^ann@contoso\.example can approve/)).toBeNull();
  expect(screen.getByText(/the 24-hour delay is available from/)).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(await screen.findByText('Tidy up'));
  expect(await screen.findByText(/Possible from .*30.*2026/)).toBeTruthy();
  const buttons = screen.getAllByRole('button').map((one) => one.textContent);
  expect(buttons).toContain('Refuse');
  expect(buttons).not.toContain('Approve');
});

test('the request to delete messages leads to the list of what would be deleted', async () => {
  const asked = anApproval({ kind: 'messageDeletion', subjectName: 'offer', details: { messages: 3, reason: 'File 12' } });
  const page = await renderPage(<ApprovalsPage />, { ...place, api: aSignedInApi().on(approvals.list, answer(asked)) });
  await page.user.click(await screen.findByText('offer'));
  await page.user.click(await screen.findByRole('link', { name: 'Show what would be deleted and what is kept' }));
  expect(page.address()).toBe(`/archive/deletion-jobs?tab=messages&list=${asked.subjectId}`);
});

test('a request to change anything else has no such list', async () => {
  const page = await renderPage(<ApprovalsPage />, { ...place, api: aSignedInApi().on(approvals.list, answer(anApproval())) });
  await page.user.click(await screen.findByText('Tidy up'));
  expect(await screen.findByText('Older than 30 days')).toBeTruthy();
  expect(screen.queryByRole('link', { name: /would be deleted/ })).toBeNull();
});
