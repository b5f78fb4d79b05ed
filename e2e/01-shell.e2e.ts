import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage } from './support/browser.ts';
import { open, signIn } from './support/journey.ts';
import { startProduct } from './support/product.ts';
import type { Product } from './support/product.ts';

let product: Product;
let browser: Browser;

beforeAll(async () => {
  [product, browser] = await Promise.all([startProduct(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
});

const visitorPages = [
  ['/signin', 'Sign in', 'Anmelden'],
  ['/forgot-password', 'Forgotten password', 'Kennwort vergessen'],
  ['/reset-password/unknown', 'Reset password', 'Kennwort zurücksetzen'],
  ['/signed-out', 'Signed out', 'Abgemeldet'],
  ['/account/support', 'Support', 'Support'],
  ['/account/imprint', 'Imprint', 'Impressum'],
  ['/error-page', 'Not found', 'Seite nicht gefunden'],
  ['/no/such/page', 'Not found', 'Seite nicht gefunden'],
  ['/account/invoices', 'Not found', 'Seite nicht gefunden'],
] as const;

const pages = [
  ['/', 'Overview', 'Übersicht'],
  ['/dashboard', 'Overview', 'Übersicht'],
  ['/select-worker', 'Choose customer', 'Kunde auswählen'],
  ['/account/profile', 'My profile', 'Mein Profil'],
  ['/backup-and-restore/dashboard', 'Dashboard', 'Dashboard'],
  ['/backup-and-restore/backup-jobs', 'Backup jobs', 'Sicherungsaufträge'],
  ['/backup-and-restore/backup-jobs/new', 'New job', 'Neuer Auftrag'],
  ['/backup-and-restore/on-demand', 'On-demand backup', 'Sofortsicherung'],
  ['/backup-and-restore/restore', 'Restore', 'Wiederherstellen'],
  ['/backup-and-restore/job-monitor', 'Job monitor', 'Auftragsmonitor'],
  ['/backup-and-restore/reports', 'Reports', 'Berichte'],
  ['/teams/dashboard', 'Dashboard', 'Dashboard'],
  ['/teams/jobs', 'Jobs', 'Aufträge'],
  ['/teams/job-monitor', 'Job monitor', 'Auftragsmonitor'],
  ['/teams/reporting', 'Reports', 'Berichte'],
  ['/configuration', 'Teams and OneDrive', 'Teams und OneDrive'],
  ['/configuration/tenants', 'Tenants and locations', 'Mandanten und Speicherorte'],
  ['/configuration/locations', 'Tenants and locations', 'Mandanten und Speicherorte'],
  ['/configuration/users', 'Users', 'Benutzer'],
  ['/configuration/audit-log', 'Audit log', 'Überwachungsprotokoll'],
  ['/helpcenter', 'Help center', 'Hilfecenter'],
  ['/documentation', 'Documentation', 'Dokumentation'],
] as const;

const looks = [
  { language: 'en', theme: 'light' },
  { language: 'de', theme: 'dark' },
  { language: 'en', theme: 'highContrast' },
] as const;

test.each(looks)('visitors find every open page in $language, $theme, and axe finds nothing', async (look) => {
  const watched = await openPage(browser, look);
  for (const [path, english, german] of visitorPages) {
    expect(await open(watched.page, product, path), path).toBe(look.language === 'de' ? german : english);
    expect(await watched.findings(), path).toEqual([]);
  }
  expect(watched.complaints).toEqual([]);
  await watched.close();
});

test.each(looks)('an owner finds every page in $language, $theme, and axe finds nothing', async (look) => {
  const watched = await openPage(browser, look);
  await signIn(watched.page, product);
  for (const [path, english, german] of pages) {
    expect(await open(watched.page, product, path), path).toBe(look.language === 'de' ? german : english);
    await watched.page.waitForLoadState('networkidle').catch(() => undefined);
    expect(await watched.findings(), path).toEqual([]);
    expect(await watched.page.title(), path).toMatch(/ – Holdfast$/);
    expect(await watched.page.locator('html').getAttribute('lang')).toBe(look.language);
  }
  expect(watched.complaints).toEqual([]);
  await watched.close();
});

test('a visitor who is not signed in is led to the sign-in page and back to where he wanted to be', async () => {
  const watched = await openPage(browser);
  await watched.page.goto(`${product.address}/backup-and-restore/reports?tab=coverage`);
  await watched.page.waitForURL(/\/signin$/);
  await watched.page.fill('input[name="email"]', product.email);
  await watched.page.fill('input[name="password"]', product.password);
  await watched.page.click('button[type="submit"]');
  await watched.page.waitForURL(/\/backup-and-restore\/reports\?tab=coverage$/);
  expect(watched.complaints).toEqual([]);
  await watched.close();
});

test('signing out in one tab empties the other', async () => {
  const watched = await openPage(browser);
  await signIn(watched.page, product);
  const other = await watched.context.newPage();
  await other.goto(product.address);
  await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await watched.page.getByRole('button', { name: 'Account' }).click();
  await watched.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await watched.page.waitForURL(/\/signin$/);
  await other.waitForURL(/\/signin$/);
  expect(await watched.context.cookies()).toEqual([]);
  await watched.close();
});

test('the language is switched without a reload, kept, and German is loaded only then', async () => {
  const watched = await openPage(browser);
  const chunks: string[] = [];
  watched.page.on('response', (response) => chunks.push(response.url()));
  await watched.page.goto(`${product.address}/signin`);
  await watched.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(chunks.some((url) => /\/de-/.test(url))).toBe(false);
  await watched.page.getByRole('button', { name: 'Deutsch' }).click();
  await watched.page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  expect(chunks.some((url) => /\/de-/.test(url))).toBe(true);
  await watched.page.reload();
  await watched.page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  await watched.close();
});

test('the page carries a nonce, and its policy lets nothing else in', async () => {
  const answer = await fetch(`${product.address}/signin`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toMatch(/style-src 'self' 'nonce-[^']+'/);
  expect(policy).not.toContain('unsafe');
});

test('a wrong password is refused with the sentence of the specification', async () => {
  const watched = await openPage(browser);
  watched.announce(/401/);
  await watched.page.goto(`${product.address}/signin`);
  await watched.page.fill('input[name="email"]', product.email);
  await watched.page.fill('input[name="password"]', 'not-the-password!');
  await watched.page.click('button[type="submit"]');
  await watched.page.getByText('Invalid Credentials.').first().waitFor();
  expect(watched.complaints).toEqual([]);
  await watched.close();
});

test('three sessions are kept in readable cookies, and none of them can renew itself', async () => {
  const watched = await openPage(browser);
  await signIn(watched.page, product);
  const readable = await watched.page.evaluate<string>('document.cookie');
  for (const name of ['holdfast.main', 'holdfast.staging', 'holdfast.legacy']) expect(readable).toContain(name);
  expect(readable).not.toContain('refresh');
  const renewal = (await watched.context.cookies(`${product.address}/apollo/refresh`)).find((cookie) => cookie.name.includes('refresh'));
  expect(renewal).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  await watched.close();
});

test.each(['/reports', '/documents', '/compliance', '/archive/dashboard', '/archive/proxy-rights', '/ediscovery/portal'])(
  '%s shows the not-found page until it is built: nothing pretends',
  async (path) => {
    const watched = await openPage(browser);
    await signIn(watched.page, product);
    expect(await open(watched.page, product, path)).toBe('Not found');
    await watched.close();
  },
);

test('a screen of 320 pixels shows every list without scrolling sideways', async () => {
  const watched = await openPage(browser, { width: 320 });
  await signIn(watched.page, product);
  for (const path of ['/', '/backup-and-restore/backup-jobs', '/backup-and-restore/job-monitor', '/configuration/tenants']) {
    await open(watched.page, product, path);
    await watched.page.waitForLoadState('networkidle').catch(() => undefined);
    const overflow = await watched.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
  await watched.close();
});

test('the staging realm says on every page that nothing touches production', async () => {
  const watched = await openPage(browser);
  await signIn(watched.page, product);
  await watched.page.getByRole('button', { name: 'Realm' }).click();
  await watched.page.getByRole('menuitemradio', { name: 'Staging' }).click();
  await watched.page.getByText('Staging: nothing here touches production').waitFor();
  await open(watched.page, product, '/helpcenter');
  await watched.page.getByText('Staging: nothing here touches production').waitFor();
  await watched.close();
});

test('Ctrl+K leads to any page by a few letters, without the mouse', async () => {
  const watched = await openPage(browser);
  await signIn(watched.page, product);
  await watched.page.keyboard.press('Control+K');
  await watched.page.getByRole('combobox', { name: 'Go to' }).fill('audit');
  await watched.page.keyboard.press('Enter');
  await watched.page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  expect(watched.complaints).toEqual([]);
  await watched.close();
});
