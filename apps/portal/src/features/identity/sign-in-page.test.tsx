import { screen } from '@testing-library/react';
import { accounts } from '@holdfast/contract/identity';
import { auth } from '@holdfast/contract/legacy/auth';
import { microsoftSignIn } from '@holdfast/contract/microsoft-sign-in';
import { expect, test } from 'vitest';
import { createFakeApi } from '../../testing/fake-api.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { sampleIds } from '../../testing/samples.ts';
import SignInPage from './sign-in-page.tsx';

const session = (token: string) => ({ token, expiresIn: 900 });
const signedIn = {
  ...session('l'),
  user: { id: sampleIds.user, email: 'admin@contoso.example', role: 'owner' as const },
  sessions: { main: session('m'), staging: session('s'), legacy: session('l') },
};
const policy = { minLength: 12, requiresSpecial: true, registration: 'invite' as const, secondFactor: 'optional' as const };

async function fillIn(user: Awaited<ReturnType<typeof renderPage>>['user']): Promise<void> {
  await user.type(await screen.findByLabelText('E-mail'), 'admin@contoso.example');
  await user.type(screen.getByLabelText('Password'), 'Secret-Word-1!');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
}

test('one sign-in asks for three audiences, keeps three cookies and goes on to the start page', async () => {
  const api = createFakeApi().on(auth.signIn, signedIn);
  const page = await renderPage(<SignInPage />, { path: '/signin', signedIn: false, api });
  await fillIn(page.user);
  await screen.findByText('elsewhere');
  expect(page.address()).toBe('/');
  expect(api.bodies[0]).toEqual({ email: 'admin@contoso.example', password: 'Secret-Word-1!', audiences: ['main', 'staging', 'legacy'] });
  expect(['holdfast.main', 'holdfast.staging', 'holdfast.legacy'].every((name) => document.cookie.includes(name))).toBe(true);
});

test('a second factor leads to the code entry', async () => {
  const api = createFakeApi().on(auth.signIn, { verificationRequired: true, challengeId: 'c1', channels: ['email'] });
  const page = await renderPage(<SignInPage />, { path: '/signin', signedIn: false, api });
  await fillIn(page.user);
  await screen.findByText('elsewhere');
  expect(page.address()).toBe('/verify-code');
});

test('wrong credentials are said in the words of the specification and change nothing', async () => {
  const api = createFakeApi().fail(auth.signIn, 401, { message: 'Invalid Credentials.', code: 'identity.invalid-credentials' });
  const page = await renderPage(<SignInPage />, { path: '/signin', signedIn: false, api });
  await fillIn(page.user);
  expect(await screen.findByRole('alert')).toHaveProperty('textContent', expect.stringContaining('Invalid Credentials.'));
  expect(page.portal.signIn.state.get().isAuthenticated).toBe(false);
});

test('an empty form names its faults at the fields and sends nothing', async () => {
  const api = createFakeApi().on(microsoftSignIn.offer, { isOffered: false });
  const page = await renderPage(<SignInPage />, { path: '/signin', signedIn: false, api });
  await page.user.click(await screen.findByRole('button', { name: 'Sign in' }));
  expect((await screen.findAllByText('Please enter your e-mail address.')).length).toBeGreaterThan(0);
  // Strict mode mounts twice and asks again.
  expect([...new Set(api.calls)]).toEqual(['GET /apollo/api/microsoft-sign-in/offer']);
});

test('the address of a first start shows the form of the first owner', async () => {
  const api = createFakeApi().on(accounts.policy, policy).on(accounts.bootstrap, signedIn);
  const page = await renderPage(<SignInPage />, { path: '/signin#setup=token-1', pattern: '/signin', signedIn: false, api });
  await page.user.type(await screen.findByLabelText('Organisation'), 'Contoso');
  await page.user.type(screen.getByLabelText('E-mail'), 'ada@contoso.com');
  await page.user.type(screen.getByLabelText('Password'), 'Secret-Word-1!');
  await page.user.click(screen.getByRole('button', { name: 'Create and sign in' }));
  await screen.findByText('elsewhere');
  expect(api.bodies.at(-1)).toMatchObject({ token: 'token-1', organisation: 'Contoso' });
});

test.each(['en', 'de'] as const)('axe finds nothing in %s', async (language) => {
  const page = await renderPage(<SignInPage />, { path: '/signin', signedIn: false, language, api: createFakeApi() });
  await screen.findByRole('heading', { level: 1 });
  await page.checkAccessibility();
});
