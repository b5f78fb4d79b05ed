import { expect, test } from 'vitest';
import { expectNoFaults, inEachTheme, takePicture, useBrowser, visit } from './support/browser.ts';
import { signInByForm } from './support/sign-in.ts';

useBrowser();

test.each(['en', 'de'] as const)('the sign-in page is complete and accessible in %s, in each theme', async (language) => {
  const visitor = await visit({ language, theme: 'system' });
  const { page } = visitor;
  await page.goto('/signin');
  await page.getByRole('heading', { level: 1, name: language === 'en' ? 'Sign in' : 'Anmelden' }).waitFor();
  expect(await inEachTheme(visitor, async (theme) => await takePicture(page, `sign-in-${language}-${theme}`))).toEqual([]);
  expectNoFaults(visitor);
});

test('a wrong password is refused with the sentence of the specification', async () => {
  const visitor = await visit();
  await visitor.page.goto('/signin');
  await visitor.page.getByRole('textbox', { name: 'E-mail' }).fill('admin@contoso.example');
  await visitor.page.getByRole('textbox', { name: 'Password' }).fill('not-the-password!');
  await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await visitor.page.getByText('Invalid Credentials.').first().waitFor();
  expectNoFaults(visitor, [/401/]);
});

test('a visitor is led to the sign-in page and back to where he wanted to go', async () => {
  const visitor = await visit();
  await visitor.page.goto('/backup-and-restore/job-monitor');
  await visitor.page.waitForURL('**/signin');
  await visitor.page.getByRole('textbox', { name: 'E-mail' }).fill('admin@contoso.example');
  await visitor.page.getByRole('textbox', { name: 'Password' }).fill('Contoso-Demo-2026!');
  await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await visitor.page.getByRole('heading', { level: 1, name: 'Job monitor' }).waitFor();
  expectNoFaults(visitor);
});

test('three sessions are kept in readable cookies, and none of them can renew itself', async () => {
  const visitor = await visit();
  await signInByForm(visitor);
  const readable = await visitor.page.evaluate<string>('document.cookie');
  for (const name of ['holdfast.main', 'holdfast.staging', 'holdfast.legacy']) expect(readable).toContain(name);
  expect(readable).not.toContain('refresh');
  const renewal = (await visitor.context.cookies()).find((cookie) => cookie.name.includes('refresh'));
  expect(renewal).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  expectNoFaults(visitor);
});

test('signing out in one tab signs out the other, and neither asks for what would be refused', async () => {
  const visitor = await visit();
  await signInByForm(visitor);
  const other = await visitor.context.newPage();
  await other.goto('/backup-and-restore/backup-jobs');
  await other.getByRole('heading', { level: 1, name: 'Backup jobs' }).waitFor();
  await visitor.page.getByRole('button', { name: 'Account' }).click();
  await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await visitor.page.waitForURL('**/signin');
  await other.waitForURL('**/signin');
  await other.getByText('You were signed out in another tab.').waitFor();
  expectNoFaults(visitor);
});
