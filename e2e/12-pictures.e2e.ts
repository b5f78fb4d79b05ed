import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { differenceOf } from './support/compare-pictures.ts';
import { expectNoFaults, settle, useBrowser, visit, type Visitor } from './support/browser.ts';
import { serveStillLife, signInStill, standStill } from './support/still-life.ts';
import { sampleIds } from '../apps/portal/src/testing/samples.ts';

useBrowser();

const backup = '/backup-and-restore';

let served: Awaited<ReturnType<typeof serveStillLife>>;

beforeAll(async () => {
  served = await serveStillLife(inject('productAddress'));
});

afterAll(() => served.close());

/** Twelve pages, and what must be on them before they are looked at. */
const pages: readonly (readonly [name: string, path: string])[] = [
  ['overview', '/'],
  ['dashboard', `${backup}/dashboard`],
  ['backup-jobs', `${backup}/backup-jobs`],
  ['new-job', `${backup}/backup-jobs/new`],
  ['restore-sources', `${backup}/restore`],
  ['restore-items', `${backup}/restore?location=${sampleIds.location}&source=${sampleIds.source}`],
  ['job-monitor', `${backup}/job-monitor`],
  ['run', `${backup}/job-monitor/${sampleIds.run}`],
  ['reports', `${backup}/reports`],
  ['teams-dashboard', '/teams/dashboard'],
  ['tenants', '/configuration/tenants'],
];

/** Charts and pictures come later than the words beside them. */
async function whenStill(visitor: Visitor): Promise<void> {
  await visitor.page.getByRole('heading', { level: 1 }).waitFor();
  await settle(visitor);
  await visitor.page.evaluate('document.fonts.ready.then(() => true)');
}

/** Two pictures in a row that are the same: nothing moves any more. */
async function pictureOf(page: Page): Promise<Buffer> {
  let last = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  for (let tries = 0; tries < 20; tries += 1) {
    const next = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    if (next.equals(last)) return next;
    last = next;
  }
  throw new Error('The page does not come to rest.');
}

test.each([
  ['en', 'light', 1280],
  ['de', 'dark', 390],
] as const)('twelve pages look as they did, in %s, %s, %i pixels wide', async (language, theme, width) => {
  const differences: (string | null)[] = [];
  const comparing = (await visit()).page;
  const visitor = await visit({ language, theme, width, height: 800, address: served.address });
  const { page } = visitor;
  await standStill(page);
  const look = async (name: string, path: string): Promise<void> => {
    await page.goto(path);
    await whenStill(visitor);
    differences.push(await differenceOf(`${name}-${language}-${theme}-${width}`, await pictureOf(page), comparing));
  };
  await look('sign-in', '/signin');
  await signInStill(page);
  for (const [name, path] of pages) await look(name, path);
  expect(differences.filter((one) => one !== null)).toEqual([]);
  expectNoFaults(visitor);
});
