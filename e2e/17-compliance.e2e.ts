import { de } from '@holdfast/phrases/de';
import { beforeAll, expect, test, vi } from 'vitest';
import { endOfBackup, openOffice, type Office } from './support/backups.ts';
import { accessibilityFaults, expectNoFaults, takePicture, useBrowser, visit } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';

useBrowser();

let office: Office;
beforeAll(async () => {
  office = await openOffice();
  for (const workload of ['onedrive', 'sharepoint']) await endOfBackup(office, workload);
  // The scan is a run of its own, and the index reads the files in the background.
  const found = (): Promise<{ readonly totals: { readonly exposed: number } }> =>
    office.api.get(`/apollo/api/${office.tenantId}/data-management/sensitive-files?limit=1`);
  const isRead = async (): Promise<void> => {
    if ((await found()).totals.exposed === 0) throw new Error('The payroll has not been read yet.');
  };
  await vi.waitFor(isRead, { timeout: 240_000, interval: 2_000 });
}, 300_000);

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
  await page.getByRole('tab', { name: 'Sensitive data' }).click();
  const personal = page.getByRole('row').filter({ hasText: 'Payroll 2026.xlsx' });
  await personal.getByText(/Account numbers \(IBAN\): 3/).waitFor();
  expect(await personal.textContent()).toContain('Anyone with the link');
  await takePicture(page, 'compliance-sensitive');
  await personal.getByRole('link').click();
  // The report names the file as well, and stays until the file manager is there.
  await page.getByRole('heading', { level: 1, name: 'Files', exact: true }).waitFor();
  const file = page.getByRole('row').filter({ hasText: 'Payroll 2026.xlsx' });
  await file.getByText('Payroll 2026.xlsx').click();
  const details = page.getByRole('dialog');
  await details.getByText('Anyone with the link, no expiry date').waitFor();
  await details.getByRole('textbox', { name: 'Reason' }).fill('Who can see the payroll');
  await details.getByRole('button', { name: /^Preview version/ }).click();
  await details.getByRole('button', { name: 'Download the original' }).waitFor();
  await details.getByText(/Adele Vance, IBAN/).waitFor();
  await takePicture(page, 'compliance-file');
  await details.getByRole('button', { name: /^Restore version/ }).click();
  await page.getByText('No invitations or sharing e-mails are sent.').waitFor();
  expectNoFaults(visitor);
});

test('on a phone and in German: what wastes most, whose numbers anybody can open, and a folder as it was', async () => {
  const visitor = await visit({ language: 'de', width: 390, height: 844 });
  const { page } = visitor;
  await signIn(visitor);
  await page.goto('/compliance/dashboard');
  const freed = page.getByRole('link', { name: de.compliance.openReport });
  await freed.first().waitFor();
  expect(await freed.count()).toBe(3);
  await takePicture(page, 'compliance-dashboard-phone');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto('/compliance/reporting?tab=sensitive');
  const payroll = page.getByRole('row').filter({ hasText: 'Payroll 2026.xlsx' });
  await payroll.waitFor();
  expect(await payroll.textContent()).toMatch(/Jeder mit dem Link.*Kontonummern \(IBAN\): 3 \(.{2}….{2}\)/);
  await takePicture(page, 'compliance-sensitive-phone');
  expect(await accessibilityFaults(page)).toEqual([]);
  await payroll.getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: de.shell.managedFiles, exact: true }).waitFor();
  // The folder above, as a restore point has it.
  const address = new URL(page.url());
  const place = new URLSearchParams({ sourceId: address.searchParams.get('source') ?? '', nodeId: address.searchParams.get('node') ?? '' });
  const { trail } = await office.api.get<{ readonly trail: readonly { readonly nodeId: string }[] }>(
    `/apollo/api/${office.tenantId}/data-management/nodes?${place.toString()}`,
  );
  address.searchParams.delete('search');
  address.searchParams.set('node', trail.at(-2)?.nodeId ?? '');
  await page.goto(address.href);
  await page.getByRole('button', { name: de.restore.chooseTime }).click();
  await page.getByRole('button', { name: de.restore.hideTime }).waitFor();
  await takePicture(page, 'compliance-time-phone');
  const folder = page.getByRole('row').filter({ hasText: 'Personnel' });
  await folder.getByRole('checkbox').check();
  await page.getByRole('button', { name: de.compliance.restoreSelection, exact: true }).click();
  await page.getByText(de.restore.noInvitations).waitFor();
  await takePicture(page, 'compliance-restore-phone');
  expectNoFaults(visitor);
});

/** The address of a folder in the file manager, and what it holds. */
async function addressOf(folder: string): Promise<string> {
  const { items } = await office.api.get<{ readonly items: readonly { readonly sourceId: string; readonly locationId: string }[] }>(
    `/apollo/api/${office.tenantId}/data-management/sites?limit=200`,
  );
  for (const { sourceId, locationId } of items) {
    const found = await office.api.get<{ readonly items: readonly { readonly nodeId: string; readonly name: string }[] }>(
      `/apollo/api/${office.tenantId}/data-management/nodes?sourceId=${sourceId}&search=${folder}`,
    );
    const node = found.items.find(({ name }) => name === folder);
    if (node) return `/compliance?${new URLSearchParams({ location: locationId, source: sourceId, node: node.nodeId }).toString()}`;
  }
  throw new Error(`No site has the folder ${folder}.`);
}

test('tiles show pictures and PDF files on request and with a reason, and a picture is looked at', async () => {
  const visitor = await visit({ language: 'en' });
  const { page } = visitor;
  await signIn(visitor);
  await page.goto(await addressOf('Contracts'));
  await page.getByRole('button', { name: 'Show as grid' }).click();
  await page.getByRole('gridcell').filter({ hasText: 'Floor plan.png' }).waitFor();
  expect(await page.locator('[role=gridcell] img').count()).toBe(0);
  await page.getByRole('button', { name: 'Show thumbnails' }).click();
  await page.getByRole('textbox', { name: /Reason/ }).fill('Looking for the floor plan');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('[role=gridcell] img').count(), { timeout: 60_000 }).toBe(5);
  await takePicture(page, 'compliance-thumbnails');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Preview Floor plan.png' }).click();
  const details = page.getByRole('dialog');
  await details.getByRole('textbox', { name: 'Reason' }).fill('Looking for the floor plan');
  await details.getByRole('button', { name: /^Preview version/ }).click();
  await details.getByRole('img', { name: 'Floor plan.png' }).waitFor();
  await takePicture(page, 'compliance-picture');
  expectNoFaults(visitor);
});

test('in German and dark: what takes up space and how it grew, and the payroll is put on hold where it is', async () => {
  const visitor = await visit({ language: 'de', theme: 'dark' });
  const { page } = visitor;
  await signIn(visitor);
  await page.goto('/compliance/reporting?tab=storage');
  await page.getByRole('img', { name: de.compliance.mapTitles.site }).waitFor();
  await page.getByRole('img', { name: de.compliance.growthTitle }).waitFor();
  await takePicture(page, 'compliance-growth');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto('/compliance/reporting?tab=storage&by=kind');
  await page.getByRole('row').filter({ hasText: de.compliance.fileKinds.spreadsheet }).waitFor();
  await page.goto('/compliance/reporting?tab=sensitive');
  await page.getByRole('row').filter({ hasText: 'Payroll 2026.xlsx' }).getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: de.shell.managedFiles, exact: true }).waitFor();
  const file = page.getByRole('row').filter({ hasText: 'Payroll 2026.xlsx' });
  await file.click({ button: 'right' });
  await takePicture(page, 'compliance-menu');
  await page.getByRole('menuitem', { name: de.holds.placeOn }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: de.common.name }).fill('Lohnstreit');
  await form.getByRole('textbox', { name: de.holds.reason }).fill('Aktenzeichen 7');
  await takePicture(page, 'compliance-hold');
  await form.getByRole('button', { name: de.holds.place }).click();
  await file.getByRole('img', { name: de.status.onHold }).waitFor();
  await file.getByRole('checkbox').check();
  await takePicture(page, 'compliance-held');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto('/compliance/monitoring?tab=holds');
  await page
    .getByRole('row')
    .filter({ hasText: /Lohnstreit.*Payroll 2026\.xlsx in / })
    .waitFor();
  await takePicture(page, 'compliance-holds');
  expectNoFaults(visitor);
});

test('a folder comes under a policy that says what it keeps, and what happened to it is recorded', async () => {
  const visitor = await visit({ language: 'en' });
  const { page } = visitor;
  await signIn(visitor);
  await page.goto(await addressOf('Contracts'));
  const file = page.getByRole('row').filter({ hasText: 'Floor plan.png' });
  await file.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Retention', exact: true }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('textbox', { name: 'Name' }).fill('Plans');
  await takePicture(page, 'compliance-retention');
  await drawer.getByRole('button', { name: 'Save draft' }).click();
  await drawer.getByRole('button', { name: 'Preview', exact: true }).click();
  await drawer.getByRole('button', { name: 'Ask for activation' }).waitFor();
  await drawer.getByText('By site').waitFor();
  await takePicture(page, 'compliance-retention-preview');
  await drawer.getByRole('button', { name: 'Close' }).click();
  await file.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Retention event' }).click();
  await drawer.getByRole('button', { name: 'Record an event' }).click();
  await drawer.getByText('The description must not be empty.').first().waitFor();
  await takePicture(page, 'compliance-retention-event');
  await drawer.getByRole('textbox', { name: 'Description' }).fill('The lease has ended');
  await drawer.getByLabel('Date').fill('2026-06-30');
  await drawer.getByRole('button', { name: 'Record an event' }).click();
  await page.getByText('The event was recorded.').waitFor();
  await page.goto('/configuration/retention');
  await page.getByRole('row').filter({ hasText: 'Floor plan.png' }).filter({ hasText: 'The lease has ended' }).waitFor();
  await takePicture(page, 'compliance-retention-page');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto('/compliance/monitoring?tab=retention');
  await page
    .getByRole('row')
    .filter({ hasText: /Plans.*Preview.*Done.*1 file version/ })
    .waitFor();
  await page.getByRole('row').filter({ hasText: 'Event' }).filter({ hasText: 'Done' }).waitFor();
  await takePicture(page, 'compliance-retention-activity');
  expect(await accessibilityFaults(page)).toEqual([]);
  expectNoFaults(visitor);
});

test('on a phone, what takes up space is a map above its list', async () => {
  const visitor = await visit({ width: 390, height: 844 });
  const { page } = visitor;
  await signIn(visitor);
  await page.goto('/compliance/reporting?tab=storage&by=kind');
  await page.getByRole('img', { name: 'Space by kind of file' }).waitFor();
  await takePicture(page, 'compliance-growth-phone');
  expect(await accessibilityFaults(page)).toEqual([]);
  expectNoFaults(visitor);
});
