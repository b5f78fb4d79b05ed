import { accounts, identity } from '@holdfast/contract/identity';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAccount, aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import ProfilePage from './profile-page.tsx';

const off = { sharedKey: 'ABCDEFGH', recoveryCodesLeft: 0, recoveryCodes: null, isTwoFactorEnabled: false, isMachineRemembered: false };

test('who must set up a second factor sees the recovery codes until they are put away', async () => {
  const api = aSignedInApi().fail(accounts.account, 403, { code: 'identity.second-factor-required' });
  api.on(accounts.sessions, { items: [] }).on(identity.twoFactor, ({ body }) => {
    if ((body as { enable?: true }).enable !== true) return off;
    api.on(accounts.account, anAccount());
    return { ...off, isTwoFactorEnabled: true, recoveryCodesLeft: 1, recoveryCodes: ['AAAAA-BBBBB'] };
  });
  const page = await renderPage(<ProfilePage />, { api });
  await page.user.click(await screen.findByRole('button', { name: 'Set up' }));
  const form = await screen.findByRole('form', { name: 'Set up' });
  await page.user.type(within(form).getByRole('textbox'), '123456');
  await page.user.click(within(form).getByRole('button', { name: 'Turn on' }));
  // The account is read again, and the other cards come: the codes stay.
  await screen.findByText('AAAAA-BBBBB');
  await screen.findByText('Signed-in devices');
  expect(screen.getByText('AAAAA-BBBBB')).toBeTruthy();
});
