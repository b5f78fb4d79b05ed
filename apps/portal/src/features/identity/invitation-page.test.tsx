import { accounts } from '@holdfast/contract/identity';
import { invitations } from '@holdfast/contract/invitations';
import { de } from '@holdfast/phrases/de';
import { en } from '@holdfast/phrases/en';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createFakeApi } from '../../testing/fake-api.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { now, sampleIds } from '../../testing/samples.ts';
import InvitationPage from './invitation-page.tsx';

const at = { path: '/invitation/secret-code', pattern: '/invitation/:code' };
const policy = { minLength: 12, requiresSpecial: true, registration: 'invite' as const, secondFactor: 'optional' as const };
const invitation = {
  email: 'admin@contoso.example',
  organisationName: 'Fabrikam',
  inviter: 'owner@fabrikam.example',
  role: 'auditor' as const,
  expiresAt: now,
};

test.each([
  ['en', 'owner@fabrikam.example invites you to Fabrikam as Auditor.', en],
  ['de', 'owner@fabrikam.example lädt Sie als Prüfer zu Fabrikam ein.', de],
] as const)(
  'in %s a guest creates an account and is led through the sign-in back to the invitation',
  async (language, lead, { signIn }) => {
    const api = createFakeApi().on(invitations.look, invitation).on(accounts.policy, policy).on(invitations.register, undefined);
    const page = await renderPage(<InvitationPage />, { ...at, api, signedIn: false, language });
    await screen.findByText(lead);
    await page.user.type(screen.getByLabelText(signIn.newPassword), 'Calm-River-Stones-12!');
    await page.user.type(screen.getByLabelText(signIn.repeatPassword), 'Calm-River-Stones-12!');
    await page.user.click(screen.getByRole('button', { name: signIn.invitationCreate }));
    await screen.findByText('elsewhere');
    expect(page.address()).toBe('/signin');
    expect(page.portal.departure.read()).toEqual({ reason: null, returnTo: '/invitation/secret-code' });
    expect(api.bodies).toContainEqual({ code: 'secret-code', password: 'Calm-River-Stones-12!' });
  },
);

test('whoever is signed in with the invited address accepts, and chooses a customer afterwards', async () => {
  const api = aSignedInApi()
    .on(invitations.look, invitation)
    .on(invitations.accept, { organisationId: sampleIds.organisation, role: 'auditor' });
  const page = await renderPage(<InvitationPage />, { ...at, api });
  await page.user.click(await screen.findByRole('button', { name: 'Accept invitation' }));
  await screen.findByText('elsewhere');
  expect(page.address()).toBe('/');
  expect(page.portal.worker.get()).toBeNull();
});

test('whoever is signed in with another address accepts nothing', async () => {
  const other = aSignedInApi().on(invitations.look, { ...invitation, email: 'else@contoso.example' });
  await renderPage(<InvitationPage />, { ...at, api: other });
  await screen.findByText('You are signed in as admin@contoso.example. Sign out, then open the invitation again.');
  expect(screen.queryByRole('button', { name: 'Accept invitation' })).toBeNull();
});

test('whoever comes too late reads what to do', async () => {
  const message = 'This invitation has expired or was withdrawn. Ask the organisation for a new one.';
  const late = createFakeApi().fail(invitations.look, 410, { code: 'identity.invitation-over', message });
  await renderPage(<InvitationPage />, { ...at, api: late, signedIn: false });
  await screen.findByText(message, { exact: false });
});
