import { screen } from '@testing-library/react';
import { signInRules } from '@holdfast/contract/sign-in-rules';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { SignInRulesCard } from './sign-in-rules-card.tsx';

const rules = { networks: [], secondFactor: false, address: '203.0.113.9' };

test('an owner sees their own address, limits networks and requires a second factor', async () => {
  const saved = { ...rules, networks: ['203.0.113.0/24'], secondFactor: true };
  const api = aSignedInApi().on(signInRules.read, rules).on(signInRules.change, saved);
  const page = await renderPage(<SignInRulesCard query={{}} />, { api });
  expect(await screen.findByText(/Your address is 203\.0\.113\.9/)).toBeTruthy();
  await page.user.type(screen.getByLabelText(/^Allowed networks/), '203.0.113.0/24{Enter}');
  await page.user.click(screen.getByLabelText(/^Require a second factor/));
  await page.user.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => api.bodies).toContainEqual({ networks: ['203.0.113.0/24'], secondFactor: true });
  await page.checkAccessibility();
});

test('what is no network is refused before anything is sent, in German', async () => {
  const api = aSignedInApi().on(signInRules.read, rules);
  const page = await renderPage(<SignInRulesCard query={{}} />, { api, language: 'de' });
  await page.user.type(await screen.findByLabelText(/^Zugelassene Netzwerke/), 'Büro{Enter}');
  await page.user.click(screen.getByRole('button', { name: 'Speichern' }));
  expect(await screen.findByText(/Geben Sie eine IP-Adresse oder ein Netzwerk/)).toBeTruthy();
  expect(api.calls.some((call) => call.startsWith('PUT'))).toBe(false);
});

test('administrators do not see the rules', async () => {
  const page = await renderPage(<SignInRulesCard query={{}} />, { api: aSignedInApi(), role: 'administrator' });
  expect(page.container.textContent).not.toContain('Allowed networks');
});
