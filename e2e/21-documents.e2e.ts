import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { demoOwner } from '../tools/demo.ts';
import { openOffice } from './support/backups.ts';
import { expectNoFaults, settle, useBrowser, visit } from './support/browser.ts';
import { button, look, phrases } from './support/people.ts';
import { signIn } from './support/sign-in.ts';

useBrowser();

const letter = path.resolve(import.meta.dirname, '../packages/words/testing/documents/letter.pdf');
const tooLarge = { name: 'large.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(3 * 1024 * 1024 + 1, '%PDF-1.7\n') };
const noPdf = { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<html><script>alert(1)</script></html>') };

/** What the audit log says happened to a file of this name, the oldest first. */
async function logged(name: string): Promise<readonly string[]> {
  const { api, tenantId } = await openOffice();
  const { items } = await api.get<{ items: readonly { event: string; subjectName: string | null }[] }>(
    `/apollo/api/${tenantId}/audit?limit=200`,
  );
  return items.flatMap(({ event, subjectName }) => (subjectName === name ? [event] : [])).toReversed();
}

test.each(['en', 'de'] as const)(
  'a PDF file is uploaded, read page by page, downloaded and deleted, and what is none is refused in words (%s)',
  async (language) => {
    const text = phrases[language];
    const name = language === 'en' ? 'Contract 2026.pdf' : 'Übergabe 2026.pdf';
    const visitor = await visit({ language });
    await signIn(visitor);
    const { page } = visitor;
    await page.goto('/documents');
    await page.getByText(text.documents.emptyDocuments).waitFor();
    await settle(visitor);
    await look(visitor, `documents-empty-${language}`);

    await button(page, text.documents.upload).click();
    const drawer = page.getByRole('dialog');
    const send = button(drawer, text.documents.upload);
    const choice = drawer.locator('input[type=file]');
    await send.click();
    await drawer.getByText(text.errors['documents.file-required']).waitFor();
    await choice.setInputFiles(noPdf);
    await drawer.getByText(text.errors['documents.pdf-only']).waitFor();
    await choice.setInputFiles(tooLarge);
    await drawer.getByText(text.errors['documents.too-large']).waitFor();
    await look(visitor, `documents-refused-${language}`);
    await choice.setInputFiles({ name, mimeType: 'application/pdf', buffer: await readFile(letter) });
    await send.click();
    await page.getByText(text.successes.fileUploaded).first().waitFor();

    const row = page.getByRole('row').filter({ hasText: name });
    await row.waitFor();
    for (const cell of [name, text.documents.document, demoOwner.email]) await row.getByText(cell).first().waitFor();
    await settle(visitor);
    await look(visitor, `documents-list-${language}`);

    await row.getByText(name).first().click();
    const pageOf = (number: number) => text.documents.pageOf.replace('{{number}}', String(number)).replace('{{count}}', '2');
    await page.getByRole('img', { name: pageOf(1) }).waitFor();
    await settle(visitor);
    await look(visitor, `documents-view-${language}`);
    await button(page, text.documents.nextPage).click();
    await page.getByRole('img', { name: pageOf(2) }).waitFor();
    await page.getByText('Die Lieferung der Kesselanlage erfolgt im Spätsommer', { exact: false }).waitFor({ state: 'attached' });
    const width = `document.querySelector('img[src^="data:image/webp"]')?.naturalWidth`;
    await expect.poll(async () => await page.evaluate<number>(width)).toBe(1_600);
    await settle(visitor);

    const coming = page.waitForEvent('download');
    await button(page.getByRole('dialog'), text.documents.download).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe(name);
    expect(Buffer.compare(await readFile(await download.path()), await readFile(letter))).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await button(page, text.documents.deleteNamed.replace('{{name}}', name)).click();
    await page.getByText(text.confirmations.deleteDocumentText).waitFor();
    await settle(visitor);
    await look(visitor, `documents-delete-${language}`);
    await button(page, text.common.delete).click();
    await page.getByText(text.documents.emptyDocuments).waitFor();
    await expect
      .poll(() => logged(name), { timeout: 30_000 })
      .toEqual(['documents.added', 'documents.viewed', 'documents.viewed', 'documents.downloaded', 'documents.deleted']);
    expectNoFaults(visitor);
  },
);
