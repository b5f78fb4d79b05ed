import { sha256Hex } from '@holdfast/foundation/bytes';
import { PartError, type Document, type DocumentPart } from './part/document-part.ts';
import { formatOf, isScan } from './format-of.ts';
import { openCompoundFile, type CompoundFile } from './formats/compound-file.ts';
import { readExcel97 } from './formats/excel97.ts';
import { readHtml } from './formats/html.ts';
import { readClearLabels, readOlderLabels, readPackageLabels } from './formats/labels.ts';
import { readMail, readOutlookMessage } from './formats/mail.ts';
import { readDocx, readPptx, readXlsx } from './formats/office.ts';
import { readOpenDocument } from './formats/open-document.ts';
import { readPdf } from './formats/pdf.ts';
import { readFolded, readPlain, readUnknown } from './formats/plain.ts';
import { readPowerPoint97 } from './formats/powerpoint97.ts';
import { readRtf } from './formats/rtf.ts';
import { readWord97 } from './formats/word97.ts';
import { readXml } from './formats/xml.ts';
import { openZip, type ZipFile } from './formats/zip-file.ts';
import { MOST_BYTES, MOST_DEPTH, MOST_PARTS } from './part/limits.ts';
import { createBudget, createTextSink, type Budget, type Found, type TextSink } from './part/text-sink.ts';

async function readFiles(zip: ZipFile, sink: TextSink): Promise<void> {
  for (const name of zip.names.filter((one) => !one.endsWith('/'))) {
    const bytes = await zip.read(name);
    if (bytes) sink.inside({ name, bytes });
  }
}

async function readZip(bytes: Uint8Array, sink: TextSink): Promise<void> {
  const zip = await openZip(bytes, sink);
  const has = (name: string): boolean => zip.names.includes(name);
  if (has('[Content_Types].xml')) await readPackageLabels(zip, sink);
  if (has('word/document.xml')) await readDocx(zip, sink);
  else if (has('xl/workbook.xml')) await readXlsx(zip, sink);
  else if (has('ppt/presentation.xml')) await readPptx(zip, sink);
  else if (has('META-INF/manifest.xml') && has('content.xml')) await readOpenDocument(zip, sink);
  else await readFiles(zip, sink);
}

async function readCompound(file: CompoundFile, sink: TextSink): Promise<void> {
  const has = (path: string): boolean => file.paths.includes(path);
  if (has('EncryptedPackage')) {
    await readClearLabels(file, sink);
    throw new PartError('encrypted', 'it needs a password');
  }
  readOlderLabels(file, sink);
  if (has('WordDocument')) readWord97(file, sink);
  else if (has('Workbook') || has('Book')) readExcel97(file, sink);
  else if (has('PowerPoint Document')) readPowerPoint97(file, sink);
  else if (has('__properties_version1.0')) readOutlookMessage(file, sink);
  else throw new PartError('unsupported', 'it is no document of Word, Excel, PowerPoint or Outlook');
}

async function readFormat({ name, bytes }: Document, sink: TextSink): Promise<void> {
  switch (formatOf(name, bytes)) {
    case 'zip':
      return readZip(bytes, sink);
    case 'compound':
      return readCompound(openCompoundFile(bytes), sink);
    case 'pdf':
      return readPdf(bytes, sink);
    case 'rtf':
      return readRtf(bytes, sink);
    case 'html':
      return readHtml(bytes, sink);
    case 'xml':
      return readXml(bytes, sink);
    case 'mail':
      return readMail(bytes, sink);
    case 'folded':
      return readFolded(bytes, sink);
    case 'plain':
      return readPlain(bytes, sink);
    case 'picture':
      return undefined;
    case 'unknown':
      return readUnknown(bytes, sink);
  }
}

function failureOf(error: unknown): Pick<DocumentPart, 'state' | 'reason'> {
  if (error instanceof PartError) return { state: error.state, reason: error.message };
  return { state: 'failed', reason: error instanceof Error ? error.message : String(error) };
}

/** What its format has said of labels. A format that says nothing has none, unless what would say so could not be read. */
function labelsIn(sink: Found, failure: Pick<DocumentPart, 'state'> | undefined): Pick<DocumentPart, 'labels'> {
  const said = sink.labelled();
  if (said !== undefined) return said === null ? {} : { labels: said };
  return failure === undefined || failure.state === 'unsupported' ? { labels: [] } : {};
}

async function readPart(document: Document, path: readonly string[], budget: Budget): Promise<DocumentPart[]> {
  budget.parts -= 1;
  if (document.bytes.byteLength > MOST_BYTES) return [{ path, state: 'tooLarge', text: '', reason: 'it is too large' }];
  if (path.length > MOST_DEPTH) return [{ path, state: 'tooLarge', text: '', reason: 'it lies too deep inside other documents' }];
  const sink = createTextSink(budget);
  const failure = await readFormat(document, sink).then(() => undefined, failureOf);
  // Carriers have no words of their own; what is in them says how it ended.
  const text = sink.found();
  const invoice = sink.invoiced();
  const hasNoText = !failure && text.trim() === '';
  const scan = hasNoText && path.length === 1 && isScan(document) ? { scan: sha256Hex(document.bytes) } : {};
  const said = { path, text, ...scan, ...(invoice ? { invoice } : {}), ...labelsIn(sink, failure) };
  const own: DocumentPart = failure ? { ...said, ...failure } : { ...said, state: hasNoText ? 'noText' : 'indexed' };
  const inside: DocumentPart[] = [];
  for (const one of sink.documents) {
    if (budget.parts <= 0) {
      inside.push({ path: [...path, one.name], state: 'tooLarge', text: '', reason: 'there are more documents in it than are read' });
      break;
    }
    inside.push(...(await readPart(one, [...path, one.name], budget)));
  }
  return [own, ...inside];
}

/** Reads a document and everything inside it. Runs where it may be killed: a document can be made to take for ever. */
export function readDocument(document: Document): Promise<readonly DocumentPart[]> {
  return readPart(document, [document.name], createBudget(MOST_PARTS));
}
