import { getDocumentProxy } from 'unpdf';
import { PartError } from '../part/document-part.ts';
import type { TextSink } from '../part/text-sink.ts';
import { readPdfLabels } from './labels.ts';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
    if (name === 'PasswordException') throw new PartError('encrypted', 'it needs a password');
    throw new PartError('failed', `the PDF cannot be read: ${message}`);
  }
}

async function readPages(pdf: Pdf, sink: TextSink): Promise<void> {
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    for (const item of items) {
      if ('str' in item) sink.text(item.hasEOL ? `${item.str}\n` : item.str);
    }
    // A form feed ends a page, so that words can be told the page that they are on.
    sink.text('\f');
    page.cleanup();
  }
}

/** The text of the pages, and the files a PDF carries, such as the invoice it is the picture of. */
export async function readPdf(bytes: Uint8Array, sink: TextSink): Promise<void> {
  const pdf = await open(bytes);
  try {
    await readPdfLabels(pdf, sink);
    await readPages(pdf, sink);
    const carried = await pdf.getAttachments();
    for (const [key, { filename }] of carried ?? []) {
      const content = await pdf.getAttachmentContent(key);
      if (!content) continue;
      sink.unpack(content.byteLength);
      sink.inside({ name: filename, bytes: content });
    }
  } finally {
    await pdf.loadingTask.destroy();
  }
}
