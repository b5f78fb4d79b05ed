import { screen, within } from '@testing-library/react';
import { forwarding } from '@holdfast/contract/forwarding';
import type { Destination } from '@holdfast/contract/forwarding';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { now, sampleIds } from '../../testing/samples.ts';
import ForwardingPage from './forwarding-page.tsx';

const base = '/configuration/audit-forwarding';
const pattern = `${base}/*`;

const aDestination = (given: Partial<Destination> = {}): Destination => ({
  destinationId: sampleIds.job,
  name: 'SIEM',
  kind: 'webhook',
  feed: 'everything',
  isEnabled: true,
  host: null,
  port: null,
  url: 'https://siem.example/hooks',
  form: 'events',
  ca: '',
  folder: null,
  createdAt: now,
  creator: 'ann@contoso.example',
  lastSentAt: now,
  backlog: 0,
  failingSince: null,
  nextAttemptAt: null,
  lastFailure: null,
  ...given,
});

test('a webhook is added, its secret is shown once, and the list says when nothing is sent yet', async () => {
  const api = aSignedInApi()
    .on(forwarding.list, { items: [] })
    .on(forwarding.create, { ...aDestination(), secret: 'whsec_c2VjcmV0' });
  const page = await renderPage(<ForwardingPage />, { path: base, pattern, api });
  expect(await screen.findByText(/^No destinations\./)).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Add destination' }));
  const form = await screen.findByRole('form', { name: 'Add destination' });
  await page.user.click(within(form).getByRole('radio', { name: /^Webhook/ }));
  await page.user.click(within(form).getByLabelText(/^Name/));
  await page.user.paste('SIEM');
  await page.user.click(within(form).getByLabelText(/^Address/));
  await page.user.paste('https://siem.example/hooks');
  await page.user.click(within(form).getByRole('button', { name: 'Add destination' }));
  expect(await screen.findByText('whsec_c2VjcmV0')).toBeTruthy();
  expect(api.bodies).toContainEqual(
    expect.objectContaining({ kind: 'webhook', name: 'SIEM', url: 'https://siem.example/hooks', feed: 'everything' }),
  );
  await expect.poll(() => page.address()).toBe(base);
  await page.user.click(await screen.findByRole('button', { name: 'I have stored it' }));
  expect(screen.queryByText('whsec_c2VjcmV0')).toBeNull();
});

test('a webhook can send messages for a channel instead of events', async () => {
  const api = aSignedInApi()
    .on(forwarding.list, { items: [] })
    .on(forwarding.create, { ...aDestination({ form: 'slack' }), secret: 'whsec_c2VjcmV0' });
  const page = await renderPage(<ForwardingPage />, { path: `${base}/new`, pattern, api });
  const form = await screen.findByRole('form', { name: 'Add destination' });
  expect(within(form).queryByRole('combobox', { name: /^Message/ })).toBeNull();
  await page.user.click(within(form).getByRole('radio', { name: /^Webhook/ }));
  await page.user.click(within(form).getByLabelText(/^Name/));
  await page.user.paste('Channel');
  await page.user.click(within(form).getByLabelText(/^Address/));
  await page.user.paste('https://hooks.slack.example/services/1');
  await page.user.click(within(form).getByRole('combobox', { name: /^Message/ }));
  await page.user.click(await screen.findByRole('option', { name: 'Message for Slack' }));
  await page.user.click(within(form).getByRole('button', { name: 'Add destination' }));
  expect(await screen.findByText('whsec_c2VjcmV0')).toBeTruthy();
  expect(api.bodies).toContainEqual(expect.objectContaining({ kind: 'webhook', form: 'slack' }));
});

test('bad input is refused at its field before anything is sent', async () => {
  const api = aSignedInApi().on(forwarding.list, { items: [] });
  const page = await renderPage(<ForwardingPage />, { path: `${base}/new`, pattern, api });
  const form = await screen.findByRole('form', { name: 'Add destination' });
  await page.user.click(within(form).getByLabelText(/^Name/));
  await page.user.paste('SIEM');
  await page.user.click(within(form).getByLabelText(/^Host/));
  await page.user.paste('two words');
  await page.user.click(within(form).getByRole('button', { name: 'Add destination' }));
  expect(await screen.findByText('Enter a host name or an IP address.')).toBeTruthy();
  expect(api.calls.some((call) => call.startsWith('POST') && call.includes('/audit-destinations'))).toBe(false);
});

test('a destination at a standstill says since when, why and how much waits; a test says what came of it, in German', async () => {
  const failing = aDestination({
    backlog: 1_000,
    failingSince: now,
    nextAttemptAt: now,
    lastFailure: { reason: 'refused', detail: 'HTTP 503' },
  });
  const api = aSignedInApi()
    .on(forwarding.list, { items: [failing] })
    .on(forwarding.test, { failure: { reason: 'untrusted', detail: 'CERT_HAS_EXPIRED' } });
  const page = await renderPage(<ForwardingPage />, { path: `${base}/${failing.destinationId}`, pattern, api, language: 'de' });
  const drawer = await screen.findByRole('dialog');
  expect(within(drawer).getByText('1.000 oder mehr')).toBeTruthy();
  expect(within(drawer).getByText('Der Empfänger hat die Ereignisse abgelehnt. (HTTP 503)')).toBeTruthy();
  await page.user.click(within(drawer).getByRole('button', { name: 'Testereignis senden' }));
  expect(
    await within(drawer).findByText(
      'Das Testereignis ist nicht angekommen. Dem Zertifikat des Empfängers wird nicht vertraut. (CERT_HAS_EXPIRED)',
    ),
  ).toBeTruthy();
  await page.checkAccessibility();
});

const syslog = aDestination({ kind: 'syslog', url: null, host: 'siem.example', port: 6514 });

test('a destination is paused, and keeps its receiver', async () => {
  const api = aSignedInApi()
    .on(forwarding.list, { items: [syslog] })
    .on(forwarding.change, syslog);
  const page = await renderPage(<ForwardingPage />, { path: `${base}/${syslog.destinationId}/edit`, pattern, api });
  const form = await screen.findByRole('form', { name: 'SIEM' });
  await page.user.click(within(form).getByRole('switch', { name: 'Send events' }));
  await page.user.click(within(form).getByRole('button', { name: 'Save' }));
  const sent = expect.objectContaining({ kind: 'syslog', host: 'siem.example', port: 6514, isEnabled: false }) as unknown;
  await expect.poll(() => api.bodies).toContainEqual(sent);
});

test('a destination is removed after a question', async () => {
  const api = aSignedInApi()
    .on(forwarding.list, { items: [syslog] })
    .on(forwarding.remove, undefined);
  const page = await renderPage(<ForwardingPage />, { path: `${base}/${syslog.destinationId}`, pattern, api });
  const drawer = await screen.findByRole('dialog', { name: 'SIEM' });
  await page.user.click(within(drawer).getByRole('button', { name: 'Remove' }));
  const question = await screen.findByRole('dialog', { name: 'Remove the destination “SIEM”?' });
  await page.user.click(within(question).getByRole('button', { name: 'Remove' }));
  await expect.poll(() => api.calls.some((call) => call.startsWith('DELETE') && call.includes('/audit-destinations/'))).toBe(true);
});

test('auditors see destinations and can change none', async () => {
  const api = aSignedInApi().on(forwarding.list, { items: [aDestination()] });
  const page = await renderPage(<ForwardingPage />, { path: base, pattern, api, role: 'auditor' });
  await page.user.click(await screen.findByRole('button', { name: 'SIEM' }));
  await screen.findByRole('dialog');
  expect(screen.queryByRole('button', { name: 'Send test event' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Add destination' })).toBeNull();
});
