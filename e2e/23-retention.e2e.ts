import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, inject, test } from 'vitest';
import { archiveMail } from '../tools/demo.ts';
import { endOfBackup, openOffice } from './support/backups.ts';
import { accessibilityFaults, expectNoFaults, settle, takePicture, useBrowser, visit } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';

useBrowser();

beforeAll(async () => {
  const office = await openOffice();
  await endOfBackup(office, 'exchange');
  await archiveMail(inject('productAddress'));
  for (;;) {
    const path = `/apollo/api/${office.tenantId}/archive/mailboxes?limit=50`;
    const { items } = await office.api.get<{ readonly items: readonly { readonly messages: number }[] }>(path);
    if (items.some(({ messages }) => messages > 5)) return;
    await pause(500);
  }
});

const words = {
  en: {
    create: 'New policy',
    template: 'Books and accounts: 10 years',
    save: 'Save draft',
    preview: 'Preview',
    years: 'Messages by year of receipt',
    activate: 'Ask for activation',
    waits: 'Waits for approval',
    record: 'Record an event',
    missing: 'The description must not be empty.',
  },
  de: {
    create: 'Neue Richtlinie',
    template: 'Belege und Rechnungen: 8 Jahre',
    save: 'Entwurf speichern',
    preview: 'Vorschau',
    years: 'Nachrichten nach Jahr des Eingangs',
    activate: 'Aktivierung beantragen',
    waits: 'Wartet auf Genehmigung',
    record: 'Ereignis erfassen',
    missing: 'Die Beschreibung darf nicht leer sein.',
  },
} as const;

test.each([
  ['en', 'light', 1440],
  ['de', 'dark', 390],
] as const)(
  'a policy is drafted from a template, previewed, and its activation asked for (%s, %s, %i wide)',
  async (language, theme, width) => {
    const said = words[language];
    const visitor = await visit({ language, theme, width });
    await signIn(visitor);
    const { page } = visitor;
    await page.goto('/configuration/retention');
    await page.getByRole('button', { name: said.create }).first().waitFor();
    await settle(visitor);
    await takePicture(page, `retention-${language}`);
    await page.getByRole('button', { name: said.create }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: said.template }).click();
    await settle(visitor);
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, `retention-form-${language}`);
    await drawer.getByRole('button', { name: said.save }).click();
    await page.getByRole('button', { name: said.preview, exact: true }).click();
    await page.getByText(said.years).waitFor();
    await settle(visitor);
    expect(await accessibilityFaults(page)).toEqual([]);
    await takePicture(page, `retention-preview-${language}`);
    await page.getByRole('button', { name: said.activate }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: said.activate }).click();
    await page.getByText(said.waits).first().waitFor();
    await page.goto('/configuration/retention');
    await page.getByRole('button', { name: said.record }).click();
    await page.getByRole('dialog').getByRole('button', { name: said.record }).click();
    await page.getByRole('dialog').getByText(said.missing).first().waitFor();
    await settle(visitor);
    await takePicture(page, `retention-event-${language}`);
    expectNoFaults(visitor);
  },
);
