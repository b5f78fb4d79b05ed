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

function partsOf(name: string, extension: string): ZipEntry[] {
  const main = MAIN_PART[extension] ?? 'word/document.xml';
  const paragraphs = sentencesOf(name, 5)
    .map((text) => `<p>${text}</p>`)
    .join('');
  return [
    xml(
      '[Content_Types].xml',
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/xml"/></Types>`,
    ),
    xml('docProps/core.xml', `<coreProperties><title>${sentencesOf(name, 1).join('')}</title></coreProperties>`),
    xml(main, `<document>${paragraphs}</document>`),
  ];
}

/**
 * An Office file of exactly `sizeBytes` (at least `SMALLEST_OFFICE_BYTES`): a real ZIP package with a text part, filled
 * up with an embedded picture. The same for the same name, extension and size.
 */
export function officeFile(name: string, extension: string, sizeBytes: number): Buffer {
  const parts = partsOf(name, extension);
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
