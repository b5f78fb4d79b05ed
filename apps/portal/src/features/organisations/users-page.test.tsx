import { screen, within } from '@testing-library/react';
import { members } from '@holdfast/contract/members';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { now, sampleIds } from '../../testing/samples.ts';
import type { Member } from './member.ts';
import UsersPage from './users-page.tsx';

const base = '/configuration/users';
const link = 'https://holdfast.example/invitation/one';
const invited: Member = {
  userId: sampleIds.user,
  email: 'ada@contoso.example',
  firstName: '',
  lastName: '',
  phoneNumber: '',
  role: 'reader',
  organisationId: sampleIds.organisation,
  status: 'invited',
  isTwoFactorEnabled: false,
  accessEndsAt: null,
  lastSignInAt: null,
  invitedAt: now,
  invitationExpiresAt: null,
  approval: null,
};

test('the link of an invitation that no mail takes is copied with a button, and is gone once it was passed on', async () => {
  const api = aSignedInApi()
    .on(members.list, { items: [] })
    .on(members.invite, { ...invited, link });
  const page = await renderPage(<UsersPage />, { path: `${base}/new`, pattern: `${base}/*`, api, role: 'owner' });
  const form = await screen.findByRole('form', { name: 'Invite user' });
  await page.user.type(within(form).getByLabelText(/^E-mail/), 'ada@contoso.example');
  await page.user.click(within(form).getByRole('button', { name: 'Invite user' }));
  expect(await screen.findByText('The link is shown only once')).toBeTruthy();
  await page.user.click(await screen.findByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(link);
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'I have passed it on' }));
  expect(screen.queryByText(link)).toBeNull();
});
