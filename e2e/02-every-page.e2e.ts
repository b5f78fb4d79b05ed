import { expect, test } from 'vitest';
import {
  accessibilityFaults,
  expectNoFaults,
  inEachTheme,
  settle,
  signIn,
  takePicture,
  useBrowser,
  visit,
  words,
  type Visitor,
} from './support/browser.ts';

useBrowser();

type Pages = readonly (readonly [path: string, english: string, german: string])[];

/** Every page there is, with its heading in both languages. */
const pagesOfWork: Pages = [
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
];
const pagesBesideIt: Pages = [
  ['/configuration', 'Teams and OneDrive', 'Teams und OneDrive'],
  ['/configuration/tenants', 'Tenants and locations', 'Mandanten und Speicherorte'],
  ['/configuration/locations', 'Tenants and locations', 'Mandanten und Speicherorte'],
  ['/configuration/users', 'Users', 'Benutzer'],
  ['/configuration/workers', 'Workers', 'Worker'],
  ['/configuration/approvals', 'Approvals', 'Genehmigungen'],
  ['/configuration/holds', 'Legal holds', 'Legal Holds'],
  ['/configuration/audit-log', 'Audit log', 'Überwachungsprotokoll'],
  ['/account/profile', 'My profile', 'Mein Profil'],
  ['/helpcenter', 'Help center', 'Hilfecenter'],
  ['/documentation', 'Documentation', 'Dokumentation'],
  ['/account/support', 'Support', 'Support'],
  ['/account/imprint', 'Imprint', 'Impressum'],
];

async function open(visitor: Visitor, path: string, heading: string): Promise<void> {
  const { page } = visitor;
  await page.goto(path);
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  await settle(visitor);
  expect(await page.title()).toContain(heading);
}

/** One reader's walk through pages, each seen in every theme: what axe found on them. */
async function walk(pages: Pages, language: 'en' | 'de'): Promise<string[]> {
  const visitor = await visit({ language, theme: 'system' });
  const { page } = visitor;
  await signIn(visitor, words[language]);
  const faults: string[] = [];
  for (const [path, english, german] of pages) {
    await open(visitor, path, language === 'en' ? english : german);
    await inEachTheme(visitor, async (theme) => {
      faults.push(...(await accessibilityFaults(page)).map((fault) => `${language}, ${theme}, ${path}: ${fault}`));
      if (theme !== 'highContrast') await takePicture(page, `page${path.replaceAll('/', '-')}-${language}-${theme}`);
    });
  }
  expectNoFaults(visitor);
  return faults;
}

test.each([
  ['of the daily work', pagesOfWork],
  ['of configuration, account and help', pagesBesideIt],
] as const)('every page %s has its heading and no accessibility fault, in each theme and in both languages', async (_area, pages) => {
  // Two readers at a time: each keeps one processor busy.
  expect((await Promise.all([walk(pages, 'en'), walk(pages, 'de')])).flat()).toEqual([]);
});

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
