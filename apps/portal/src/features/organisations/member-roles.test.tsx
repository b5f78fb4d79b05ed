import { screen, within } from '@testing-library/react';
import { members } from '@holdfast/contract/members';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { now, sampleIds } from '../../testing/samples.ts';
import { InviteForm } from './invite-form.tsx';
import { MemberDetails } from './member-details.tsx';
import type { Member } from './member.ts';

const given = { query: {}, onLink: () => undefined, onClose: () => undefined };
const aMember = (role: Member['role'], status: Member['status'] = 'active'): Member => ({
  userId: sampleIds.user,
  email: 'ada@contoso.example',
  firstName: 'Ada',
  lastName: '',
  phoneNumber: '',
  role,
  organisationId: sampleIds.organisation,
  status,
  isTwoFactorEnabled: true,
  accessEndsAt: null,
  lastSignInAt: now,
  invitedAt: null,
  invitationExpiresAt: null,
  approval: null,
});

test.each([
  ['owner', ['Owner', 'Administrator', 'Operator', 'Auditor', 'Reader']],
  ['administrator', ['Administrator', 'Operator', 'Auditor', 'Reader']],
] as const)('an %s invites in a role that is not above their own', async (role, offered) => {
  const page = await renderPage(<InviteForm {...given} />, { role });
  await page.user.click(await screen.findByRole('combobox', { name: 'Role' }));
  const options = await screen.findAllByRole('option');
  expect(options.map((option) => option.textContent)).toEqual(offered);
});

test.each([
  ['owner', aMember('owner'), ['Disable', 'Sign out of this organisation', 'Remove']],
  ['administrator', aMember('operator'), ['Disable', 'Sign out of this organisation', 'Remove']],
  ['administrator', aMember('reader', 'invited'), ['Send again', 'Withdraw invitation']],
  ['administrator', aMember('owner'), []],
  ['administrator', aMember('owner', 'invited'), []],
] as const)('an %s is offered what their role allows with this member', async (role, member, offered) => {
  await renderPage(<MemberDetails {...given} member={member} />, { role });
  const field = await screen.findByRole('combobox', { name: 'Role' });
  expect(field.hasAttribute('disabled')).toBe(offered.length === 0);
  const commands = ['Disable', 'Sign out of this organisation', 'Remove', 'Send again', 'Withdraw invitation'];
  const seen = screen.getAllByRole('button').map((one) => one.textContent);
  expect(commands.filter((one) => seen.includes(one))).toEqual(offered);
});

test.each([
  ['Invitation sent.', null],
  ['Invitation created. Pass its link on to the person.', 'https://holdfast.example/invitation/one'],
])('an invitation says "%s" when the answer carries the link %s', async (words, link) => {
  const api = aSignedInApi().on(members.resendInvitation, { ...aMember('reader', 'invited'), link });
  const page = await renderPage(<MemberDetails {...given} member={aMember('reader', 'invited')} />, { api, role: 'administrator' });
  await page.user.click(await screen.findByRole('button', { name: 'Send again' }));
  expect(await screen.findByText(words)).toBeTruthy();
});

test('another owner confirms an approver after being told what that means', async () => {
  const approval = { since: now, status: 'unconfirmed', until: null, confirmers: ['ann@contoso.example'], mayConfirm: true } as const;
  const member = { ...aMember('administrator'), approval: { ...approval, confirmers: [...approval.confirmers] } };
  const api = aSignedInApi().on(members.confirm, { ...member, approval: { ...member.approval, status: 'ready', mayConfirm: false } });
  const page = await renderPage(<MemberDetails {...given} member={member} />, { role: 'owner', api });
  expect(await screen.findByText('After confirmation by ann@contoso.example')).toBeTruthy();
  await page.user.click(screen.getByText('Confirm as approver'));
  const dialog = (await screen.findByText('Confirm ada@contoso.example as an approver?')).closest<HTMLElement>('[role="dialog"]');
  if (dialog === null) throw new Error('The question is not in a dialog.');
  await page.user.click(within(dialog).getByRole('button', { name: 'Confirm as approver' }));
  await expect.poll(() => api.calls.some((call) => call.startsWith('POST') && call.endsWith('/confirmation'))).toBe(true);
});
