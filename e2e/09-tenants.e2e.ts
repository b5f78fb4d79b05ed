import path from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { createApi } from '../tools/api-client.ts';
import { expectNoFaults, settle, useBrowser, visit } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';
import { box, button, fillIn, first, give, isHome, look, lookInBoth, phrases, register } from './support/people.ts';

useBrowser();

/** At its field, and above the form where all of it is told. */
const says = (place: Locator, text: string): Promise<void> => place.getByText(text).first().waitFor();
const nowhere = '11111111-2222-4333-8444-555555555555';

/** A zone in which it is noon: none of the nightly jobs that provisioning sets up starts meanwhile. */
function zoneAtNoon(): string {
  const offset = 12 - new Date().getUTCHours();
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

/** An organisation with nothing in it, and its owner on the start page. */
async function openOrganisation(language: 'en' | 'de', name: string) {
  const text = phrases[language];
  const email = `${name.toLowerCase()}@contoso.example`;
  const visitor = await visit({ language });
  const { page } = visitor;
  await register(page, text, email, 'owner');
  const api = await createApi(inject('productAddress'), { email, password: first });
  const { organisationId } = await api.post<{ organisationId: string }>('/apollo/api/organisations', { name, timeZone: zoneAtNoon() });
  await give(page, text, email, first);
  await page.waitForURL('**/select-worker');
  await page.getByRole('button', { name: new RegExp(name) }).click();
  await page.waitForURL(isHome);
  const listed = async (list: string): Promise<number> => (await api.get<{ items: unknown[] }>(list)).items.length;
  return { visitor, page, text, saved: () => listed(`/apollo/api/Tenants?organisationId=${organisationId}`), listed };
}

test('a tenant is refused at its fields, connected, provisioned, edited, deprovisioned and deleted', async () => {
  const { visitor, page, text, saved } = await openOrganisation('en', 'Northwind');
  const access = inject('simulatedAccess');
  await page.goto('/configuration/tenants/new');
  const form = page.getByRole('form', { name: text.tenants.connect });
  const submit = button(form, text.tenants.connect);
  const tenant = box(form, text.tenants.microsoftTenantId);
  const secret = form.getByLabel(text.tenants.secret);
  await fillIn(form, {
    [text.common.name]: 'Main',
    [text.tenants.microsoftTenantId]: 'not-a-guid',
    [text.tenants.clientId]: access.clientId,
  });
  await submit.click();
  await says(form, text.rules.guid);
  await says(form, text.rules.credentialRequired);
  await tenant.fill(access.tenantId);
  await secret.fill('wrong');
  await submit.click();
  await says(form, text.errors['tenants.credential-refused']);
  await secret.fill(access.clientSecret);
  await tenant.fill(nowhere);
  await submit.click();
  await says(form, text.errors['tenants.credential-refused']);
  await look(visitor, 'tenant-refused-en');
  expect(await saved()).toBe(0);
  await tenant.fill(access.tenantId);
  await submit.click();
  await page.getByText(text.successes.tenantCreated).first().waitFor();

  await page.goto('/configuration/tenants/new');
  await fillIn(form, { [text.common.name]: 'Main', [text.tenants.microsoftTenantId]: nowhere, [text.tenants.clientId]: nowhere });
  await secret.fill('any');
  await submit.click();
  await says(form, text.errors['tenants.name-taken']);
  await fillIn(form, { [text.common.name]: 'Other', [text.tenants.microsoftTenantId]: access.tenantId });
  await submit.click();
  await says(form, text.errors['tenants.already-connected']);
  await button(form, text.common.cancel).click();
  await button(page.getByRole('dialog', { name: text.kit.discardTitle }), text.kit.discard).click();
  expect(await saved()).toBe(1);

  const row = button(page.getByRole('table', { name: text.tenants.tenantsTab }), 'Main');
  await row.click();
  const drawer = page.getByRole('dialog');
  await button(drawer, text.tenants.provision).click();
  await button(drawer, text.tenants.deprovision).waitFor({ timeout: 60_000 });
  await look(visitor, 'tenant-details-en');
  await button(drawer, text.common.edit).click();
  const editing = page.getByRole('form', { name: text.common.edit });
  await editing.getByLabel(text.tenants.secret).fill('wrong again');
  await button(editing, text.common.save).click();
  await says(editing, text.errors['tenants.credential-refused']);
  await editing.getByLabel(text.tenants.secret).fill('');
  await box(editing, text.tenants.displayName).fill('Main tenant');
  await button(editing, text.common.save).click();
  await page.getByText(text.successes.tenantUpdated).first().waitFor();

  await row.click();
  await button(drawer, text.tenants.deprovision).click();
  await button(page.getByRole('dialog').last(), text.confirmations.deprovisionButton).click();
  await drawer.getByText(text.status.notProvisioned, { exact: true }).first().waitFor({ timeout: 60_000 });
  await button(drawer, text.common.delete).click();
  const asking = page.getByRole('dialog').last();
  await asking.getByRole('textbox').fill('Main');
  await button(asking, text.confirmations.deleteTenantButton).click();
  await page.getByText(text.tenants.empty).waitFor();
  expect(await saved()).toBe(0);
  await settle(visitor);
  expectNoFaults(visitor, [/status of 40[09]/]);
});

test('a certificate is proved before it is kept; a location is refused at its field, tested, added and removed', async () => {
  const { visitor, page, text, saved, listed } = await openOrganisation('de', 'Nordwind');
  const access = inject('simulatedAccess');
  await page.goto('/configuration/tenants/new');
  const tenantForm = page.getByRole('form', { name: text.tenants.connect });
  const connect = button(tenantForm, text.tenants.connect);
  await fillIn(tenantForm, {
    [text.common.name]: 'Main',
    [text.tenants.microsoftTenantId]: access.tenantId,
    [text.tenants.clientId]: access.clientId,
  });
  await tenantForm.getByRole('tab', { name: text.tenants.certificate }).click();
  await box(tenantForm, text.tenants.certificate).fill('broken');
  await connect.click();
  await says(tenantForm, text.rules.certificate);
  await box(tenantForm, text.tenants.certificate).fill(access.certificate);
  await box(tenantForm, text.tenants.thumbprint).fill('A'.repeat(40));
  await connect.click();
  await says(tenantForm, text.errors['tenants.thumbprint-mismatch']);
  await look(visitor, 'tenant-refused-de');
  expect(await saved()).toBe(0);
  await box(tenantForm, text.tenants.thumbprint).fill('');
  await connect.click();
  await page.getByText(text.successes.tenantCreated).first().waitFor();
  await button(page.getByRole('table', { name: text.tenants.tenantsTab }), 'Main').click();
  await look(visitor, 'tenant-details-de');
  const tenantId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const locations = () => listed(`/apollo/api/${tenantId}/locations`);

  await page.goto('/configuration/locations/new');
  const form = page.getByRole('form', { name: text.tenants.newLocation });
  const submit = button(form, text.tenants.newLocation);
  await fillIn(form, { [text.common.name]: 'Store', [text.tenants.path]: '/etc' });
  await submit.click();
  await says(form, text.errors['locations.path-refused']);
  await form.getByRole('radio', { name: text.tenants.s3 }).check();
  await fillIn(form, {
    [text.tenants.bucket]: 'No Bucket',
    [text.tenants.region]: 'eu-central-1',
    [text.tenants.endpoint]: 'https://169.254.169.254',
    [text.tenants.accessKeyId]: 'key',
  });
  await form.getByLabel(text.tenants.secretAccessKey).fill('secret');
  await submit.click();
  await says(form, text.rules.bucket);
  await box(form, text.tenants.bucket).fill('backups');
  await submit.click();
  await says(form, text.errors['locations.host-refused']);
  await box(form, text.tenants.endpoint).fill('http://127.0.0.1:1');
  await submit.click();
  await says(form, text.reasons.vault['storage-unavailable']);
  await look(visitor, 'location-refused-de');
  expect(await locations()).toBe(0);
  await form.getByRole('radio', { name: text.tenants.filesystem }).check();
  await box(form, text.tenants.path).fill(path.join(inject('vaultsFolder'), 'journey'));
  await button(form, text.tenants.testLocation).click();
  await says(form, text.tenants.testPassed);
  expect(await locations()).toBe(0);
  await submit.click();
  await page.getByText(text.successes.locationCreated).first().waitFor();
  await button(page.getByRole('table', { name: text.tenants.locationsTab }), 'Store').click();
  await look(visitor, 'location-de');
  await button(page.getByRole('dialog'), text.common.delete).click();
  await button(page.getByRole('dialog').last(), text.confirmations.deleteLocationButton).click();
  await page.getByText(text.tenants.emptyLocations).waitFor();
  await settle(visitor);
  expectNoFaults(visitor, [/status of 40[09]/]);
});

test('a join token is shown once and revoked, and a worker tells how it is', async () => {
  const text = phrases.en;
  const visitor = await visit();
  const { page } = visitor;
  await signIn(visitor);
  await page.goto('/configuration/workers');
  await button(page, text.workers.makeToken).click();
  const token = await page.locator('code').innerText();
  expect(token).toMatch(/^hf_wj_[\w-]{60,}$/);
  const tokens = page.getByRole('table', { name: text.workers.joinTokens });
  await button(tokens, text.workers.revoke).first().waitFor();
  await lookInBoth(visitor, 'workers', 'en');
  await button(page, text.workers.tokenKept).click();
  await page.getByText(token).waitFor({ state: 'detached' });
  await button(tokens, text.workers.revoke).first().click();
  await button(page.getByRole('dialog'), text.workers.revoke).click();
  await page.getByText(text.successes.joinTokenRevoked).first().waitFor();
  await page.getByText(text.workers.noTokens).waitFor();
  await page.getByRole('table', { name: text.shell.workers }).getByRole('button').last().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('heading', { name: text.workers.checks }).waitFor();
  await settle(visitor);
  await look(visitor, 'worker-en');
  expectNoFaults(visitor);
});
