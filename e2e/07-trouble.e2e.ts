import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJob, endOfBackup, findUser, jobIdOf, openOffice, runJob, type Office } from './support/backups.ts';
import { accessibilityFaults, expectNoFaults, settle, takePicture, useBrowser, visit } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';
import { people, setFaults } from './support/ground-truth.ts';

useBrowser();

let office: Office;

beforeAll(async () => {
  office = await openOffice();
  await endOfBackup(office, 'exchange');
});

afterAll(async () => {
  await setFaults([]);
});

test('a defective run is understood in the monitor, item by item, and healed by the next one', async () => {
  const users = [await findUser(office, 'Grace Harris'), await findUser(office, 'Jack Edwards')];
  await createJob(office, { name: 'Two mailboxes', workload: 'exchange', users });
  await people([{ do: 'mail.deliver', user: users[0]?.id, subject: 'Damaged on the server' }]);
  await setFaults([{ match: { user: users[0]?.id }, do: 'corruptMessage' }]);
  expect(await runJob(office, 'Two mailboxes')).toMatchObject({ status: 'defective' });
  const visitor = await visit();
  const { page } = visitor;
  await signIn(visitor);
  await page.goto('/backup-and-restore/job-monitor');
  const row = page.getByRole('row').filter({ hasText: 'Two mailboxes' }).first();
  await row.getByText('Defective').waitFor();
  await row.getByRole('button', { name: 'Two mailboxes' }).click();
  await page.getByRole('tab', { name: 'Errors (1)' }).waitFor();
  const problem = page.getByRole('table', { name: 'Errors' }).getByRole('row').filter({ hasText: 'Grace Harris' });
  await problem.getByText('Look at the item in Microsoft 365.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await takePicture(page, 'run-defective');
  await setFaults([]);
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Jobs', exact: true }).click();
  await page.getByRole('button', { name: 'Two mailboxes', exact: true }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Start again' }).click();
  await page.getByRole('dialog', { name: 'Start "Two mailboxes" again?' }).getByRole('button', { name: 'Start again' }).click();
  await drawer.getByText('Successful').first().waitFor({ timeout: 60_000 });
  expectNoFaults(visitor);
});

test('a session that ends in the middle leads to the sign-in page, says so, and leads back', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await signIn(visitor);
  await page.goto('/configuration/audit-log');
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  await settle(visitor);
  const { api } = await openOffice();
  await api.delete('/apollo/sessions');
  // The page hears of it by itself: its stream of events ends, and the next one is refused.
  await page.waitForURL('**/signin');
  await page.getByText('Your session has ended. Please sign in again.').waitFor();
  await page.getByRole('textbox', { name: 'E-mail' }).fill('admin@contoso.example');
  await page.getByRole('textbox', { name: 'Password' }).fill('Contoso-Demo-2026!');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  expectNoFaults(visitor, [/401/]);
});

/** Renames a job in its editor up to the question whether to save. */
async function rename(page: Page, jobId: string, name: string): Promise<void> {
  const next = page.getByRole('button', { name: 'Next' });
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  while (await next.isVisible()) await next.click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  expect(page.url()).toContain(jobId);
}

test('two tabs that change the same job see both states, and nothing is overwritten unasked', async () => {
  office = await openOffice();
  await createJob(office, { name: 'Edited by two', workload: 'exchange', users: [await findUser(office, 'Grace Harris')] });
  const jobId = await jobIdOf(office, 'Edited by two');
  const visitor = await visit();
  await signIn(visitor);
  const { page } = visitor;
  const other = await visitor.context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`/backup-and-restore/backup-jobs/${jobId}/edit`);
    await tab.getByRole('textbox', { name: 'Name' }).waitFor();
  }
  await rename(page, jobId, 'Edited by the first');
  await page.getByText('Job updated.').waitFor();
  await rename(other, jobId, 'Edited by the second');
  const conflict = other.getByRole('alertdialog', { name: 'Somebody else has changed this' });
  await conflict.getByText('Edited by the first').waitFor();
  expect(await accessibilityFaults(other)).toEqual([]);
  await takePicture(other, 'conflict');
  await conflict.getByRole('button', { name: 'Overwrite' }).click();
  await other.getByText('Job updated.').waitFor();
  expect(await jobIdOf(office, 'Edited by the second')).toBe(jobId);
  expectNoFaults(visitor, [/412/]);
});

const answer =
  (status: number, body: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string>> = {}) =>
  (route: Route): Promise<void> =>
    route.fulfill({ status, headers: { 'content-type': 'application/problem+json', ...headers }, body: JSON.stringify(body) });
const network = {
  en: 'There was a network error. HTTP response status code indicating that a server is temporarily unable to handle the request.',
  de: 'Es ist ein Netzwerkfehler aufgetreten. Der HTTP-Statuscode weist darauf hin, dass ein Server die Anfrage vorübergehend nicht bearbeiten kann.',
};
const temporary = {
  en: 'Temporary server error. Please try again in 30 seconds.',
  de: 'Vorübergehender Serverfehler. Bitte versuchen Sie es in 30 Sekunden erneut.',
};
const noTenant = {
  en: 'No Tenant was found in the Configuration. Please configure one.',
  de: 'In der Konfiguration wurde kein Mandant gefunden. Bitte konfigurieren Sie einen.',
};

/** What goes wrong between browser and server, and the words for it. */
const mishaps = [
  { fail: (route: Route) => route.abort('connectionrefused'), says: network },
  { fail: answer(502, {}), says: temporary },
  { fail: answer(503, { code: 'service.overloaded' }, { 'retry-after': '5' }), says: temporary },
  { fail: answer(504, {}), says: temporary },
  {
    fail: answer(429, { code: 'request.rate-limited' }, { 'retry-after': '7' }),
    says: {
      en: 'Too many requests. Please try again in 7 seconds.',
      de: 'Zu viele Anfragen. Bitte versuchen Sie es in 7 Sekunden erneut.',
    },
  },
  {
    fail: answer(500, { code: 'internal', message: 'Internal server error', requestId: 'r-1' }),
    says: { en: 'Internal server error (request id r-1)', de: 'Interner Serverfehler (Anfragekennung r-1)' },
  },
  { fail: answer(403, { code: 'access-denied', message: 'Access denied' }), says: { en: 'Access denied', de: 'Zugriff verweigert' } },
  { fail: answer(404, { code: 'not-found', message: 'Resource not found' }), says: noTenant },
  {
    fail: answer(409, { code: 'jobs.already-running', message: 'The job has already been started.' }),
    says: { en: 'The job has already been started.', de: 'Der Auftrag wurde bereits gestartet.' },
  },
  {
    fail: answer(400, { code: 'request.invalid', message: 'Invalid request' }),
    says: { en: 'Invalid request', de: 'Ungültige Anfrage' },
  },
] as const;
const starting = { en: 'Start', de: 'Starten' } as const;

test.each(['en', 'de'] as const)('every failure of a call is said in the words of the specification, in %s', async (language) => {
  const jobId = await jobIdOf(await openOffice(), 'Verify the vault');
  const visitor = await visit({ language });
  const { page } = visitor;
  await signIn(visitor);
  await page.goto(`/backup-and-restore/backup-jobs/${jobId}`);
  const button = page.getByRole('dialog').getByRole('button', { name: starting[language], exact: true });
  const question = page.getByRole('dialog', { name: /Verify the vault.+\?/ });
  await button.waitFor();
  for (const { fail, says } of mishaps) {
    await page.route('**/jobs/*/start', fail);
    await button.click();
    await question.getByRole('button', { name: starting[language], exact: true }).click();
    await page.getByRole('alert').filter({ hasText: says[language] }).waitFor();
    // The toast may be there before the question is gone, whose button has the same name and the focus.
    await question.waitFor({ state: 'detached' });
    await page.unroute('**/jobs/*/start');
    await button.and(page.locator(':focus')).waitFor();
  }
  await takePicture(page, `toast-${language}`);
  expectNoFaults(visitor, [/Failed to load resource/, /request failed: POST .*start net::ERR_CONNECTION_REFUSED/]);
});

test('a part of the portal that does not load is tried once more, then the fallback says what to do', async () => {
  const visitor = await visit();
  const { page } = visitor;
  await signIn(visitor);
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  let tries = 0;
  await page.route('**/assets/audit-page-*.js', async (route) => {
    tries += 1;
    await route.abort('connectionrefused');
  });
  await page.getByRole('button', { name: 'Pages of Configuration' }).click();
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByText('Something went wrong. Try clicking the refresh page button to reload the application.').waitFor();
  expect(tries).toBe(2);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.unroute('**/assets/audit-page-*.js');
  await page.getByRole('button', { name: 'Refresh page' }).click();
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  expectNoFaults(visitor, [/ERR_CONNECTION_REFUSED/, /dynamically imported module/]);
});
