import { screen } from '@testing-library/react';
import { support } from '@holdfast/contract/support';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import SupportPage from './support-page.tsx';

const place = { path: '/account/support', pattern: '/account/support' };

test('who administers can download the bundle, and is told when it can not be made', async () => {
  const api = aSignedInApi().fail(support.bundle, 500, { message: 'Broken' });
  const page = await renderPage(<SupportPage />, { ...place, api });
  await page.user.click(await screen.findByRole('button', { name: 'Download support bundle' }));
  expect(await screen.findByText(/download/iu, { selector: '[role="alert"] *, [role="alert"]' })).toBeTruthy();
  expect(api.calls.some((call) => call.endsWith('/support/bundle'))).toBe(true);
  await page.checkAccessibility();
});

test('who may not make a bundle sees no button for it', async () => {
  await renderPage(<SupportPage />, { ...place, api: aSignedInApi(), role: 'operator' });
  await screen.findByRole('button', { name: 'Copy details' });
  expect(screen.queryByRole('button', { name: 'Download support bundle' })).toBeNull();
});

test('support is reached from Monday to Friday, 9 AM to 5 PM', async () => {
  await renderPage(<SupportPage />, { ...place, api: aSignedInApi() });
  expect(await screen.findByText('Mon to Fri, 9 AM to 5 PM')).toBeTruthy();
});

test('who is not signed in reaches support as well', async () => {
  await renderPage(<SupportPage />, { ...place, signedIn: false });
  expect(await screen.findByText('Mon to Fri, 9 AM to 5 PM')).toBeTruthy();
});
