import { screen } from '@testing-library/react';
import { compliance } from '@holdfast/contract/compliance';
import type { SiteOwnersRow } from '@holdfast/contract/compliance-values';
import { expect, test } from 'vitest';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import { sampleIds } from '../../testing/samples.ts';
import DataReportsPage from './data-reports-page.tsx';

const pattern = '/compliance/reporting/*';
const empty = { items: [], total: 0, nextCursor: null };
const totals = { none: 1, blocked: 1, owned: 4, unknown: 7 };

function aSite(given: Partial<SiteOwnersRow>): SiteOwnersRow {
  const ids = { siteId: sampleIds.job, sourceId: sampleIds.source, locationId: sampleIds.location };
  const site = { ...ids, name: 'Company', url: 'https://contoso.sharepoint.com/sites/company', kind: 'site' } as const;
  return { ...site, state: 'none', gap: null, group: 'Company', owners: [], files: 12, bytes: 4_096, ...given };
}

const anApi = (rows: readonly SiteOwnersRow[]) =>
  aSignedInApi()
    .on(compliance.sites, empty)
    .on(compliance.owners, { ...empty, totals: { files: 0, bytes: 0 } })
    .on(compliance.siteOwners, { items: [...rows], total: rows.length, nextCursor: null, totals });

test('sites without an owner are listed with their group and who of it is blocked, and it is said of how many nobody knows', async () => {
  const bea = { ownerId: sampleIds.run, name: 'Bea', address: 'bea@contoso.example', isBlocked: true };
  const api = anApi([aSite({}), aSite({ sourceId: sampleIds.run, name: 'Sales', group: 'Sales', state: 'blocked', owners: [bea] })]);
  const page = await renderPage(<DataReportsPage />, { path: '/compliance/reporting?tab=owners&owners=sites', pattern, api });
  expect((await screen.findByRole<HTMLInputElement>('combobox', { name: 'Show' })).textContent).toBe('Sites without an owner');
  expect((await screen.findByRole('row', { name: /Company/ })).textContent).toContain('No owner');
  expect(screen.getByRole('row', { name: /Sales/ }).textContent).toContain('Bea (blocked)');
  expect(screen.getByText('Without an owner: 1. All owners blocked: 1. With an owner: 4. Unknown: 7.')).toBeTruthy();
  expect(screen.getByText(/check the site admins in the SharePoint admin center/)).toBeTruthy();
  expect(api.calls.some((call) => call.includes('/site-owners') && call.includes('ownerless=true'))).toBe(true);
  await page.checkAccessibility();
});

test('of a site whose owners are not known the reason is said, and a row opens its files', async () => {
  const api = anApi([aSite({ name: 'Intranet', state: 'unknown', gap: 'noGroup', group: null })]);
  const page = await renderPage(<DataReportsPage />, { path: '/compliance/reporting?tab=owners&owners=allSites', pattern, api });
  expect((await screen.findByRole('row', { name: /Intranet/ })).textContent).toContain('No group is connected to this site');
  expect(api.calls.some((call) => call.includes('ownerless'))).toBe(false);
  await page.user.click(screen.getByText('Intranet'));
  await expect.poll(() => page.address()).toContain(`/compliance?location=${sampleIds.location}&source=${sampleIds.source}`);
});
