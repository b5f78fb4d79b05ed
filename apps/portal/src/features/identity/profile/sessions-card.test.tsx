import { accounts } from '@holdfast/contract/identity';
import { auth } from '@holdfast/contract/legacy/auth';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage, type RenderedPage } from '../../../testing/render-page.tsx';
import { now, sampleIds } from '../../../testing/samples.ts';
import { SessionsCard } from './sessions-card.tsx';

const aSession = (sessionId: string, current: boolean) => ({
  sessionId,
  createdAt: now,
  lastActiveAt: now,
  expiresAt: now,
  address: '127.0.0.1',
  userAgent: current ? 'This browser' : 'Another browser',
  factors: 'mfa' as const,
  current,
});

const signedInTwice = () =>
  aSignedInApi()
    .on(accounts.sessions, { items: [aSession(sampleIds.user, true), aSession(sampleIds.tenant, false)] })
    .on(accounts.endSession, undefined)
    .on(accounts.endOtherSessions, undefined)
    .on(auth.logout, undefined);

async function answer(page: RenderedPage, button: string): Promise<void> {
  await page.user.click(await screen.findByText(button));
  const dialog = await screen.findByRole('dialog');
  await page.user.click(within(dialog).getByRole('button', { name: 'Sign out' }));
}

test('another device is signed out; this one has no such button', async () => {
  const api = signedInTwice();
  const page = await renderPage(<SessionsCard />, { api });
  await screen.findByText('Another browser');
  expect(screen.getAllByText('Sign out', { selector: 'button' })).toHaveLength(1);
  await answer(page, 'Sign out');
  await waitFor(() => expect(api.calls).toContain(`DELETE /apollo/sessions/${sampleIds.tenant}`));
  expect([page.signOutsTold, page.portal.signIn.isKept()]).toEqual([[], true]);
  await page.checkAccessibility();
});

test('to sign out everywhere ends the other devices, tells the other tabs, and then ends this one', async () => {
  const api = signedInTwice();
  const page = await renderPage(<SessionsCard />, { api });
  await answer(page, 'Sign out everywhere');
  await waitFor(() => expect(page.address()).toBe('/logout'));
  expect(api.calls.filter((call) => !call.startsWith('GET'))).toEqual(['DELETE /apollo/sessions', 'POST /api/auth/logout']);
  expect([page.signOutsTold, page.portal.signIn.isKept()]).toEqual([['everywhere'], false]);
  expect(page.portal.departure.read()?.reason).toBe('everywhere');
});

test('nobody is signed out, and no tab is told so, when the other devices could not be', async () => {
  const api = signedInTwice().fail(accounts.endOtherSessions, 503, { message: 'This service is not available right now.' });
  const page = await renderPage(<SessionsCard />, { api });
  await answer(page, 'Sign out everywhere');
  await screen.findByText('This service is not available right now.');
  expect([page.signOutsTold, page.portal.signIn.isKept()]).toEqual([[], true]);
});
