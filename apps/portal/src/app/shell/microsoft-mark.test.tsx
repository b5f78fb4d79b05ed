import { screen } from '@testing-library/react';
import { tenants } from '@holdfast/contract/tenants';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { aTenant, now } from '../../testing/samples.ts';
import { MicrosoftMark } from './microsoft-mark.tsx';

test.each([
  ['reachable', null, 'Microsoft 365 reachable'],
  ['unreachable', 'graph.unreachable', 'Microsoft 365 not reachable'],
  ['refused', 'tenants.credential-refused', 'Microsoft 365 refuses access'],
] as const)('the bar says that Microsoft 365 is %s', async (state, code, words) => {
  const api = aSignedInApi().on(tenants.list, { items: [aTenant({ microsoft: { state, code, at: now } })] });
  const page = await renderPage(<MicrosoftMark />, { api });
  expect((await screen.findByText(words)).closest('[role=status]')?.getAttribute('aria-label')).toBe('Microsoft 365');
  await page.checkAccessibility();
});

test('a service that was never asked is neither good nor bad, and has its place already', async () => {
  const microsoft = { state: 'unknown', code: null, at: null } as const;
  const api = aSignedInApi().on(tenants.list, { items: [aTenant({ microsoft })] });
  await renderPage(<MicrosoftMark />, { api });
  expect((await screen.findByRole('status', { name: 'Microsoft 365' })).textContent).toBe('Microsoft 365Microsoft 365: not asked yet');
});
