import { expect, inject, test } from 'vitest';
import { expectNoFaults, useBrowser, visit } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';

useBrowser();

test('the language is switched without a reload, kept, and German is loaded only when it is chosen', async () => {
  const visitor = await visit();
  const { page } = visitor;
  const loaded: string[] = [];
  page.on('response', (response) => loaded.push(response.url()));
  await page.goto('/signin');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(loaded.filter((url) => /\/de-/.test(url))).toEqual([]);
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  expect(loaded.some((url) => /\/de-/.test(url))).toBe(true);
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await page.reload();
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  expectNoFaults(visitor);
});

test('the policy of the page lets in its own scripts and the styles of its nonce, and nothing else', async () => {
  const answer = await fetch(`${inject('productAddress')}/signin`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toMatch(/style-src 'self' 'nonce-[^']+'/);
  expect(policy).not.toContain('unsafe');
});

test('the staging realm says on every page that nothing touches production', async () => {
  const visitor = await visit();
  await signIn(visitor);
  const { page } = visitor;
  await page.goto('/');
  await page.getByRole('button', { name: 'Environment' }).click();
  await page.getByRole('menuitemradio', { name: 'Staging' }).click();
  await page.getByText('Staging: nothing here touches production').waitFor();
  await page.goto('/backup-and-restore/job-monitor');
  await page.getByText('Staging: nothing here touches production').waitFor();
});

test('Ctrl+K leads to any page by a few letters, without the mouse', async () => {
  const visitor = await visit();
  await signIn(visitor);
  const { page } = visitor;
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Go to' }).fill('audit');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  expectNoFaults(visitor);
});
