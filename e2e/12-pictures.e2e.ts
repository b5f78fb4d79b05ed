import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { differenceOf } from './support/compare-pictures.ts';
import { expectNoFaults, settle, takePicture, useBrowser, visit, type Visitor } from './support/browser.ts';
import { serveStillLife, signInStill, standStill } from './support/still-life.ts';
import { sampleReport } from '../apps/server/src/features/period-reports/testing/sample-report.ts';
import { sampleIds } from '../apps/portal/src/testing/samples.ts';

useBrowser();

const backup = '/backup-and-restore';

let served: Awaited<ReturnType<typeof serveStillLife>>;

beforeAll(async () => {
  served = await serveStillLife(inject('productAddress'));
});

afterAll(() => served.close());

/** Five seconds, on a machine with nothing else to do. */
const TRIES = 20;

/** Pages, and what must be on them before they are looked at. */
const pages: readonly (readonly [name: string, path: string])[] = [
  ['overview', '/'],
  ['people', '/people'],
  ['dashboard', `${backup}/dashboard`],
  ['backup-jobs', `${backup}/backup-jobs`],
  ['new-job', `${backup}/backup-jobs/new`],
  ['restore-sources', `${backup}/restore`],
  ['restore-items', `${backup}/restore?location=${sampleIds.location}&source=${sampleIds.source}`],
  ['job-monitor', `${backup}/job-monitor`],
  ['run', `${backup}/job-monitor/${sampleIds.run}`],
  ['reports', `${backup}/reports`],
  ['report', `/reports/${sampleReport.reportId}`],
  ['archive-dashboard', '/archive/dashboard'],
  ['archive-mailboxes', '/archive/mailboxes'],
  ['teams-dashboard', '/teams/dashboard'],
  ['tenants', '/configuration/tenants'],
];

/** Charts and pictures come later than the words beside them. */
async function whenStill(visitor: Visitor): Promise<void> {
  await visitor.page.getByRole('heading', { level: 1 }).waitFor();
  await settle(visitor);
  await visitor.page.evaluate('document.fonts.ready.then(() => true)');
}

/**
 * What is wrong with the page as it looks now, or null. A part that is drawn late may still be missing, and nothing on the page
 * says that all is there: so it is looked at again until it is as it should be, or until it has had time enough.
 */
async function lookedAt(name: string, page: Page, comparing: Page): Promise<string | null> {
  for (let tries = 1; ; tries += 1) {
    const difference = await differenceOf(name, await page.screenshot({ animations: 'disabled', caret: 'hide' }), comparing);
    if (difference === null || tries === TRIES) return difference;
    await pause(250);
  }
}

test.each([
  ['en', 'light', 1280],
  ['de', 'dark', 390],
] as const)('pages look as they did, in %s, %s, %i pixels wide', async (language, theme, width) => {
  const differences: (string | null)[] = [];
  const comparing = (await visit()).page;
  const visitor = await visit({ language, theme, width, height: 800, address: served.address });
  const { page } = visitor;
  await standStill(page);
  const look = async (name: string, path: string): Promise<void> => {
    await page.goto(path);
    await whenStill(visitor);
    differences.push(await lookedAt(`${name}-${language}-${theme}-${width}`, page, comparing));
  };
  await look('sign-in', '/signin');
  await signInStill(page);
  for (const [name, path] of pages) await look(name, path);
  expect(differences.filter((one) => one !== null)).toEqual([]);
  expectNoFaults(visitor);
});

test.each(['en', 'de'] as const)('every column of the evidence is in sight at 1280 pixels, in %s', async (language) => {
  const visitor = await visit({ language, width: 1280, height: 800, address: served.address });
  const { page } = visitor;
  await standStill(page);
  await signInStill(page);
  await page.goto(`${backup}/reports?tab=evidence`);
  await page.getByText(language === 'en' ? /: 1,447/ : /: 1\.447/).waitFor();
  await whenStill(visitor);
  const hidden = await page.evaluate<number>(
    `document.querySelector('table').offsetWidth - document.querySelector('table').parentElement.clientWidth`,
  );
  await takePicture(page, `evidence-${language}`);
  expect(hidden).toBeLessThanOrEqual(0);
  expectNoFaults(visitor);
});
