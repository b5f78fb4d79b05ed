import { screen, within } from '@testing-library/react';
import { dataRequests } from '@holdfast/contract/data-requests';
import type { DataRequestDetails, DataRequestItem } from '@holdfast/contract/data-requests';
import { expect, test } from 'vitest';
import type { FakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { onePage, sampleIds } from '../../testing/samples.ts';
import { Page } from '../../ui/page.tsx';
import DataRequestsPage from './data-requests-page.tsx';
import { AccessRequestForm } from './access-request-form.tsx';

const requestId = '01900000-0000-7000-8000-0000000000da';
const base = '/archive/data-requests';
const place = { path: base, pattern: `${base}/*` };
const amount = (items: number) => ({ items, bytes: items * 1_000 });

function aRequest(given: Partial<DataRequestDetails> = {}): DataRequestDetails {
  return {
    requestId,
    kind: 'access',
    person: { personId: sampleIds.source, name: 'Adele Vance', address: 'adele@contoso.example' },
    note: 'E-mail of 12 November',
    receivedOn: '2026-11-12',
    dueOn: '2026-12-12',
    daysLeft: 14,
    extension: null,
    registeredBy: 'ann@contoso.example',
    registeredAt: '2026-11-13T09:00:00.000Z',
    deletion: null,
    collected: {
      at: '2026-11-13T09:00:00.000Z',
      own: amount(1_200),
      mention: amount(30),
      leftOut: 2,
      notReached: 0,
      notSearched: 0,
    },
    exported: null,
    answer: null,
    places: [],
    leftOut: [{ reason: 'Trade secrets of a customer', items: 2 }],
    ...given,
  };
}

const items: DataRequestItem[] = [
  { position: 1, part: 'own', leftOut: null, hit: null },
  { position: 2, part: 'mention', leftOut: { reason: 'Trade secrets of a customer', by: 'ann@contoso.example' }, hit: null },
];

const theApi = (request: DataRequestDetails): FakeApi =>
  aSignedInApi()
    .on(dataRequests.list, onePage([request]))
    .on(dataRequests.get, request)
    .on(dataRequests.items, onePage(items));

const opened = (request: DataRequestDetails, api = theApi(request)) =>
  renderPage(<DataRequestsPage />, { ...place, path: `${base}/${requestId}`, api });

test('the register says how much time is left, and what is overdue', async () => {
  const api = aSignedInApi().on(
    dataRequests.list,
    onePage([aRequest(), aRequest({ requestId: sampleIds.source, daysLeft: -1, kind: 'erasure', collected: null })]),
  );
  const page = await renderPage(<DataRequestsPage />, { ...place, api });
  expect(await screen.findByText('14 days')).toBeTruthy();
  expect(screen.getByText('1 day overdue')).toBeTruthy();
  await page.checkAccessibility();
});

test('an open request for access can be packed, extended and answered; nothing can be changed after the answer', async () => {
  const page = await opened(aRequest());
  const drawer = await screen.findByRole('dialog');
  for (const name of ['Create package', 'Download letter', 'Collect again', 'Extend', 'Mark as answered'])
    expect(within(drawer).getByRole('button', { name }), name).toBeTruthy();
  expect(within(drawer).getByText('Trade secrets of a customer')).toBeTruthy();
  await page.checkAccessibility();
  page.unmount();
  const answer = { outcome: 'complete', how: 'By registered post', answeredOn: '2026-11-20', by: 'ann@contoso.example' } as const;
  await opened(aRequest({ answer, daysLeft: null }));
  const closed = await screen.findByRole('dialog');
  expect(await within(closed).findByText('By registered post')).toBeTruthy();
  expect(within(closed).getByRole('button', { name: 'Download letter' })).toBeTruthy();
  for (const name of ['Create package', 'Collect again', 'Extend', 'Mark as answered'])
    expect(within(closed).queryByRole('button', { name }), name).toBeNull();
});

test('what the package cannot have is said before it is made', async () => {
  const collected = { ...aRequest().collected, at: '2026-11-13T09:00:00.000Z', own: amount(1), mention: amount(0), leftOut: 0 };
  await opened(aRequest({ collected: { ...collected, notReached: 3, notSearched: 1_500 } }));
  expect(await screen.findByText(/^3 items are missing because you have no right to open them/u)).toBeTruthy();
  expect(screen.getByText(/^The search has yet to read 1,500 items\./u)).toBeTruthy();
});

test('chosen items are left out with a reason, and not without one', async () => {
  const api = theApi(aRequest()).on(dataRequests.leaveOut, aRequest());
  const page = await opened(aRequest(), api);
  const drawer = await screen.findByRole('dialog');
  const boxes = await within(drawer).findAllByRole('checkbox');
  await page.user.click(boxes.at(-1) as HTMLElement);
  await page.user.click(within(drawer).getByRole('button', { name: 'Leave out' }));
  const sent = (): boolean => api.calls.some((call) => call.includes('/leave-out'));
  await page.user.click(within(drawer).getByRole('button', { name: 'Leave out 1 item' }));
  expect(sent()).toBe(false);
  await page.user.type(within(drawer).getByRole('textbox', { name: /Reason/ }), 'Somebody else is meant.');
  await page.user.click(within(drawer).getByRole('button', { name: 'Leave out 1 item' }));
  await screen.findByText('The items were left out.');
  expect(sent()).toBe(true);
});

test('a request is registered with the day that it came in', async () => {
  const api = theApi(aRequest()).on(dataRequests.create, aRequest());
  const person = { resourceId: sampleIds.source, name: 'Adele Vance' };
  const form = (
    <Page title="Adele Vance">
      <AccessRequestForm tenantId={sampleIds.tenant} person={person} onClose={() => undefined} />
    </Page>
  );
  const page = await renderPage(form, { ...place, api });
  const register = screen.getByRole('button', { name: 'Register' });
  await page.user.click(register);
  expect(api.calls.some((call) => call.startsWith('POST'))).toBe(false);
  await page.user.type(screen.getByLabelText(/Received on/), '2026-11-12');
  await page.user.type(screen.getByRole('textbox', { name: /Request/ }), 'E-mail of 12 November');
  await page.user.click(register);
  await screen.findByText('The request was registered.');
  // The values have been sent, so nobody is asked whether to discard them.
  await expect.poll(() => screen.queryByText('Access request of Adele Vance')).toBeNull();
  expect(screen.queryByText('Discard changes?')).toBeNull();
  expect(api.calls.some((call) => call.startsWith('POST') && call.endsWith('/data-requests'))).toBe(true);
});
