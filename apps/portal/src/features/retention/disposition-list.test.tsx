import { screen, within } from '@testing-library/react';
import { dispositions } from '@holdfast/contract/dispositions';
import type { Disposition } from '@holdfast/contract/dispositions';
import { retention } from '@holdfast/contract/retention';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aPolicy } from '../../testing/retention-samples.ts';
import DeletionJobsPage from '../archive/deletion-jobs-page.tsx';

const place = { path: '/archive/deletion-jobs?tab=reviews', pattern: '/archive/deletion-jobs/*' };
const policyId = '01900000-0000-7000-8000-0000000000c0';
const otherId = '01900000-0000-7000-8000-0000000000c7';

const waits = (given: Partial<Disposition> = {}): Disposition => ({
  policyId,
  policyName: 'Letters',
  mailboxId: '01900000-0000-7000-8000-0000000000c1',
  mailboxName: 'Ann Marsh',
  locationId: '01900000-0000-7000-8000-0000000000c2',
  sourceId: '01900000-0000-7000-8000-0000000000c3',
  sequence: 4,
  messageId: 'a'.repeat(64),
  receivedAt: '2019-03-05T10:00:00.000Z',
  sizeBytes: 2_048,
  stage: 2,
  stages: 2,
  since: '2026-11-20T10:00:00.000Z',
  mayDecide: true,
  reviewers: ['cara@contoso.example'],
  before: [{ stage: 1, by: 'ben@contoso.example', reason: 'Not needed', at: '2026-11-20T10:00:00.000Z' }],
  ...given,
});
const policies = [
  aPolicy({ status: 'active', stages: [{ reviewers: [] }] }),
  aPolicy({ policyId: otherId, name: 'Contracts', status: 'active' }),
];
const anApi = (items: Disposition[]) =>
  aSignedInApi().on(retention.list, { items: policies }).on(dispositions.list, { items, nextCursor: null, total: items.length });

test('an empty list says when something appears in it', async () => {
  await renderPage(<DeletionJobsPage />, { ...place, api: anApi([]) });
  expect(await screen.findByText(/^No message waits for a decision/u)).toBeTruthy();
});

test('messages show their stage and what was said before, and a list of them is kept longer with a day and a reason', async () => {
  const bodies: unknown[] = [];
  const items = [waits(), waits({ messageId: 'b'.repeat(64) })];
  const api = anApi(items).on(dispositions.decide, ({ body }) => {
    bodies.push(body);
    return { decided: 2 };
  });
  const page = await renderPage(<DeletionJobsPage />, { ...place, api });
  expect(await screen.findAllByText('2 of 2')).toHaveLength(2);
  expect(screen.getAllByText('ben@contoso.example: Not needed')).toHaveLength(2);
  await page.checkAccessibility();
  for (const { messageId } of items) await page.user.click(screen.getByRole('checkbox', { name: new RegExp(messageId, 'u') }));
  await page.user.click(screen.getByRole('button', { name: 'Decide' }));
  const drawer = within(await screen.findByRole('dialog'));
  await page.user.click(drawer.getByRole('radio', { name: /^Keep longer/u }));
  await page.user.click(drawer.getByRole('button', { name: 'Decide' }));
  expect(bodies).toEqual([]);
  await page.user.type(drawer.getByLabelText(/^Keep until/u), '2031-12-31');
  await page.user.type(drawer.getByRole('textbox', { name: /Reason/u }), 'A dispute');
  await page.user.click(drawer.getByRole('button', { name: 'Decide' }));
  await screen.findByText('Your decision is recorded.');
  const messages = items.map(({ mailboxId, messageId }) => ({ mailboxId, messageId }));
  expect(bodies).toEqual([{ policyId, messages, decision: 'keep', until: '2031-12-31', toPolicyId: null, reason: 'A dispute' }]);
});

test('messages of two policies are not decided about together', async () => {
  const items = [waits(), waits({ messageId: 'b'.repeat(64), policyId: otherId })];
  const page = await renderPage(<DeletionJobsPage />, { ...place, api: anApi(items) });
  await screen.findAllByText('2 of 2');
  for (const { messageId } of items) await page.user.click(screen.getByRole('checkbox', { name: new RegExp(messageId, 'u') }));
  expect(screen.getByText('Choose messages of one policy at a time.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Decide' })).toBeNull();
});
