import { screen } from '@testing-library/react';
import { microsoftSignIn } from '@holdfast/contract/microsoft-sign-in';
import { expect, test } from 'vitest';
import { createFakeApi } from '../../testing/fake-api.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { sampleIds } from '../../testing/samples.ts';
import { MicrosoftButton } from './microsoft-button.tsx';
import MicrosoftPage from './microsoft-page.tsx';

const session = (token: string) => ({ token, expiresIn: 900 });
const signedIn = {
  ...session('l'),
  user: { id: sampleIds.user, email: 'ada@contoso.example', role: 'reader' as const },
  sessions: { main: session('m'), staging: session('s'), legacy: session('l') },
};

test('the answer of the provider is sent as it came, once, and the visitor is signed in', async () => {
  const api = createFakeApi().on(microsoftSignIn.complete, signedIn);
  const page = await renderPage(<MicrosoftPage />, { path: '/signin/microsoft?code=c1&state=s1', signedIn: false, api });
  await screen.findByText('elsewhere');
  expect(page.address()).toBe('/');
  expect(api.bodies).toEqual([{ answer: '?code=c1&state=s1' }]);
});

test('a refusal is shown with a way back to the password, in German', async () => {
  const message = 'Keine Ihrer Gruppen hat hier eine Rolle.';
  const api = createFakeApi().fail(microsoftSignIn.complete, 403, { code: 'microsoft-sign-in.no-role', message });
  const page = await renderPage(<MicrosoftPage />, { path: '/signin/microsoft?code=c1&state=s1', signedIn: false, api, language: 'de' });
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Auf andere Weise anmelden' }).getAttribute('href')).toBe('/signin');
  await page.checkAccessibility();
});

test('the address of an organisation leads straight to its provider', async () => {
  const left: string[] = [];
  const api = createFakeApi().on(microsoftSignIn.start, { address: 'https://provider.example/authorize' });
  await renderPage(<MicrosoftPage leave={(address) => left.push(address)} />, {
    path: '/signin/microsoft?organisation=contoso',
    signedIn: false,
    api,
  });
  await expect.poll(() => left).toEqual(['https://provider.example/authorize']);
  expect(api.bodies).toEqual([{ organisation: 'contoso' }]);
});

test('the short name of the organisation is asked for only when the server cannot tell which is meant', async () => {
  const left: string[] = [];
  const api = createFakeApi()
    .on(microsoftSignIn.offer, { isOffered: true })
    .fail(microsoftSignIn.start, 404, { code: 'microsoft-sign-in.not-set-up', message: 'Not set up.' });
  const page = await renderPage(<MicrosoftButton leave={(address) => left.push(address)} />, { signedIn: false, api });
  await page.user.click(await screen.findByRole('button', { name: 'Continue with Microsoft' }));
  await page.user.type(await screen.findByLabelText(/^Short name/), 'contoso');
  api.on(microsoftSignIn.start, { address: 'https://provider.example/authorize' });
  await page.user.click(screen.getByRole('button', { name: 'Continue with Microsoft' }));
  await expect.poll(() => left).toEqual(['https://provider.example/authorize']);
  expect(api.bodies).toEqual([{}, { organisation: 'contoso' }]);
  await page.checkAccessibility();
});

test('where nobody has set it up, the sign-in page has no button for it', async () => {
  const api = createFakeApi().on(microsoftSignIn.offer, { isOffered: false });
  const page = await renderPage(<MicrosoftButton />, { signedIn: false, api });
  await expect.poll(() => api.calls.some((call) => call.endsWith('/offer'))).toBe(true);
  expect(page.container.querySelector('button')).toBeNull();
});
