import { de } from '@holdfast/phrases/de';
import { en } from '@holdfast/phrases/en';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { demoOwner } from '../tools/demo.ts';
import { endOfBackup, openOffice } from './support/backups.ts';
import { accessibilityFaults, expectNoFaults, settle, useBrowser, visit, type Visitor } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';

useBrowser();

const job = 'Mail every night';
const backup = '/backup-and-restore';

beforeAll(async () => {
  // There is nothing to look into before mail has been saved.
  await endOfBackup(await openOffice(), 'exchange');
});

/** Until what fades in stands there: half faded in, its words have less contrast than they will. Bars that never end are not waited for. */
const whenStill = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
  const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
  await Promise.all(ending.map((one) => one.finished.catch(() => undefined)));
  await frame();
})()`;

/** A visitor who notes what axe finds in each thing that opens. */
interface Looker {
  readonly visitor: Visitor;
  readonly text: typeof en | typeof de;
  /** Opens something, looks at the whole screen with it, and closes it again. */
  readonly look: (name: string, open: () => Promise<void>, close?: () => Promise<void>) => Promise<void>;
}

const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{\{(\w+)\}\}/g, (_gap, name: string) => values[name] ?? '');

/** What was opened over the page: a question may stand over a drawer. */
const layer = '[role="dialog"], [role="alertdialog"], [role="menu"]';
const layers = (page: Page): Locator => page.locator(layer);
/** Who comes by keyboard or screen reader is inside of what has opened. */
const holdsFocus = `[...document.querySelectorAll('${layer}')].at(-1)?.contains(document.activeElement) ?? false`;
const button = (where: Page | Locator, name: string): Locator => where.getByRole('button', { name, exact: true }).first();

/** The list of jobs: columns, a job's drawer, and each of its questions. */
async function lookAtJobs({ visitor: { page }, text, look }: Looker): Promise<void> {
  await page.goto(`${backup}/backup-jobs`);
  await page.getByText(job).first().waitFor();
  await look('columns', async () => await button(page, text.kit.columns).click());
  await look('export menu', async () => await button(page, text.kit.export).click());
  await look('row menu', async () => await button(page, fill(text.kit.rowActions, { name: job })).click());
  await look('account menu', async () => await page.getByRole('banner').getByRole('button').last().click());
  for (const verb of [text.jobs.startAgain, text.common.remove]) {
    await button(page, fill(text.kit.rowActions, { name: job })).click();
    await look(`job, ${verb}`, async () => await page.getByRole('menuitem', { name: verb }).click());
  }
  await look('job', async () => await button(page, job).click());
  await look('go to', async () => await page.keyboard.press('Control+K'));
}

/** Each step of a new job, and the question before it is left. */
async function lookAtSteps({ visitor: { page }, text, look }: Looker): Promise<void> {
  const next = async (): Promise<void> => await button(page, text.common.next).click();
  const stay = async (): Promise<void> => undefined;
  await page.goto(`${backup}/backup-jobs/new`);
  await look('step job, with its faults', next, stay);
  await page.getByRole('textbox', { name: text.jobs.name }).fill('Looked at');
  await next();
  await look(
    'step sources',
    async () => {
      await page.getByText(text.jobs.protectSome).click();
      await page.getByRole('row').first().getByRole('checkbox').check();
      await button(page, text.jobs.options).click();
    },
    stay,
  );
  await next();
  const location = page.getByRole('combobox', { name: text.jobs.location });
  await look('step target', async () => await location.waitFor(), stay);
  await look(
    'list of locations',
    async () => await location.click(),
    async () => await page.getByRole('option').first().click(),
  );
  await next();
  await look('step schedule', async () => await page.getByText(text.jobs.modeWeekly, { exact: true }).click(), stay);
  await page.getByText(text.jobs.modeDisabled, { exact: true }).click();
  await next();
  await look('step summary', async () => await page.getByText(text.jobs.noNextRun).waitFor(), stay);
  await look('leaving', async () => await button(page, text.common.cancel).click());
}

/** The restore: calendar, comparison, preview, target and its question. */
async function lookAtRestore({ visitor: { page }, text, look }: Looker): Promise<void> {
  const stay = async (): Promise<void> => undefined;
  await page.goto(`${backup}/restore?search=Grace`);
  await page.getByRole('row').filter({ hasText: text.kinds.mailbox }).getByRole('button').first().click();
  await page.getByRole('grid').getByRole('row').first().waitFor();
  await look('calendar', async () => await button(page, text.restore.chooseTime).click(), stay);
  const message = page.getByRole('grid').getByRole('row').filter({ hasText: text.kinds.message }).first();
  await look(
    'preview',
    async () => {
      await message.getByRole('button').last().click();
      await page.getByRole('textbox', { name: text.restore.reason }).waitFor();
    },
    async () => await button(page, text.content.closeReading).click(),
  );
  await message.getByRole('checkbox').check();
  await button(page, text.common.next).click();
  for (const target of [text.restore.targetElsewhere, text.restore.targetDownload, text.restore.targetFolder])
    await look(`target ${target}`, async () => await page.getByRole('radio', { name: target }).check(), stay);
  await look('restore', async () => await button(page, text.restore.restore).click());
}

/** What lies beside the work: tenants, locations, users, holds, runs. */
async function lookAtOthers({ visitor: { page }, text, look }: Looker): Promise<void> {
  await page.goto('/configuration/tenants');
  await look(
    'tenant',
    async () => await button(page, 'Contoso').click(),
    async () => undefined,
  );
  for (const verb of [text.tenants.deprovision, text.common.delete])
    await look(`tenant, ${verb}`, async () => await button(page.getByRole('dialog'), verb).click());
  for (const path of ['/configuration/tenants/new', '/configuration/locations/new', '/configuration/users/new'])
    await look(path, async () => void (await page.goto(path)));
  await page.goto('/configuration/users');
  await look('member', async () => await button(page, demoOwner.email).click());
  await page.goto('/configuration/holds');
  await look('hold', async () => await button(page, text.holds.placePeriod).click());
  await page.goto(`${backup}/job-monitor`);
  const run = async (): Promise<void> => {
    await button(page, job).click();
    await page.getByRole('heading', { level: 1, name: job }).waitFor();
  };
  await look('run', run, async () => undefined);
}

/** Where the focus is, in words: the name of a button, or what was entered in a field. */
const focused = `document.activeElement.value || document.activeElement.textContent`;

const expectFocus = async (page: Page, words: string): Promise<void> =>
  await expect.poll(async () => await page.evaluate(focused), { timeout: 30_000 }).toBe(words);

/** Somebody with a keyboard alone begins to enter something, and nearly loses it. */
async function enterAndLeave({ visitor: { page }, text }: Looker): Promise<void> {
  await page.goto('/configuration/holds');
  await button(page, text.holds.placePeriod).focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: text.holds.placePeriod });
  await drawer.getByRole('textbox').first().focus();
  await page.keyboard.type('Lawsuit');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: text.kit.discardTitle });
  await question.waitFor();
  await expectFocus(page, text.kit.keepEditing);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'detached' });
  await expectFocus(page, 'Lawsuit');
  await page.keyboard.press('Escape');
  await question.waitFor();
  await expectFocus(page, text.kit.keepEditing);
  await page.keyboard.press('Tab');
  await expectFocus(page, text.kit.discard);
  await page.keyboard.press('Enter');
  await drawer.waitFor({ state: 'detached' });
  await expectFocus(page, text.holds.placePeriod);
}

/** One reader opens everything: what axe found in it. */
async function openAll(language: 'en' | 'de'): Promise<string[]> {
  const visitor = await visit({ language });
  const { page } = visitor;
  await signIn(visitor);
  const faults: string[] = [];
  const looker: Looker = {
    visitor,
    text: language === 'en' ? en : de,
    async look(name, open, close) {
      await open();
      if (close === undefined) await layers(page).last().waitFor();
      await settle(visitor);
      await page.evaluate(whenStill);
      faults.push(...(await accessibilityFaults(page)).map((fault) => `${language}, ${name}: ${fault}`));
      if (close !== undefined) return await close();
      if (!(await page.evaluate<boolean>(holdsFocus))) faults.push(`${language}, ${name}: the focus is elsewhere`);
      if ((await layers(page).last().getByRole('alert').count()) > 0) faults.push(`${language}, ${name}: a fault before any entry`);
      const opened = await layers(page).count();
      await page.keyboard.press('Escape');
      return await expect.poll(() => layers(page).count(), { timeout: 30_000 }).toBe(opened - 1);
    },
  };
  await lookAtJobs(looker);
  await lookAtSteps(looker);
  await lookAtRestore(looker);
  await lookAtOthers(looker);
  await enterAndLeave(looker);
  expectNoFaults(visitor);
  return faults;
}

// Two readers at a time: each keeps one processor busy.
test('every drawer, dialog and step is without an accessibility fault in both languages, and entries are not lost by the keyboard', async () => {
  expect((await Promise.all([openAll('en'), openAll('de')])).flat()).toEqual([]);
});
