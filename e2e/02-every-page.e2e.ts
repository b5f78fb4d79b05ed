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
import { phrases } from './support/people.ts';

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

const themes = ['light', 'dark', 'highContrast'] as const;
const themeWords = { light: 'themeLight', dark: 'themeDark', highContrast: 'themeHighContrast' } as const;

/** Puts on another theme as a reader does, in the page that is open. */
async function wear({ page }: Visitor, language: 'en' | 'de', theme: (typeof themes)[number]): Promise<void> {
  const { shell } = phrases[language];
  await page.getByRole('button', { name: shell.theme, exact: true }).click();
  await page.getByRole('menuitemradio', { name: shell[themeWords[theme]], exact: true }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.evaluate(`Promise.allSettled(document.getAnimations().flatMap((one) =>
    (one.effect.getComputedTiming().endTime === Infinity ? [] : [one.finished]))).then(() => true)`);
}

async function open(visitor: Visitor, path: string, heading: string): Promise<void> {
  const { page } = visitor;
  await page.goto(path);
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  await settle(visitor);
  expect(await page.title()).toContain(heading);
}

test.each(['en', 'de'] as const)(
  'every page has its heading and no accessibility fault in %s, light, dark and high contrast',
  async (language) => {
    const visitor = await visit({ language });
    await signIn(visitor, words[language]);
    const faults: string[] = [];
    for (const [at, [path, english, german]] of pages.entries()) {
      await open(visitor, path, language === 'en' ? english : german);
      // The look of the page before is on already: three looks a page, and two changes.
      for (const [turn, theme] of (at % 2 === 0 ? themes : themes.toReversed()).entries()) {
        if (turn > 0) await wear(visitor, language, theme);
        faults.push(...(await accessibilityFaults(visitor.page)).map((fault) => `${path}, ${theme}: ${fault}`));
        if (theme !== 'highContrast') await takePicture(visitor.page, `page${path.replaceAll('/', '-')}-${language}-${theme}`);
      }
    }
    expect(faults).toEqual([]);
    expectNoFaults(visitor);
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
