import { expect, test } from 'vitest';
import {
  expectNoFaults,
  inEachTheme,
  pictured,
  settle,
  takePicture,
  useBrowser,
  visit,
  type Language,
  type Visitor,
} from './support/browser.ts';
import { speak } from './support/people.ts';
import { signIn } from './support/sign-in.ts';

useBrowser();

type Pages = readonly (readonly [path: string, english: string, german: string])[];

/** Every page there is, with its heading in both languages, a part of the product at a time. */
const everyPage: Readonly<Record<string, Pages>> = {
  'of the overview and jobs': [
    ['/', 'Overview', 'Übersicht'],
    ['/people', 'People & sites', 'Personen & Websites'],
    ['/backup-and-restore/dashboard', 'Backup dashboard', 'Sicherungsdashboard'],
    ['/backup-and-restore/backup-jobs', 'Backup jobs', 'Sicherungsaufträge'],
    ['/backup-and-restore/backup-jobs/new', 'New job', 'Neuer Auftrag'],
    ['/backup-and-restore/on-demand', 'On-demand backup', 'Sofortsicherung'],
  ],
  'of restores, their monitor and reports': [
    ['/backup-and-restore/restore', 'Restore', 'Wiederherstellen'],
    ['/backup-and-restore/job-monitor', 'Job monitor', 'Auftragsmonitor'],
    ['/backup-and-restore/reports', 'Reports', 'Berichte'],
  ],
  'of archives': [
    ['/archive/dashboard', 'Archive dashboard', 'Archivdashboard'],
    ['/archive/mailboxes', 'Mailboxes', 'Postfächer'],
    ['/archive/jobs', 'Archive jobs', 'Archivaufträge'],
    ['/archive/deletion-jobs', 'Deletion jobs', 'Löschaufträge'],
    ['/archive/data-requests', 'Data requests', 'Betroffenenanträge'],
    ['/archive/job-monitor', 'Job monitor', 'Auftragsmonitor'],
    ['/archive/reports', 'Reports', 'Berichte'],
  ],
  'of Teams and compliance': [
    ['/teams/dashboard', 'Teams dashboard', 'Teams-Dashboard'],
    ['/teams/jobs', 'Teams jobs', 'Teams-Aufträge'],
    ['/teams/job-monitor', 'Job monitor', 'Auftragsmonitor'],
    ['/teams/reporting', 'Reports', 'Berichte'],
    ['/compliance/dashboard', 'Compliance dashboard', 'Compliance-Dashboard'],
    ['/compliance', 'Files', 'Dateien'],
    ['/compliance/monitoring', 'Job monitor', 'Auftragsmonitor'],
    ['/compliance/reporting', 'Reports', 'Berichte'],
  ],
  'of cases, papers and people': [
    ['/archive/proxy-rights', 'Proxy rights', 'Stellvertreterrechte'],
    ['/ediscovery/portal', 'eDiscovery', 'eDiscovery'],
    ['/reports', 'Report files', 'Berichtsdateien'],
    ['/documents', 'Documents', 'Dokumente'],
    ['/account/profile', 'My profile', 'Mein Profil'],
    ['/helpcenter', 'Help center', 'Hilfecenter'],
    ['/documentation', 'Documentation', 'Dokumentation'],
    ['/account/support', 'Support', 'Support'],
    ['/account/imprint', 'Imprint', 'Impressum'],
  ],
  'of connections': [
    ['/configuration', 'Teams and OneDrive', 'Teams und OneDrive'],
    ['/configuration/tenants', 'Tenants and locations', 'Mandanten und Speicherorte'],
    ['/configuration/connect', 'Connect Microsoft 365', 'Microsoft 365 verbinden'],
    ['/configuration/locations', 'Tenants and locations', 'Mandanten und Speicherorte'],
    ['/configuration/users', 'Users', 'Benutzer'],
    ['/configuration/workers', 'Workers', 'Worker'],
  ],
  'of rules and logs': [
    ['/configuration/approvals', 'Approvals', 'Genehmigungen'],
    ['/configuration/holds', 'Legal holds', 'Legal Holds'],
    ['/configuration/retention', 'Retention policies', 'Aufbewahrungsrichtlinien'],
    ['/configuration/access-log', 'Access log', 'Zugriffsprotokoll'],
    ['/configuration/audit-log', 'Audit log', 'Überwachungsprotokoll'],
    ['/configuration/audit-forwarding', 'Audit forwarding', 'Protokollweiterleitung'],
  ],
};

/** Addresses of the specification that nothing stands behind, and one that nobody knows. */
const withoutPage = ['/account/invoices', '/no/such/page'];

const headings = (page: readonly [string, string, string]): Readonly<Record<Language, string>> => ({ en: page[1], de: page[2] });

/** The page as it is in one language: its heading, its title, and what axe finds in each theme. */
async function lookAt(visitor: Visitor, language: Language, path: string, heading: string): Promise<string[]> {
  const { page } = visitor;
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  await settle(visitor);
  expect(await page.title()).toContain(heading);
  const faults = await inEachTheme(visitor, async (theme) => {
    if (theme === pictured[language]) await takePicture(page, `page${path.replaceAll('/', '-')}-${language}-${theme}`);
  });
  return faults.map((fault) => `${path}, ${language}, ${fault}`);
}

/** One reader's walk through pages, each opened once and seen in both languages and every theme. */
async function walk(pages: Pages): Promise<string[]> {
  const visitor = await visit({ theme: 'system' });
  const { page } = visitor;
  await signIn(visitor);
  const faults: string[] = [];
  let language: Language = 'en';
  for (const one of pages) {
    const [path] = one;
    await page.goto(path);
    faults.push(...(await lookAt(visitor, language, path, headings(one)[language])));
    // The next page begins with the language that this one ends with: each of the two is what pages are opened in.
    const other: Language = language === 'en' ? 'de' : 'en';
    await speak(page, language, other);
    language = other;
    faults.push(...(await lookAt(visitor, language, path, headings(one)[language])));
  }
  expectNoFaults(visitor);
  return faults;
}

/** Two readers at a time: each keeps one processor busy. */
async function walkInTwo(pages: Pages): Promise<string[]> {
  const middle = Math.ceil(pages.length / 2);
  return (await Promise.all([walk(pages.slice(0, middle)), walk(pages.slice(middle))])).flat();
}

test.each(Object.entries(everyPage))(
  'every page has its heading and no accessibility fault, in each theme and in both languages: pages %s',
  async (_name, pages) => {
    expect(await walkInTwo(pages)).toEqual([]);
  },
);

test('addresses without a page show the not-found page: nothing pretends', async () => {
  const visitor = await visit();
  await signIn(visitor);
  const { page } = visitor;
  for (const path of withoutPage) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    await page.getByText(path).waitFor();
  }
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
