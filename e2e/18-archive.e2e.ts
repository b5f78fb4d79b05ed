import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, inject, test } from 'vitest';
import { archiveMail, importMail } from '../tools/demo.ts';
import { endOfBackup, openOffice } from './support/backups.ts';
import { accessibilityFaults, expectNoFaults, settle, takePicture, useBrowser, visit } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';

useBrowser();

interface Archived {
  readonly mailboxId: string;
  readonly name: string;
  readonly messages: number;
}

let mailbox: Archived;
let imported: Archived;

beforeAll(async () => {
  const office = await openOffice();
  await endOfBackup(office, 'exchange');
  await archiveMail(inject('productAddress'));
  for (;;) {
    const path = `/apollo/api/${office.tenantId}/archive/mailboxes?limit=50`;
    const { items } = await office.api.get<{ readonly items: readonly Archived[] }>(path);
    const full = items.find(({ messages }) => messages > 5);
    if (full) {
      mailbox = full;
      return;
    }
    await pause(500);
  }
});

test.each([
  ['en', 'Show messages', 'Reason for looking', ['Messages', 'Reading pane']],
  ['de', 'Nachrichten anzeigen', 'Grund der Einsicht', ['Nachrichten', 'Lesebereich']],
] as const)('a message of an archived mailbox is listed and read with its reason (%s)', async (language, show, reason, [list, pane]) => {
  const visitor = await visit({ language });
  await signIn(visitor);
  const { page } = visitor;
  await page.goto(`/archive/mailboxes/${mailbox.mailboxId}`);
  await page.getByRole('dialog').getByRole('button', { name: show }).click();
  await page.waitForURL(/\/messages$/);
  await page.getByLabel(reason).fill('Audit of the archive');
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: list }).getByRole('row').first().getByRole('button').first().click();
  const reading = page.getByRole('region', { name: pane });
  await reading
    .getByText(/^[0-9a-f]{64}$|[0-9a-f]{16}/)
    .first()
    .waitFor();
  await settle(visitor);
  expect(await accessibilityFaults(page)).toEqual([]);
  await takePicture(page, `archived-message-${language}`);
  expectNoFaults(visitor);
});

const putBack = {
  en: {
    reason: 'Reason for looking',
    tick: /^Select /,
    chosen: 'Restore 1 selected',
    title: 'Restore 1 item',
    folder: /^To a new folder/,
    go: 'Restore',
    done: 'Successful',
  },
  de: {
    reason: 'Grund der Einsicht',
    tick: / auswählen$/,
    chosen: '1 ausgewähltes Element wiederherstellen',
    title: '1 Element wiederherstellen',
    folder: /^In einen neuen Ordner/,
    go: 'Wiederherstellen',
    done: 'Erfolgreich',
  },
} as const;

test.each([
  ['en', 'light', 1440],
  ['de', 'dark', 390],
] as const)('a message of an archive is put back into a folder of its mailbox (%s, %s, %i wide)', async (language, theme, width) => {
  const words = putBack[language];
  const visitor = await visit({ language, theme, width });
  await signIn(visitor);
  const { page } = visitor;
  await page.goto(`/archive/mailboxes/${mailbox.mailboxId}/messages`);
  await page.getByLabel(words.reason).fill('Audit of the archive');
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: words.tick }).first().check();
  await settle(visitor);
  await takePicture(page, `archive-ticked-${language}`);
  await page.getByRole('button', { name: words.chosen }).click();
  const drawer = page.getByRole('dialog', { name: words.title });
  await drawer.getByRole('radio', { name: words.folder }).check();
  await settle(visitor);
  expect(await accessibilityFaults(page)).toEqual([]);
  await takePicture(page, `archive-restore-${language}`);
  await drawer.getByRole('button', { name: words.go, exact: true }).click();
  await page.getByRole('dialog').getByText(words.done).first().waitFor();
  await settle(visitor);
  await takePicture(page, `archive-restored-${language}`);
  expectNoFaults(visitor);
});

test.each([
  ['en', 'light', 1440],
  ['de', 'dark', 1440],
  ['de', 'light', 390],
] as const)('an archive is compared with its backups, and is complete (%s, %s, %i wide)', async (language, theme, width) => {
  const visitor = await visit({ language, theme, width });
  await signIn(visitor);
  const { page } = visitor;
  await page.goto(`/archive/mailboxes/${mailbox.mailboxId}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: language === 'en' ? 'Compare now' : 'Jetzt vergleichen' }).click();
  await drawer
    .getByText(language === 'en' ? 'No message of the backups is missing.' : 'Es fehlt keine Nachricht aus den Sicherungen.')
    .waitFor();
  await settle(visitor);
  expect(await accessibilityFaults(page)).toEqual([]);
  await takePicture(page, `archive-completeness-${language}-${width}`);
  expectNoFaults(visitor);
});

test('a mailbox file that was imported is read in the archive of its owner', async () => {
  const office = await openOffice();
  await importMail(inject('productAddress'));
  await expect
    .poll(
      async () => {
        const path = `/apollo/api/${office.tenantId}/archive/mailboxes?limit=200`;
        const { items } = await office.api.get<{ readonly items: readonly Archived[] }>(path);
        for (const one of items) {
          const at = `/apollo/api/${office.tenantId}/archive/mailboxes/${one.mailboxId}`;
          const { folders } = await office.api.get<{ readonly folders: readonly { readonly path: string }[] }>(at);
          if (folders.some(({ path: folder }) => folder === 'Imported/Letters 2013')) imported = one;
        }
        return imported?.name;
      },
      { timeout: 60_000 },
    )
    .toBeTruthy();
  const visitor = await visit({});
  await signIn(visitor);
  const { page } = visitor;
  await page.goto(`/archive/mailboxes/${imported.mailboxId}/messages`);
  await page.getByLabel('Reason for looking').fill('Audit of the archive');
  await page.keyboard.press('Enter');
  await page.getByLabel('Words of the subject').fill('warehouse');
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: 'Messages' }).getByText('Lease of the warehouse').first().click();
  await page.getByRole('region', { name: 'Reading pane' }).getByText('The lease for the warehouse runs for ten years.').waitFor();
  expectNoFaults(visitor);
});

test.each(['en', 'de'] as const)('mail is chosen for an import (%s)', async (language) => {
  const visitor = await visit({ language });
  await signIn(visitor);
  const { page } = visitor;
  await page.goto('/archive/jobs');
  await page.getByRole('button', { name: language === 'en' ? 'Import mail' : 'E-Mails importieren' }).click();
  await page.getByRole('dialog').getByRole('radio').first().waitFor();
  await settle(visitor);
  expect(await accessibilityFaults(page)).toEqual([]);
  await takePicture(page, `import-mail-${language}`);
  expectNoFaults(visitor);
});
