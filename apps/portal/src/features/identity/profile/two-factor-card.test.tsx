import { identity } from '@holdfast/contract/identity';
import { passkeys } from '@holdfast/contract/passkeys';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage, type RenderedPage } from '../../../testing/render-page.tsx';
import { sampleIds } from '../../../testing/samples.ts';
import { TwoFactorCard } from './two-factor-card.tsx';

const state = { sharedKey: '', recoveryCodesLeft: 7, recoveryCodes: null, isTwoFactorEnabled: true, isMachineRemembered: false };

/** Opens the question of a button and answers it. */
async function answer(page: RenderedPage, button: string, proof: string, confirm: string): Promise<HTMLElement> {
  await page.user.click(await screen.findByText(button));
  const field = await screen.findByLabelText('Your password or a code from your app');
  const dialog = field.closest<HTMLElement>('[role="dialog"]');
  if (dialog === null) throw new Error('The question is in no dialog.');
  await page.user.type(field, proof);
  await page.user.click(within(dialog).getByRole('button', { name: confirm }));
  return dialog;
}

test.each([
  ['123456', { resetRecoveryCodes: true, twoFactorCode: '123456' }],
  ['Calm-River-Stones-12!', { resetRecoveryCodes: true, password: 'Calm-River-Stones-12!' }],
])('new codes are made with %s', async (proof, body) => {
  const api = aSignedInApi().on(identity.twoFactor, ({ body: asked }) => ({
    ...state,
    recoveryCodes: (asked as { resetRecoveryCodes?: true }).resetRecoveryCodes === true ? ['AAAAA-BBBBB'] : null,
  }));
  const page = await renderPage(<TwoFactorCard onDone={() => undefined} />, { api });
  await answer(page, 'New recovery codes', proof, 'New recovery codes');
  await screen.findByText('AAAAA-BBBBB');
  expect(api.bodies).toContainEqual(body);
  await page.checkAccessibility();
});

test('a wrong proof is named at its field, in the words of the server', async () => {
  const api = aSignedInApi().on(identity.twoFactor, state);
  const page = await renderPage(<TwoFactorCard onDone={() => undefined} />, { api });
  await screen.findByText('Turn off');
  api.fail(identity.twoFactor, 400, { errors: { PasswordMismatch: ['The password is not right.'] } });
  const dialog = await answer(page, 'Turn off', 'not-this-one-1!', 'Turn off');
  expect(await within(dialog).findByText('The password is not right.')).toBeTruthy();
});

test('whose account a passkey protects is not told that only the password does', async () => {
  const passkey = {
    passkeyId: sampleIds.job,
    name: 'Laptop',
    createdAt: '2026-11-20T08:00:00.000Z',
    lastUsedAt: null,
    isOfOtherAddress: false,
  };
  const api = aSignedInApi()
    .on(identity.twoFactor, { ...state, isTwoFactorEnabled: false })
    .on(passkeys.list, { isPossible: true, items: [passkey] });
  const page = await renderPage(<TwoFactorCard onDone={() => undefined} />, { api });
  await screen.findByText('No authenticator app is set up. Your passkey protects the account.');
  expect(screen.queryByText('It is off. Only the password protects your account.')).toBeNull();
  await page.checkAccessibility();
});
