import { screen, within } from '@testing-library/react';
import { microsoftSignIn } from '@holdfast/contract/microsoft-sign-in';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { MicrosoftSignInCard } from './microsoft-sign-in-card.tsx';

const addresses = {
  redirectAddress: 'https://backup.example.com/signin/microsoft',
  signInAddress: 'https://backup.example.com/signin/microsoft?organisation=contoso',
};
const setUp = {
  issuer: 'https://a.example',
  clientId: 'app',
  administrator: [],
  operator: [],
  auditor: [],
  reader: ['g1'],
};

test('an owner sees the redirect address and names the application and the groups of a role', async () => {
  const api = aSignedInApi()
    .on(microsoftSignIn.read, { setUp: null, ...addresses })
    .on(microsoftSignIn.change, { setUp, ...addresses });
  const page = await renderPage(<MicrosoftSignInCard query={{}} />, { api });
  expect(await screen.findByText(addresses.redirectAddress)).toBeTruthy();
  expect(screen.queryByText(addresses.signInAddress)).toBeNull();
  await page.user.type(screen.getByLabelText(/^Issuer/), setUp.issuer);
  await page.user.type(screen.getByLabelText(/^Application/), setUp.clientId);
  await page.user.type(screen.getByLabelText(/^Client secret/), 's1');
  await page.user.type(screen.getByLabelText(/^Groups with the role Reader/), 'g1{Enter}');
  await page.user.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => api.bodies).toContainEqual({ ...setUp, clientSecret: 's1' });
  await page.checkAccessibility();
});

test('it is ended after a question, in German', async () => {
  const api = aSignedInApi()
    .on(microsoftSignIn.read, { setUp, ...addresses })
    .on(microsoftSignIn.remove, undefined);
  const page = await renderPage(<MicrosoftSignInCard query={{}} />, { api, language: 'de' });
  expect(await screen.findByText(addresses.signInAddress)).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Abschalten' }));
  await page.user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Abschalten' }));
  await expect.poll(() => api.calls.some((call) => call.startsWith('DELETE') && call.includes('/microsoft-sign-in'))).toBe(true);
});

test('administrators do not see it', async () => {
  const page = await renderPage(<MicrosoftSignInCard query={{}} />, { api: aSignedInApi(), role: 'administrator' });
  expect(page.container.textContent).not.toContain('Microsoft');
});
