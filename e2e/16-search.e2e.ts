import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { endOfBackup, openOffice, type Office } from './support/backups.ts';
import { accessibilityFaults, expectNoFaults, settle, takePicture, useBrowser, visit } from './support/browser.ts';
import { people, sentToPeople, truthOf, type TrueItem } from './support/ground-truth.ts';
import { signIn } from './support/sign-in.ts';
import { unzip } from './support/unzip.ts';

useBrowser();

const grace = 'grace.harris@contoso.com';
let office: Office;

interface Searched {
  readonly total: number;
  readonly items: readonly { readonly title: string; readonly resource: { readonly address: string } }[];
  readonly coverage: { readonly items: number; readonly searched: number };
}

const ask = (query: string): Promise<Searched> =>
  office.api.post<Searched>(`/apollo/api/${office.tenantId}/archive/search`, { query, reason: 'Journey of the search' });

beforeAll(async () => {
  office = await openOffice();
  await endOfBackup(office, 'exchange');
  for (;;) {
    const { coverage } = await ask('kind:email');
    if (coverage.items > 0 && coverage.searched === coverage.items) return;
    await pause(1_000);
  }
});

/** Types into the box and searches, with the keyboard alone. */
async function searchFor(page: Page, query: string, words: { readonly reason: RegExp }): Promise<void> {
  await page.goto('/search');
  await page.locator('input[name=query]:focus').waitFor();
  await page.keyboard.type(query);
  await page.keyboard.press('Tab');
  await page.getByLabel(words.reason).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('A lost message');
  await page.keyboard.press('Enter');
}

test.each([
  ['en', /Reason for the search/, ['Items found', 'Reading pane', 'Restore', 'Original place']],
  ['de', /Grund der Suche/, ['Gefundene Elemente', 'Lesebereich', 'Wiederherstellen', 'Ursprünglicher Ort']],
] as const)(
  'a mail is found by words of its subject, read and taken to its restore, by keyboard alone (%s)',
  async (language, reason, [list, pane, restore, target]) => {
    const mine = (await truthOf('mail', grace)).filter(
      ({ kind, metadata }) => kind === 'message' && /^\w+(?: \w+){2,}$/.test(String(metadata['subject'])),
    );
    const subject = String(mine[0]?.metadata['subject']);
    const visitor = await visit({ language });
    await signIn(visitor);
    const { page } = visitor;
    await searchFor(page, `"${subject}" mailbox:${grace}`, { reason });
    const row = page.getByRole('grid', { name: list }).getByRole('row').filter({ hasText: subject }).first();
    await row.waitFor();
    await row.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: pane }).getByRole('button').first().waitFor();
    expect(await page.getByRole('region', { name: pane }).getByRole('heading', { level: 2 }).textContent()).toContain(subject);
    await settle(visitor);
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, `search-${language}`);
    await page.getByRole('region', { name: pane }).getByRole('button', { name: restore }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/restore.*source=/);
    await page.getByRole('radio', { name: target }).waitFor();
    expectNoFaults(visitor);
  },
);

/** Presses Tab until something has the focus: nothing here is reached by other means. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not lead there.');
}

test.each([
  [
    'en',
    'hairline vibration ultrasonic',
    'Expert opinion pressure vessel.pdf',
    /Reason for the search/,
    ['Items found', 'Reading pane', 'Restore', 'Original place', 'Successful'],
  ],
  [
    'de',
    'Kesselanlagen Duisburg Werktagen',
    'Rahmenvertrag Kesselanlagen.docx',
    /Grund der Suche/,
    ['Gefundene Elemente', 'Lesebereich', 'Wiederherstellen', 'Ursprünglicher Ort', 'Erfolgreich'],
  ],
] as const)(
  'whoever knows three words of an attachment finds its mail, sees whose it is, reads it and puts it back, by keyboard alone (%s)',
  async (...[language, words, file, reason, [list, pane, restore, target, done]]) => {
    const { items } = await ask(`${words} kind:email`);
    const [first] = items;
    if (!first) throw new Error(`No mail has an attachment with the words ${words}.`);
    const owner = first.resource.address;
    const isLost = ({ metadata }: TrueItem): boolean =>
      metadata['subject'] === first.title &&
      (metadata['attachments'] as readonly { readonly name: string }[]).some(({ name }) => name === file);
    const lost = (await truthOf('mail', owner)).filter((item) => item.kind === 'message' && isLost(item));
    expect(lost.length).toBeGreaterThan(0);
    await people(lost.map(({ id }) => ({ do: 'mail.purge', user: owner, id })));
    expect((await truthOf('mail', owner)).filter((item) => item.kind === 'message' && isLost(item))).toEqual([]);
    const visitor = await visit({ language });
    await signIn(visitor);
    const { page } = visitor;
    await searchFor(page, `${words} kind:email`, { reason });
    const row = page.getByRole('grid', { name: list }).getByRole('row').filter({ hasText: first.title });
    await row.first().waitFor();
    await tabTo(page, row);
    await page.keyboard.press('Enter');
    const reading = page.getByRole('region', { name: pane });
    await reading.getByText(file).first().waitFor();
    expect(await reading.textContent()).toContain(owner);
    await reading.locator('mark').first().waitFor();
    await settle(visitor);
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, `search-attachment-${language}`);
    await tabTo(page, reading.getByRole('button', { name: restore }));
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: target }).waitFor();
    await tabTo(page, page.getByRole('button', { name: restore, exact: true }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: restore }));
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByText(done, { exact: true }).first().waitFor({ timeout: 120_000 });
    expect((await truthOf('mail', owner)).some((item) => item.kind === 'message' && isLost(item))).toBe(true);
    expect(await sentToPeople()).toEqual([]);
    expectNoFaults(visitor);
  },
);

test('a query with a mistake is not sent, says where it is wrong, and its suggestion mends it', async () => {
  const visitor = await visit();
  await signIn(visitor);
  const { page } = visitor;
  await searchFor(page, `form:${grace}`, { reason: /Reason for the search/ });
  await page.getByText('There is no field "form". Did you mean "from"?').waitFor();
  await page.getByRole('button', { name: 'Use from' }).click();
  await page.getByText(`Read as: from:${grace}`).waitFor();
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const { total } = await ask(`from:${grace}`);
  await page.getByText(total === 1 ? '1 item found' : `${total.toLocaleString('en')} items found`).waitFor();
  expectNoFaults(visitor);
});

const conditionWords = {
  en: {
    open: 'Edit as conditions',
    condition: 'Condition 2',
    value: 'Value',
    reason: /Reason for the search/,
    searched: /Searched [\d,]+ of/,
  },
  de: {
    open: 'Als Bedingungen bearbeiten',
    condition: 'Bedingung 2',
    value: 'Wert',
    reason: /Grund der Suche/,
    searched: /[\d.]+ von [\d.]+ Elementen durchsucht/,
  },
} as const;

test.each([
  ['en', 'light', 1440],
  ['de', 'dark', 1440],
  ['en', 'dark', 390],
  ['de', 'light', 390],
] as const)('a query is completed, edited as conditions and run (%s, %s, %i)', async (language, theme, width) => {
  const { open, condition, value, reason, searched } = conditionWords[language];
  const visitor = await visit({ language, theme, width });
  await signIn(visitor);
  const { page } = visitor;
  await page.goto('/search');
  const box = page.locator('input[name=query]');
  await box.fill('pressure kin');
  await page.getByRole('button', { name: 'kind:', exact: true }).click();
  await page.getByRole('button', { name: 'email', exact: true }).waitFor();
  await takePicture(page, `search-completion-${language}-${width}`);
  await page.getByRole('button', { name: 'email', exact: true }).click();
  expect(await box.inputValue()).toBe('pressure kind:email ');
  await page.getByRole('button', { name: open }).click();
  await page.getByRole('group', { name: condition }).getByRole('combobox', { name: value }).selectOption('docs');
  expect(await box.inputValue()).toBe('pressure AND kind:docs');
  await settle(visitor);
  expect(await accessibilityFaults(page)).toEqual([]);
  await takePicture(page, `search-conditions-${language}-${width}`);
  await page.getByLabel(reason).fill('Journey of the search');
  await page.keyboard.press('Enter');
  await page.getByText(searched).waitFor();
  await settle(visitor);
  expect(await accessibilityFaults(page)).toEqual([]);
  await takePicture(page, `search-found-${language}-${width}`);
  expectNoFaults(visitor);
});

/** The same page on a screen of a desk and on that of a phone. */
async function takePictures(visitor: Awaited<ReturnType<typeof visit>>, name: string): Promise<void> {
  const { page } = visitor;
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await settle(visitor);
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, `${name}-${width}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test.each([
  ['en', 'light', /Reason for the search/, [/^Export all/, 'Start the export', /^Download \(/]],
  ['de', 'dark', /Grund der Suche/, [/^Alle .* exportieren/, 'Export starten', /^Herunterladen \(/]],
] as const)(
  'what was found is exported, followed until it is ready and downloaded; its manifest names every file (%s)',
  async (language, theme, reason, [exportAll, start, download]) => {
    const visitor = await visit({ language, theme });
    await signIn(visitor);
    const { page } = visitor;
    await searchFor(page, `kind:email mailbox:${grace}`, { reason });
    await page.getByRole('button', { name: exportAll }).click();
    await page.getByRole('button', { name: start }).waitFor();
    await takePictures(visitor, `export-form-${language}`);
    await page.getByRole('button', { name: start }).click();
    const button = page.getByRole('button', { name: download });
    await button.waitFor({ timeout: 120_000 });
    await takePictures(visitor, `export-ready-${language}`);
    const [zip] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const files = unzip(await readFile(await zip.path()));
    const manifest = files.get('manifest.json') ?? Buffer.alloc(0);
    expect(String(files.get('manifest.sha256'))).toBe(`${sha256(manifest)}  manifest.json\n`);
    const listed = (JSON.parse(manifest.toString('utf8')) as { files: { path: string; sha256: string }[] }).files;
    expect(listed.length).toBe(files.size - 4);
    for (const { path, sha256: hash } of listed) expect([path, sha256(files.get(path) ?? Buffer.alloc(0))]).toEqual([path, hash]);
    expect(listed.filter(({ path }) => path.endsWith('.eml')).length).toBeGreaterThan(0);
    await page.goto('/ediscovery/portal/exports');
    await page.getByText(`kind:email AND mailbox:${grace}`).first().waitFor();
    await takePictures(visitor, `export-list-${language}`);
    expectNoFaults(visitor);
  },
);
