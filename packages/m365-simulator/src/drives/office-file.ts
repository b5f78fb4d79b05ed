import { contentKey, randomBytesOf } from './random-bytes.ts';
import { sentencesOf } from './text-file.ts';
import { type ZipEntry, ZIP_END_BYTES, addZipEntry, makeZip, zipOverhead } from './zip.ts';

/** Nothing smaller is a complete Office file. */
export const SMALLEST_OFFICE_BYTES = 4096;

const OFFICE = new Set(['docx', 'xlsx', 'pptx']);

/** True for the formats that SharePoint opens and rewrites. */
export function isOffice(fileName: string): boolean {
  return OFFICE.has(fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase());
}

const MAIN_PART: Readonly<Record<string, string>> = {
  docx: 'word/document.xml',
  xlsx: 'xl/workbook.xml',
  pptx: 'ppt/presentation.xml',
};

function xml(name: string, body: string): ZipEntry {
  return { name, data: Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${body}`) };
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const SLIDE = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';

/** The part that holds the text, as each program writes it. */
function textParts(extension: string, main: string, texts: readonly string[]): ZipEntry[] {
  const each = (write: (text: string) => string): string => texts.map(write).join('');
  if (extension === 'xlsx') {
    const rows = each((text) => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`);
    return [
      xml(main, `<workbook xmlns="${SHEET}"><sheets><sheet name="1" sheetId="1"/></sheets></workbook>`),
      xml('xl/worksheets/sheet1.xml', `<worksheet xmlns="${SHEET}"><sheetData>${rows}</sheetData></worksheet>`),
    ];
  }
  if (extension === 'pptx') {
    const paragraphs = each((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`);
    return [
      xml(main, `<p:presentation xmlns:p="${SLIDE}"/>`),
      xml('ppt/slides/slide1.xml', `<p:sld xmlns:p="${SLIDE}" xmlns:a="${DRAWING}"><p:txBody>${paragraphs}</p:txBody></p:sld>`),
    ];
  }
  const paragraphs = each((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`);
  return [xml(main, `<w:document xmlns:w="${WORD}"><w:body>${paragraphs}</w:body></w:document>`)];
}

function partsOf(name: string, extension: string, texts: readonly string[]): ZipEntry[] {
  const main = MAIN_PART[extension] ?? 'word/document.xml';
  return [
    xml(
      '[Content_Types].xml',
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/xml"/></Types>`,
    ),
    xml('docProps/core.xml', `<coreProperties><title>${sentencesOf(name, 1).join('')}</title></coreProperties>`),
    ...textParts(extension, main, texts),
  ];
}

/**
 * An Office file of exactly `sizeBytes` (at least `SMALLEST_OFFICE_BYTES`): a real ZIP package with a text part, filled
 * up with an embedded picture. The same for the same name, extension and size.
 */
export function officeFile(name: string, extension: string, sizeBytes: number, texts: readonly string[] = sentencesOf(name, 5)): Buffer {
  const parts = partsOf(name, extension, texts);
  const media = `${(MAIN_PART[extension] ?? 'word/').split('/')[0] ?? 'word'}/media/image1.png`;
  const taken = parts.reduce((sum, part) => sum + zipOverhead(part.name) + part.data.byteLength, ZIP_END_BYTES + zipOverhead(media));
  const filler = Buffer.concat([...randomBytesOf(contentKey(name), 0, Math.max(0, sizeBytes - taken))]);
  return makeZip([...parts, { name: media, data: filler }]);
}

/** What SharePoint makes of an uploaded Office file: its own properties inside, so that size and hash differ. */
export function rewriteOffice(file: Buffer, itemGuid: string): Buffer {
  const entry = {
    name: 'docProps/custom.xml',
    data: Buffer.from(`<Properties><ContentTypeId>0x0101</ContentTypeId><Id>${itemGuid}</Id></Properties>`),
  };
  const again = { name: `customXml/item-${file.byteLength}.xml`, data: entry.data };
  const isThere = file.includes(entry.name);
  return addZipEntry(file, isThere ? again : entry) ?? Buffer.concat([file, entry.data]);
}
