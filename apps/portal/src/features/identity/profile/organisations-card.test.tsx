import { invitations } from '@holdfast/contract/invitations';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { anAccount, aSignedInApi, renderPage } from '../../../testing/render-page.tsx';
import { sampleIds } from '../../../testing/samples.ts';
import { OrganisationsCard } from './organisations-card.tsx';

test.each([
  ['en', 'Leave'],
  ['de', 'Verlassen'],
] as const)(
  'in %s a person leaves an organisation after being asked, and the portal forgets it as the chosen one',
  async (language, leave) => {
    const api = aSignedInApi().on(invitations.leave, undefined);
    const page = await renderPage(<OrganisationsCard account={anAccount()} />, { api, language });
    await page.user.click(await screen.findByRole('button', { name: leave }));
    await screen.findByRole('dialog');
    const buttons = screen.getAllByRole('button', { name: leave });
    await page.user.click(buttons.at(-1) as HTMLElement);
    await expect.poll(() => page.portal.worker.get()).toBeNull();
    expect(api.calls.some((call) => JSON.stringify(call).includes('membership'))).toBe(true);
  },
);

test('the last owner stays, and reads why', async () => {
  const message = 'An organisation needs at least one owner. Make somebody else an owner first.';
  const api = aSignedInApi().fail(invitations.leave, 409, { code: 'identity.last-owner', message });
  const page = await renderPage(<OrganisationsCard account={anAccount()} />, { api });
  await page.user.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByRole('dialog');
  await page.user.click(screen.getAllByRole('button', { name: 'Leave' }).at(-1) as HTMLElement);
  await screen.findByText(message);
  expect(page.portal.worker.get()).not.toBeNull();
});

test('an organisation that is closed at the moment says why, and can be left', async () => {
  const withheld = [{ organisationId: sampleIds.tenant, organisationName: 'Fabrikam', because: 'network' as const }];
  const api = aSignedInApi().on(invitations.leave, undefined);
  await renderPage(<OrganisationsCard account={{ ...anAccount(), withheld }} />, { api });
  expect(await screen.findByText('Closed to your network')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: /^Leave/ })).toHaveLength(2);
});
