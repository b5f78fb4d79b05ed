import type { ZipEntry } from './zip.ts';

const MAIN_PART: Readonly<Record<string, string>> = {
  docx: 'word/document.xml',
  xlsx: 'xl/workbook.xml',
  pptx: 'ppt/presentation.xml',
};

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function xml(name: string, body: string): ZipEntry {
  return { name, data: Buffer.from(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${body}`) };
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const SLIDE = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** Names the part that a program opens next. */
function relation(name: string, kind: string, target: string): ZipEntry {
  return xml(
    name,
    `<Relationships xmlns="${PACKAGE}"><Relationship Id="rId1" Type="${OFFICE}/${kind}" Target="${target}"/></Relationships>`,
  );
}

const CONTENT_TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const TYPE_BEGIN = 'application/vnd.openxmlformats-officedocument';
const TYPES: Readonly<Record<string, string>> = {
  docx: `${TYPE_BEGIN}.wordprocessingml.document.main+xml`,
  xlsx: `${TYPE_BEGIN}.spreadsheetml.sheet.main+xml`,
  pptx: `${TYPE_BEGIN}.presentationml.presentation.main+xml`,
};

/** The part that holds the text, as each program writes it. */
function textParts(extension: string, main: string, texts: readonly string[]): ZipEntry[] {
  const each = (write: (text: string) => string): string => texts.map((text) => write(escaped(text))).join('');
  if (extension === 'xlsx') {
    const rows = each((text) => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`);
    return [
      xml(main, `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>`),
      relation('xl/_rels/workbook.xml.rels', 'worksheet', 'worksheets/sheet1.xml'),
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

function contentTypes(extension: string, main: string): string {
  const sheet =
    extension === 'xlsx' ? `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE_BEGIN}.spreadsheetml.worksheet+xml"/>` : '';
  return `<Types xmlns="${CONTENT_TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/${main}" ContentType="${TYPES[extension] ?? TYPES['docx']}"/>${sheet}</Types>`;
}

/** The part that an Office file of a format begins with. */
export function mainPartOf(extension: string): string {
  return MAIN_PART[extension] ?? 'word/document.xml';
}

/** The parts of a document, table or set of slides that says these texts: one paragraph, row or line each. */
export function officeParts(extension: string, title: string, texts: readonly string[]): ZipEntry[] {
  const main = mainPartOf(extension);
  return [
    xml('[Content_Types].xml', contentTypes(extension, main)),
    relation('_rels/.rels', 'officeDocument', main),
    xml(
      'docProps/core.xml',
      `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escaped(title)}</dc:title></cp:coreProperties>`,
    ),
    ...textParts(extension, main, texts),
  ];
}
