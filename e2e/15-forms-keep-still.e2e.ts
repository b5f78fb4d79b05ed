import { de } from '@holdfast/phrases/de';
import { en } from '@holdfast/phrases/en';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { settle, takePicture, useBrowser, visit } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';

useBrowser();

/** A form with a field that must not be empty, and what somebody presses right after it. */
interface Press {
  readonly path: string;
  readonly open?: (page: Page) => Promise<void>;
  readonly field: (page: Page) => Locator;
  readonly target: (page: Page) => Locator;
  /** The press itself exchanges fields. */
  readonly exchanges?: boolean;
}

/** Where everything that can be pressed is, by its place in the page. */
const places = `Array.from(document.querySelectorAll('input, textarea, button, a'), (one) => {
  const { x, y } = one.getBoundingClientRect();
  return [one.name || one.textContent, Math.round(x), Math.round(y)].join(' ');
})`;
/** A press is seen after the page has drawn what it caused. */
const drawn = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))`;

/** The control that gets the next click carries a mark. */
const markClicked = `document.addEventListener('click', ({ target }) => {
  target.closest('input, button, a').dataset.clicked = 'true';
}, { capture: true, once: true })`;

const textbox = (page: Page, name: string): Locator => page.getByRole('textbox', { name });

function formsIn(text: typeof en | typeof de): Readonly<Record<string, Press>> {
  const submit = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).last();
  return {
    'new job': {
      path: '/backup-and-restore/backup-jobs/new',
      field: (page) => textbox(page, text.jobs.name),
      target: (page) => page.getByRole('radio', { name: text.jobs.typeDrill }),
    },
    'new location': {
      path: '/configuration/locations/new',
      open: async (page) => await page.getByRole('radio', { name: text.tenants.s3 }).check(),
      field: (page) => textbox(page, text.tenants.bucket),
      target: (page) => page.getByRole('checkbox', { name: text.tenants.forcePathStyle }),
    },
    'new tenant': {
      path: '/configuration/tenants/new',
      field: (page) => textbox(page, text.tenants.clientId),
      target: (page) => page.getByRole('tab', { name: text.tenants.certificate }),
      exchanges: true,
    },
    invitation: {
      path: '/configuration/users/new',
      field: (page) => textbox(page, text.common.email),
      target: (page) => page.getByRole('combobox', { name: text.members.role }),
    },
    'new hold': {
      path: '/configuration/holds',
      open: async (page) => await page.getByRole('button', { name: text.holds.placePeriod }).first().click(),
      field: (page) => textbox(page, text.holds.reason),
      target: submit(text.holds.place),
    },
    'forgotten password': {
      path: '/forgot-password',
      field: (page) => textbox(page, text.common.email),
      target: submit(text.signIn.sendLink),
    },
  };
}

/** What moved while the button was down, and after it was released; the fault must have been shown, and the click have arrived. */
async function pressAfter(page: Page, { field, target }: Press): Promise<{ readonly down: string[]; readonly up: string[] }> {
  await field(page).focus();
  await target(page).scrollIntoViewIfNeeded();
  const box = await target(page).boundingBox();
  if (box === null) throw new Error('There is nothing to press.');
  await page.evaluate(markClicked);
  const before = await page.evaluate<string[]>(places);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.evaluate(drawn);
  const during = await page.evaluate<string[]>(places);
  await page.mouse.up();
  await page.locator('[role="alert"].fui-Field__validationMessage').first().waitFor();
  await page.evaluate(drawn);
  const after = await page.evaluate<string[]>(places);
  expect(await target(page).getAttribute('data-clicked')).toBe('true');
  const moved = (now: readonly string[]): string[] => before.filter((one) => !now.includes(one));
  return { down: moved(during), up: moved(after) };
}

/** On a narrow screen a fault may take several lines: they appear after the click. */
const readers = [
  { language: 'en', width: 1280, isWide: true },
  { language: 'de', width: 1280, isWide: true },
  { language: 'de', width: 390, isWide: false },
] as const;

test.for(readers)('a fault moves nothing under the pointer, $language at $width', async ({ language, width, isWide }) => {
  const text = language === 'en' ? en : de;
  const moved: string[] = [];
  for (const [name, press] of Object.entries(formsIn(text))) {
    const visitor = await visit({ language, width, height: 900 });
    const { page } = visitor;
    if (name !== 'forgotten password') await signIn(visitor);
    await page.goto(press.path);
    await press.open?.(page);
    await press.field(page).waitFor();
    await settle(visitor);
    const found = await pressAfter(page, press);
    moved.push(...found.down.map((one) => `${name}, pressed: ${one}`));
    if (isWide && press.exchanges !== true) moved.push(...found.up.map((one) => `${name}, released: ${one}`));
    await takePicture(page, `still-${name.replace(' ', '-')}-${language}-${width}`);
    await visitor.context.close();
  }
  expect(moved).toEqual([]);
});
