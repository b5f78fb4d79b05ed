import { screen } from '@testing-library/react';
import { approvals } from '@holdfast/contract/approvals';
import { contentAccess } from '@holdfast/contract/content-access';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { sampleIds } from '../../testing/samples.ts';
import { ContentAccessCard } from './content-access-card.tsx';

const nobodyWaits = { items: [], secondPersons: ['ben@contoso.example'], approvers: [], delayHours: 24, delayFrom: null };
const rule = { access: 'open', organisationId: sampleIds.tenant, isChanging: false } as const;

test('the rule is explained, another one is asked for, and who can approve is named', async () => {
  const api = aSignedInApi()
    .on(approvals.list, nobodyWaits)
    .on(contentAccess.read, rule)
    .on(contentAccess.change, { ...rule, isChanging: true });
  const page = await renderPage(<ContentAccessCard />, { api });
  expect(await screen.findByText(/Owners and administrators open and search all content/)).toBeTruthy();
  expect(await screen.findByText(/ben@contoso.example/)).toBeTruthy();
  await page.user.click(screen.getByLabelText(/^Strict/));
  await page.user.click(screen.getByText('Request change'));
  await expect.poll(() => api.calls.some((call) => call.startsWith('PUT') && call.endsWith('/content-access'))).toBe(true);
  await page.checkAccessibility();
});

test('administrators do not see the rule: owners ask for another one', async () => {
  const page = await renderPage(<ContentAccessCard />, { api: aSignedInApi(), role: 'administrator' });
  expect(page.container.textContent).not.toContain('Access to content');
});
