import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectNoFaults, inEachTheme, pictured, takePicture, useBrowser, visit } from './support/browser.ts';
import type { Visitor } from './support/browser.ts';
import { serveKit } from './support/kit.ts';
import type { ServedKit } from './support/kit.ts';

useBrowser();

let kit: ServedKit | undefined;

beforeAll(async () => {
  kit = await serveKit();
});
afterAll(async () => {
  await kit?.close();
});

const column = '[data-specimen="Chart"] svg[role="img"] rect';

async function openKit(visitor: Visitor): Promise<void> {
  await visitor.page.goto(kit?.address ?? '');
  await visitor.page.getByRole('heading', { level: 1, name: 'Holdfast kit' }).waitFor();
  // What comes late: shapes of what is awaited, and the chart's library.
  await visitor.page.locator('[data-specimen="LoadingShape"] .fui-Skeleton').waitFor();
  await visitor.page.locator(column).first().waitFor();
}

/** What is shown over the page: a dialog, or the drawer by its head. */
const layer = '.fui-DialogSurface, .fui-DrawerHeader';

/** How many different fills the columns of the chart have, and its legend: each series has a pattern, so that colours need not be told apart. */
async function patternsOf(page: Page): Promise<Record<'columns' | 'legend', number>> {
  const patterns = async (of: string): Promise<number> => {
    const shapes = `document.querySelectorAll(${JSON.stringify(of)})`;
    const fills = await page.evaluate<string[]>(`Array.from(${shapes}, (shape) => getComputedStyle(shape).fill)`);
    return new Set(fills.filter((fill) => fill.startsWith('url('))).size;
  };
  return { columns: await patterns(column), legend: await patterns('[data-specimen="Chart"] li rect') };
}

/** Looks at every part in one language and all themes: what axe found in them. */
async function lookAround(language: 'en' | 'de'): Promise<string[]> {
  const visitor = await visit({ language, theme: 'system', width: 1440, height: 5_000 });
  const { page } = visitor;
  const faults: string[] = [];
  const look = async (part: string, prepare?: () => Promise<void>): Promise<void> => {
    const found = await inEachTheme(visitor, async (theme) => {
      await prepare?.();
      if (theme === pictured[language]) await takePicture(page, `kit-${part}-${language}-${theme}`);
    });
    faults.push(...found.map((fault) => `${part}, ${language}, ${fault}`));
  };
  const press = async (name: string): Promise<void> => await page.getByRole('button', { name, exact: true }).click();
  await openKit(visitor);
  expect(await patternsOf(page)).toEqual({ columns: 4, legend: 4 });
  await page.locator('[data-specimen="Form"] button[type="submit"]').click();
  await page.locator('[data-specimen="Form"] [role="alert"]').first().waitFor();
  // Toasts leave by themselves, so they are called anew for each look.
  await look('faults', async () => {
    for (const kind of ['success', 'info', 'warning', 'error']) await press(kind);
    await page.getByRole('alert').nth(1).waitFor();
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const part of ['ConfirmDialog typeName', 'DetailDrawer']) {
    await press(part);
    await page.locator(layer).waitFor();
    await look(part.replace(' ', '-'));
    await page.keyboard.press('Escape');
    await page.locator(layer).waitFor({ state: 'detached' });
  }
  expectNoFaults(visitor);
  return faults;
}

test('every part of the kit is accessible in each theme and both languages, with faults, dialogs, drawer and toasts open', async () => {
  // Two readers at a time: each keeps one processor busy.
  expect((await Promise.all([lookAround('en'), lookAround('de')])).flat()).toEqual([]);
});
