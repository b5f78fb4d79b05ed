import { beforeAll, expect, test } from 'vitest';
import { endOfBackup, openOffice } from './support/backups.ts';
import { accessibilityFaults, expectNoFaults, takePicture, useBrowser, visit } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';

useBrowser();

beforeAll(async () => {
  const office = await openOffice();
  for (const workload of ['onedrive', 'sharepoint']) await endOfBackup(office, workload);
});

test('an administrator sees what wastes most, finds the payroll that anybody can open, and starts to restore a file', async () => {
  const visitor = await visit({ language: 'en' });
  const { page } = visitor;
  await signIn(visitor);
  await page.goto('/compliance/dashboard');
  await page.getByText('As of').waitFor({ timeout: 60_000 });
  const freed = page.getByRole('link', { name: 'Show what can be freed' });
  expect(await freed.count()).toBe(3);
  await takePicture(page, 'compliance-dashboard');
  expect(await accessibilityFaults(page)).toEqual([]);
  await freed.first().click();
  await page.getByText(/This rule would delete/).waitFor();
  await page.getByRole('link', { name: 'Master plan.xlsx' }).waitFor();
  await takePicture(page, 'compliance-versions');
  await page.getByRole('tab', { name: 'Sharing' }).click();
  const payroll = page.getByRole('row').filter({ hasText: 'Payroll 2026.xlsx' });
  expect(await payroll.textContent()).toContain('Anyone with the link');
  await takePicture(page, 'compliance-sharing');
  await payroll.getByRole('link').click();
  // The report names the file as well, and stays until the file manager is there.
  await page.getByRole('heading', { level: 1, name: 'Files', exact: true }).waitFor();
  const file = page.getByRole('row').filter({ hasText: 'Payroll 2026.xlsx' });
  await file.getByText('Payroll 2026.xlsx').click();
  const details = page.getByRole('dialog');
  await details.getByText('Anyone with the link, no expiry date').waitFor();
  await details.getByRole('textbox', { name: 'Reason' }).fill('Who can see the payroll');
  await details.getByRole('button', { name: /^Preview version/ }).click();
  await details.getByRole('button', { name: 'Download the original' }).waitFor();
  await takePicture(page, 'compliance-file');
  await details.getByRole('button', { name: /^Restore version/ }).click();
  await page.getByText('No invitations or sharing e-mails are sent.').waitFor();
  expectNoFaults(visitor);
});
