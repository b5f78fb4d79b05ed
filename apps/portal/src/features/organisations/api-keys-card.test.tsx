import { screen, within } from '@testing-library/react';
import { apiKeys } from '@holdfast/contract/api-keys';
import type { ApiKey } from '@holdfast/contract/api-keys';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { now, sampleIds } from '../../testing/samples.ts';
import { ApiKeysCard } from './api-keys-card.tsx';

const aKey = (given: Partial<ApiKey> = {}): ApiKey => ({
  apiKeyId: sampleIds.job,
  name: 'Monitoring',
  role: 'reader',
  state: 'active',
  networks: ['203.0.113.0/24'],
  creator: 'ann@contoso.example',
  createdAt: now,
  expiresAt: now,
  endedAt: null,
  endedBy: null,
  lastUsedAt: now,
  lastUsedAddress: '203.0.113.9',
  ...given,
});

test('a key is created with role, end and networks, and shown once', async () => {
  const api = aSignedInApi()
    .on(apiKeys.list, { items: [] })
    .on(apiKeys.create, { ...aKey(), key: 'hf_key_secret' });
  const page = await renderPage(<ApiKeysCard query={{}} />, { api });
  expect(await screen.findByText('No API keys. Create one to connect monitoring or automation.')).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Create API key' }));
  const form = await screen.findByRole('form', { name: 'Create API key' });
  await page.user.type(within(form).getByLabelText(/^Name/), 'Monitoring');
  await page.user.click(within(form).getByRole('combobox', { name: 'Role' }));
  const options = await screen.findAllByRole('option');
  expect(options.map((option) => option.textContent)).toEqual(['Administrator', 'Operator', 'Auditor', 'Reader']);
  await page.user.click(screen.getByRole('option', { name: 'Operator' }));
  await page.user.type(within(form).getByLabelText(/^Allowed networks/), '203.0.113.0/24{Enter}');
  await page.user.click(within(form).getByRole('button', { name: 'Create API key' }));
  expect(await screen.findByText('hf_key_secret')).toBeTruthy();
  expect(api.bodies).toContainEqual({ name: 'Monitoring', role: 'operator', days: 90, networks: ['203.0.113.0/24'] });
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'I have stored it' }));
  expect(screen.queryByText('hf_key_secret')).toBeNull();
});

test('what is no network is refused before anything is sent', async () => {
  const api = aSignedInApi().on(apiKeys.list, { items: [] });
  const page = await renderPage(<ApiKeysCard query={{}} />, { api });
  await page.user.click(await screen.findByRole('button', { name: 'Create API key' }));
  const form = await screen.findByRole('form', { name: 'Create API key' });
  await page.user.type(within(form).getByLabelText(/^Name/), 'Monitoring');
  await page.user.type(within(form).getByLabelText(/^Allowed networks/), 'office{Enter}');
  await page.user.click(within(form).getByRole('button', { name: 'Create API key' }));
  expect(await screen.findByText('Enter an IP address or a network such as 203.0.113.0/24.')).toBeTruthy();
  expect(api.calls.some((call) => call.startsWith('POST') && call.includes('/api-keys'))).toBe(false);
});

test('a key is listed with what it may do and when it was last used, and ended after a question, in German', async () => {
  const ended = aKey({ apiKeyId: sampleIds.tenant, name: 'Alt', state: 'ended', networks: [], lastUsedAt: null });
  const api = aSignedInApi()
    .on(apiKeys.list, { items: [aKey(), ended] })
    .on(apiKeys.end, undefined);
  const page = await renderPage(<ApiKeysCard query={{}} />, { api, language: 'de' });
  expect(await screen.findByText(/von 203\.0\.113\.9$/)).toBeTruthy();
  expect(screen.getByText('Jede Adresse')).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: /^Beenden/ }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText('API-Schlüssel „Monitoring“ beenden?')).toBeTruthy();
  await page.user.click(within(dialog).getByRole('button', { name: 'Beenden' }));
  await expect.poll(() => api.calls.some((call) => call.startsWith('DELETE') && call.includes('/api-keys/'))).toBe(true);
});

test('operators see no keys', async () => {
  const api = aSignedInApi();
  const page = await renderPage(<ApiKeysCard query={{}} />, { api, role: 'operator' });
  expect(page.container.textContent).not.toContain('API keys');
});
