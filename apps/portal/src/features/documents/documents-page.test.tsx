import { fireEvent, screen } from '@testing-library/react';
import { documents } from '@holdfast/contract/documents';
import type { DocumentFile } from '@holdfast/contract/documents';
import type { DrawnPage } from '@holdfast/contract/values';
import { expect, test } from 'vitest';
import { now } from '../../testing/samples.ts';
import { aSignedInApi, renderPage } from '../../testing/render-page.tsx';
import DocumentsPage from './documents-page.tsx';
import ReportFilesPage from './reports-page.tsx';

const aFile: DocumentFile = {
  abbr: 'contoso',
  fileName: 'Contract.pdf',
  documentType: 'document',
  size: 2_048,
  uploadedBy: 'ann@contoso.example',
  uploadedAt: now,
};
const pageOf = (...items: DocumentFile[]) => ({ items, nextCursor: null, total: items.length });

test('a file is deleted after a question that names it', async () => {
  const api = aSignedInApi().on(documents.documents, pageOf(aFile)).on(documents.remove, undefined);
  const page = await renderPage(<DocumentsPage />, { path: '/documents', api });
  await page.user.click(await screen.findByRole('button', { name: 'Delete Contract.pdf' }));
  expect(await screen.findByText('Delete "Contract.pdf"?')).toBeTruthy();
  expect(screen.getByText('It is removed for all users.')).toBeTruthy();
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Delete' }));
  await expect.poll(() => api.bodies).toContainEqual({ fileName: 'Contract.pdf', abbr: 'contoso', documentType: 'document' });
});

test('a file must be selected, be a PDF and fit; then it is sent', async () => {
  const api = aSignedInApi().on(documents.documents, pageOf()).on(documents.upload, aFile);
  const page = await renderPage(<DocumentsPage />, { path: '/documents', api });
  expect(await screen.findByText(/No documents yet/)).toBeTruthy();
  await page.user.click(screen.getByRole('button', { name: 'Upload PDF' }));
  await screen.findByText('Upload a PDF file');
  const send = (): HTMLElement => screen.getAllByRole('button', { name: 'Upload PDF' }).at(-1) as HTMLElement;
  const input = document.querySelector('input[type=file]') as HTMLInputElement;
  await page.user.click(send());
  expect(await screen.findByText('Please select a file.')).toBeTruthy();
  await page.user.upload(input, new File([new Uint8Array(3 * 1024 * 1024 + 1)], 'large.pdf', { type: 'application/pdf' }));
  expect(await screen.findByText('The file is larger than 3 MB.')).toBeTruthy();
  await page.user.upload(input, new File(['%PDF-'], 'Contract.pdf', { type: 'application/pdf' }));
  await page.checkAccessibility();
  await page.user.click(send());
  await expect.poll(() => api.calls.filter((call) => call.startsWith('POST'))).toEqual(['POST /api/files/upload-file']);
});

test('a file on its way shows how much of it has left', async () => {
  const api = aSignedInApi().on(documents.documents, pageOf()).on(documents.upload, aFile);
  const answered = Promise.withResolvers<void>();
  const fetching: typeof fetch = async (input, init) => {
    if (init?.method === 'POST') await answered.promise;
    return await api.fetch(input, init);
  };
  const page = await renderPage(<DocumentsPage />, { path: '/documents', api: { ...api, fetch: fetching } });
  await page.user.click(await screen.findByRole('button', { name: 'Upload PDF' }));
  await screen.findByText('Upload a PDF file');
  await page.user.upload(
    document.querySelector('input[type=file]') as HTMLInputElement,
    new File(['%PDF-'], 'Contract.pdf', { type: 'application/pdf' }),
  );
  await page.user.click(screen.getAllByRole('button', { name: 'Upload PDF' }).at(-1) as HTMLElement);
  expect(await screen.findByText('50% uploaded')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Uploading Contract.pdf' }).getAttribute('aria-valuenow')).toBe('0.5');
  await page.checkAccessibility();
  answered.resolve();
  await expect.poll(() => screen.queryByText('Upload a PDF file')).toBeNull();
});

test('what the server finds in the file is said at the file', async () => {
  const message = 'Die Datei ist verschlüsselt.';
  const api = aSignedInApi()
    .on(documents.reports, pageOf())
    .fail(documents.upload, 400, { code: 'documents.encrypted', message, errors: { file: [message] } });
  const page = await renderPage(<ReportFilesPage />, { path: '/reports?tab=files', api, language: 'de' });
  await page.user.click(await screen.findByRole('button', { name: 'PDF hochladen' }));
  await screen.findByText('PDF-Datei hochladen');
  await page.user.upload(
    document.querySelector('input[type=file]') as HTMLInputElement,
    new File(['%PDF-'], 'a.pdf', { type: 'application/pdf' }),
  );
  await page.user.click(screen.getAllByRole('button', { name: 'PDF hochladen' }).at(-1) as HTMLElement);
  expect((await screen.findAllByText(message)).length).toBeGreaterThan(0);
});

test('who may only read finds no way to upload or delete', async () => {
  const api = aSignedInApi().on(documents.documents, pageOf(aFile));
  await renderPage(<DocumentsPage />, { path: '/documents', api, role: 'reader' });
  expect(await screen.findByRole('button', { name: 'Download Contract.pdf' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete Contract.pdf' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Upload PDF' })).toBeNull();
});

/** One pixel, as the server would draw a page. */
const pixel = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==';
const pageNumbered = (number: string): DrawnPage => ({
  pages: 2,
  width: 1_600,
  height: 2_262,
  picture: pixel,
  words: `Words of page ${number}`,
});

test('a file is viewed page by page as pictures of the server, with its words, and never loaded itself', async () => {
  const api = aSignedInApi()
    .on(documents.documents, pageOf(aFile))
    .on(documents.page, ({ params }) => pageNumbered(params['page'] ?? ''));
  const page = await renderPage(<DocumentsPage />, { path: '/documents', api });
  await page.user.click(await screen.findByText('Contract.pdf'));
  expect((await screen.findByText('Page 1 of 2')).getAttribute('role')).toBe('status');
  expect(screen.getByRole<HTMLImageElement>('img', { name: 'Page 1 of 2' }).src).toBe(`data:image/webp;base64,${pixel}`);
  expect(screen.getByText('Words of page 1')).toBeTruthy();
  expect(document.querySelector('iframe, embed, object')).toBeNull();
  await page.checkAccessibility();
  await page.user.click(screen.getByRole('button', { name: 'Next page' }));
  expect(await screen.findByText('Words of page 2')).toBeTruthy();
  expect(screen.queryByText('Words of page 1')).toBeNull();
  expect(screen.getByRole('button', { name: 'Next page' }).getAttribute('aria-disabled')).toBe('true');
  const asked = api.calls.filter((call) => call.includes('/files/') && !call.includes('/contoso/document?'));
  expect(asked).toEqual([1, 2].map((number) => `GET /api/files/page/Contract.pdf/contoso/document/${number}`));
});

test('a file that cannot be shown says so and can still be downloaded', async () => {
  const message = 'This file cannot be shown here. Download it to read it.';
  const api = aSignedInApi().on(documents.documents, pageOf(aFile)).fail(documents.page, 422, { code: 'documents.not-shown', message });
  const page = await renderPage(<DocumentsPage />, { path: '/documents', api });
  await page.user.click(await screen.findByText('Contract.pdf'));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy();
  expect(screen.queryByRole('img')).toBeNull();
});

test('a file is dropped where it is asked for', async () => {
  const api = aSignedInApi().on(documents.documents, pageOf());
  const page = await renderPage(<DocumentsPage />, { path: '/documents', api });
  await page.user.click(await screen.findByRole('button', { name: 'Upload PDF' }));
  const place = await screen.findByText(/Drop a PDF file here/);
  fireEvent.drop(place, { dataTransfer: { files: [new File(['<html>'], 'page.html')] } });
  expect(await screen.findByText('Only PDF files are allowed.')).toBeTruthy();
  fireEvent.drop(place, { dataTransfer: { files: [new File(['%PDF-'], 'Dropped.pdf')] } });
  expect(await screen.findByText('Dropped.pdf')).toBeTruthy();
  expect(screen.queryByText('Only PDF files are allowed.')).toBeNull();
});
