import { screen } from '@testing-library/react';
import { receivers } from '@holdfast/contract/receivers';
import type { Receiver } from '@holdfast/contract/receivers';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { now, sampleIds } from '../../testing/samples.ts';
import { ReceiverDrawer } from './receiver-drawer.tsx';

const path = '/archive/jobs';

const aReceiver = (given: Partial<Receiver> = {}): Receiver => ({
  receiverId: sampleIds.job,
  name: 'Journal of Contoso',
  locationId: sampleIds.location,
  isEnabled: true,
  address: 'journal-abc@journal.contoso.example',
  networks: [],
  maxMegabytes: 160,
  silenceMinutes: 60,
  businessDays: [1, 2, 3, 4, 5],
  businessFrom: '08:00',
  businessTo: '18:00',
  createdAt: now,
  creator: 'ann@contoso.example',
  listening: { hostName: 'journal.contoso.example', port: 2525, seenAt: now, certificateEndsAt: now, certificateSha256: 'ab12' },
  received: 1_234,
  receivedBytes: 5_000_000,
  lastReceivedAt: now,
  placed: 1_200,
  waiting: 4,
  unassigned: 0,
  broken: 0,
  exempt: 0,
  erasedBefore: 0,
  silentSince: null,
  lastFailedAt: null,
  lastFailure: null,
  ...given,
});

const drawer = <ReceiverDrawer tenantId={sampleIds.tenant} onClose={() => undefined} />;

test('a receiver shows its counters, its address and what to enter in Exchange, and a test says what came of it', async () => {
  const api = aSignedInApi()
    .on(receivers.list, { items: [aReceiver()] })
    .on(receivers.test, { result: 'refused', detail: '451 4.3.0 Not stored' });
  const page = await renderPage(drawer, { path, pattern: `${path}/*`, api });
  expect(await screen.findByText('1,234')).toBeTruthy();
  expect(screen.getByText('journal-abc@journal.contoso.example')).toBeTruthy();
  expect(screen.getByText(/smart host journal\.contoso\.example/)).toBeTruthy();
  expect(screen.getByText(/port 2525/)).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Send a test message' }));
  expect(await screen.findByText(/refused the test message: 451 4\.3\.0 Not stored/)).toBeTruthy();
});

test('silence is told with what to do, in German', async () => {
  const silent = aReceiver({ silentSince: now });
  const api = aSignedInApi().on(receivers.list, { items: [silent] });
  await renderPage(drawer, { path, pattern: `${path}/*`, api, language: 'de' });
  expect(await screen.findByText(/Prüfen Sie, ob Journalregel und Connector/)).toBeTruthy();
});

test('a receiver that no worker listens for says what to set', async () => {
  const api = aSignedInApi().on(receivers.list, { items: [aReceiver({ listening: null })] });
  await renderPage(drawer, { path, pattern: `${path}/*`, api });
  expect(await screen.findByText(/Set HOLDFAST_RECEIVER_PORT/)).toBeTruthy();
});

test('mail without an owner is listed by address', async () => {
  const mail = { address: 'former@contoso.example', broken: null, messages: 3, bytes: 900, oldestAt: now, newestAt: now };
  const api = aSignedInApi()
    .on(receivers.list, { items: [aReceiver({ unassigned: 3 })] })
    .on(receivers.unassigned, { items: [mail] });
  await renderPage(drawer, { path, pattern: `${path}/*`, api });
  expect(await screen.findByText('former@contoso.example')).toBeTruthy();
  expect(screen.getByText(/^Messages: 3, the newest of /)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Assign' })).toBeTruthy();
});
