import { contentKey, randomBytesOf } from './random-bytes.ts';
import { sentencesOf } from './text-file.ts';
import { mainPartOf, officeParts } from '../content/office-parts.ts';
import { ZIP_END_BYTES, addZipEntry, makeZip, zipOverhead } from '../content/zip.ts';

/** Nothing smaller is a complete Office file. */
export const SMALLEST_OFFICE_BYTES = 4096;

const OFFICE = new Set(['docx', 'xlsx', 'pptx']);

/** True for the formats that SharePoint opens and rewrites. */
export function isOffice(fileName: string): boolean {
  return OFFICE.has(fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase());
}

/**
 * An Office file of exactly `sizeBytes` (at least `SMALLEST_OFFICE_BYTES`): a real ZIP package with a text part, filled
 * up with an embedded picture. The same for the same name, extension and size.
 */
export function officeFile(name: string, extension: string, sizeBytes: number, texts: readonly string[] = sentencesOf(name, 5)): Buffer {
  const parts = officeParts(extension, sentencesOf(name, 1).join(''), texts);
  const media = `${mainPartOf(extension).split('/')[0] ?? 'word'}/media/image1.png`;
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
