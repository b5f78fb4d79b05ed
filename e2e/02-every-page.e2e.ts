import { expect, test } from 'vitest';
import {
  accessibilityFaults,
  expectNoFaults,
  settle,
  signIn,
  takePicture,
  useBrowser,
  visit,
  words,
  type Visitor,
} from './support/browser.ts';

useBrowser();

/** Every page there is, with its heading in both languages. */
const pages: readonly (readonly [path: string, english: string, german: string])[] = [
  ['/', 'Overview', 'Übersicht'],
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
  ['/configuration/workers', 'Workers', 'Worker'],
  ['/configuration/audit-log', 'Audit log', 'Überwachungsprotokoll'],
  ['/account/profile', 'My profile', 'Mein Profil'],
  ['/helpcenter', 'Help center', 'Hilfecenter'],
  ['/documentation', 'Documentation', 'Dokumentation'],
  ['/account/support', 'Support', 'Support'],
  ['/account/imprint', 'Imprint', 'Impressum'],
];

async function look(visitor: Visitor, path: string, heading: string): Promise<string[]> {
  const { page } = visitor;
  await page.goto(path);
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  await settle(visitor);
  expect(await page.title()).toContain(heading);
  return accessibilityFaults(page);
}

/** One reader's walk through all pages: what axe found on them. */
async function walk(language: 'en' | 'de', theme: 'light' | 'dark' | 'highContrast'): Promise<string[]> {
  const visitor = await visit({ language, theme });
  await signIn(visitor, words[language]);
  const faults: string[] = [];
  for (const [path, english, german] of pages) {
    const found = await look(visitor, path, language === 'en' ? english : german);
    faults.push(...found.map((fault) => `${language}, ${path}: ${fault}`));
    if (theme !== 'highContrast') await takePicture(visitor.page, `page${path.replaceAll('/', '-')}-${language}-${theme}`);
  }
  expectNoFaults(visitor);
  return faults;
}

// Two readers at a time: each keeps one processor busy.
test.each(['light', 'dark', 'highContrast'] as const)(
  'every page has its heading and no accessibility fault in %s, in both languages',
  async (theme) => {
    expect((await Promise.all([walk('en', theme), walk('de', theme)])).flat()).toEqual([]);
  },
);

test.each([
  '/reports',
  '/documents',
  '/compliance',
  '/compliance/dashboard',
  '/archive/dashboard',
  '/archive/proxy-rights',
  '/account/invoices',
  '/ediscovery/portal',
  '/no/such/page',
])('%s shows the not-found page: nothing pretends', async (path) => {
  const visitor = await visit();
  await signIn(visitor);
  await visitor.page.goto(path);
  await visitor.page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  expectNoFaults(visitor);
});

test('a narrow screen of 320 pixels shows the jobs without scrolling sideways', async () => {
  const visitor = await visit({ width: 320, height: 640 });
  await signIn(visitor);
  await visitor.page.goto('/backup-and-restore/backup-jobs');
  await visitor.page.getByText('Mail every night').first().waitFor();
  const overflow = await visitor.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(overflow).toBeLessThanOrEqual(0);
  await takePicture(visitor.page, 'jobs-narrow');
});
