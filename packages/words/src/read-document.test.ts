import { readFile } from 'node:fs/promises';
import path from 'node:path';
import CFB from 'cfb';
import { describe, expect, it } from 'vitest';
import yazl from 'yazl';
import { readDocument } from './read-document.ts';

const DOCUMENTS = path.join(import.meta.dirname, '..', 'testing', 'documents');

async function partsOf(name: string) {
  return readDocument({ name, bytes: await readFile(path.join(DOCUMENTS, name)) });
}

/** One kind of white space. */
function words(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

async function zipOf(files: Readonly<Record<string, Uint8Array>>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, bytes] of Object.entries(files)) zip.addBuffer(Buffer.from(bytes), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** An older Office file or Outlook message of these streams. */
function compound(streams: Readonly<Record<string, Uint8Array>>): Buffer {
  const file = CFB.utils.cfb_new();
  for (const [name, bytes] of Object.entries(streams)) CFB.utils.cfb_add(file, `/${name}`, Buffer.from(bytes));
  return CFB.write(file, { type: 'buffer' }) as Buffer;
}

describe('the text of a letter, as an office suite saves it', () => {
  const said = [
    'Die Lieferung der Kesselanlage erfolgt im Spätsommer, und zwar nach „Rücksprache“ – spätestens 17 Tage danach.',
    'our conditions of carriage',
  ];
  it.each(['docx', 'doc', 'odt', 'rtf', 'pdf'])('%s', async (ending) => {
    const [part] = await partsOf(`letter.${ending}`);
    expect(part?.state).toBe('indexed');
    for (const sentence of [...said, 'Ventilgehäuse', '1.249,90 €']) expect(words(part?.text ?? '')).toContain(sentence);
    expect(part?.text).not.toContain('HYPERLINK');
  });
});

describe('the cells of a table', () => {
  it.each(['xlsx', 'xls', 'ods'])('%s', async (ending) => {
    const [part] = await partsOf(`table.${ending}`);
    const found = words(part?.text ?? '');
    for (const cell of ['Bauteil', 'Ventilgehäuse', '12', '1249.9', 'Dichtungsring „Größe 7“', '400', '0.35'])
      expect(found).toContain(cell);
  });
});

describe('the texts of slides', () => {
  it.each(['pptx', 'odp'])('%s', async (ending) => {
    const [part] = await partsOf(`slides.${ending}`);
    expect(words(part?.text ?? '')).toMatch(/Übernahme der Kesselanlage Zeitplan bis Spätsommer Offene Punkte: Ventilgehäuse/u);
  });

  it('ppt: texts in both encodings, inside of containers', async () => {
    const atom = (type: number, text: Buffer): Buffer => {
      const head = Buffer.alloc(8);
      head.writeUInt16LE(type, 2);
      head.writeUInt32LE(text.length, 4);
      return Buffer.concat([head, text]);
    };
    const texts = Buffer.concat([
      atom(0x0fa0, Buffer.from('Zeitplan\rbis Spätsommer', 'utf16le')),
      atom(0x0fa8, Buffer.from('Gehäuse', 'latin1')),
    ]);
    const container = atom(0x03e8, texts);
    container.writeUInt16LE(0x0f, 0);
    const [part] = await readDocument({ name: 'a.ppt', bytes: compound({ 'PowerPoint Document': container }) });
    expect(words(part?.text ?? '')).toBe('Zeitplan bis Spätsommer Gehäuse');
  });
});

describe('documents inside of documents', () => {
  it('are read with the way to them', async () => {
    const letter = await readFile(path.join(DOCUMENTS, 'letter.docx'));
    const inner = await zipOf({ 'offers/letter.docx': letter, 'note.txt': Buffer.from('Kurze Notiz') });
    const mail = Buffer.from(
      `From: Anna <anna@contoso.com>\r\nSubject: Offer\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee inside.\r\n--b\r\nContent-Type: application/zip; name=all.zip\r\nContent-Disposition: attachment; filename=all.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${inner.toString('base64')}\r\n--b--\r\n`,
    );
    const parts = await readDocument({ name: 'kept.eml', bytes: mail });
    expect(parts.map(({ path: way, state }) => [way.join(' > '), state])).toEqual([
      ['kept.eml', 'indexed'],
      ['kept.eml > all.zip', 'noText'],
      ['kept.eml > all.zip > offers/letter.docx', 'indexed'],
      ['kept.eml > all.zip > note.txt', 'indexed'],
    ]);
    expect(parts[0]?.text).toContain('See inside.');
  });

  it('a message of Outlook gives its text, its people and what is attached', async () => {
    const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
    const bytes = compound({
      '__properties_version1.0': Buffer.alloc(32),
      '__substg1.0_0037001F': wide('Übergabe'),
      '__substg1.0_0C1A001F': wide('Anna Schmidt'),
      '__substg1.0_1000001F': wide('Am Freitag um neun.'),
      '__attach_version1.0_#00000000/__substg1.0_3707001F': wide('note.txt'),
      '__attach_version1.0_#00000000/__substg1.0_37010102': Buffer.from('Schlüssel beim Pförtner'),
    });
    const parts = await readDocument({ name: 'a.msg', bytes });
    expect(parts.map(({ path: way, text }) => [way.at(-1), words(text)])).toEqual([
      ['a.msg', 'Übergabe Anna Schmidt Am Freitag um neun.'],
      ['note.txt', 'Schlüssel beim Pförtner'],
    ]);
  });

  it('a zip within itself ends, and says where', async () => {
    let zip = await zipOf({ 'core.txt': Buffer.from('core') });
    for (let depth = 0; depth < 12; depth += 1) zip = await zipOf({ 'next.zip': zip });
    const parts = await readDocument({ name: 'bomb.zip', bytes: zip });
    expect(parts.at(-1)).toMatchObject({ state: 'tooLarge', reason: 'it lies too deep inside other documents' });
    expect(parts).toHaveLength(9);
  });

  it('a zip that is huge when unpacked is not unpacked', async () => {
    const parts = await readDocument({ name: 'big.zip', bytes: await zipOf({ 'a.txt': Buffer.alloc(300 * 1024 * 1024) }) });
    expect(parts).toEqual([{ path: ['big.zip'], state: 'tooLarge', text: '', reason: 'it is too large when unpacked' }]);
  }, 60_000);
});

it('text is text, whatever its name is', async () => {
  const [part] = await readDocument({ name: 'NOTES', bytes: Buffer.from('Schlüssel beim Pförtner') });
  expect(part).toMatchObject({ state: 'indexed', text: 'Schlüssel beim Pförtner' });
});

describe('what cannot be read says why', () => {
  it.each([
    ['a.pdf', Buffer.from('%PDF-1.7 but nothing else'), 'failed'],
    ['a.docx', Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), Buffer.from('cut off')]), 'failed'],
    ['a.doc', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]), 'failed'],
    ['a.bin', Buffer.from([0, 1, 2, 3]), 'unsupported'],
    ['a.txt', Buffer.from([65, 0, 66, 0]), 'unsupported'],
    ['photo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d]), 'noText'],
    ['secret.docx', compound({ EncryptedPackage: Buffer.alloc(64) }), 'encrypted'],
  ] as const)('%s', async (name, bytes, state) => {
    const [part] = await readDocument({ name, bytes });
    expect(part?.state).toBe(state);
    expect(part?.reason === undefined).toBe(state === 'noText');
  });
});

describe('the sensitivity labels of a document', () => {
  const GENERAL = '4342314e-0df4-4b58-84bf-38bed6170a0f';
  const SITE = '3dd8961f-e488-4e60-8e11-a82d994e183d';
  const types = Buffer.from('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>');
  const text = Buffer.from('<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>Offer</w:t></w:r></w:p></w:body></w:document>');
  const property = (attribute: string, value: string): string =>
    `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="MSIP_Label_${GENERAL}_${attribute}"><vt:lpwstr>${value}</vt:lpwstr></property>`;
  const properties = Buffer.from(
    `<Properties xmlns="p" xmlns:vt="v">${property('Enabled', 'true')}${property('Name', 'R &amp; D')}${property('SetDate', '2024-12-23T12:50:17Z')}${property('SiteId', SITE)}</Properties>`,
  );
  const info = (removed: string): Buffer =>
    Buffer.from(
      `<?xml version="1.0" encoding="utf-8"?><clbl:labelList xmlns:clbl="http://schemas.microsoft.com/office/2020/mipLabelMetadata"><clbl:label id="{${GENERAL}}" enabled="1" method="Privileged" siteId="{${SITE}}" contentBits="0" removed="${removed}"/></clbl:labelList>`,
    );
  const general = { labelId: GENERAL, name: 'R & D', setAt: '2024-12-23T12:50:17.000Z' };
  const found = async (name: string, bytes: Buffer) => (await readDocument({ name, bytes }))[0]?.labels;
  const office = (main: string, files: Readonly<Record<string, Uint8Array>>) =>
    zipOf({ '[Content_Types].xml': types, [main]: text, ...files });

  it.each(['word/document.xml', 'xl/workbook.xml', 'ppt/presentation.xml', 'visio/document.xml'])(
    'are read from the properties of %s, and from its own part',
    async (main) => {
      expect(await found('a', await office(main, { 'docProps/custom.xml': properties }))).toEqual([general]);
      expect(await found('a', await office(main, { 'docMetadata/LabelInfo.xml': info('0') }))).toEqual([
        { labelId: GENERAL, name: '', setAt: null },
      ]);
      const both = { 'docProps/custom.xml': properties, 'docMetadata/LabelInfo.xml': info('0') };
      expect(await found('a', await office(main, both))).toEqual([general]);
    },
  );

  it('are none where there never was one, and where it was removed', async () => {
    expect(await found('a.docx', await office('word/document.xml', {}))).toEqual([]);
    const removed = { 'docProps/custom.xml': properties, 'docMetadata/LabelInfo.xml': info('1') };
    expect(await found('a.docx', await office('word/document.xml', removed))).toEqual([]);
    for (const name of ['letter.docx', 'letter.doc', 'letter.odt', 'letter.pdf', 'table.xls'])
      expect([name, (await partsOf(name))[0]?.labels]).toEqual([name, []]);
    expect(await found('a.txt', Buffer.from(`MSIP_Label_${GENERAL}_Enabled=true`))).toEqual([]);
    expect(await found('a.bin', Buffer.from([0, 1, 2, 3]))).toEqual([]);
  });

  it('are unknown where they are broken, while the text is read', async () => {
    const [part] = await readDocument({
      name: 'a.docx',
      bytes: await office('word/document.xml', { 'docProps/custom.xml': Buffer.from('<Properties>') }),
    });
    expect(part).toMatchObject({ state: 'indexed', text: expect.stringContaining('Offer') });
    expect(part?.labels).toBeUndefined();
  });

  it('are known of a document that needs a licence only where they are written in the clear', async () => {
    const locked = { EncryptedPackage: Buffer.alloc(64) };
    expect(await found('a.docx', compound({ ...locked, '\u0006DataSpaces/TransformInfo/LabelInfo': info('0') }))).toEqual([
      { labelId: GENERAL, name: '', setAt: null },
    ]);
    expect(await found('a.docx', compound(locked))).toBeUndefined();
    expect(await found('a.docx', Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), Buffer.from('cut off')]))).toBeUndefined();
  });

  it('are unknown of older documents that have some', async () => {
    const letter = await readFile(path.join(DOCUMENTS, 'letter.doc'));
    const file = CFB.read(letter, { type: 'buffer' });
    CFB.utils.cfb_add(file, '/\u0005DocumentSummaryInformation', Buffer.from(`MSIP_Label_${GENERAL}_Enabled`, 'utf16le'));
    const [part] = await readDocument({ name: 'letter.doc', bytes: CFB.write(file, { type: 'buffer' }) as Buffer });
    expect(part?.state).toBe('indexed');
    expect(part?.labels).toBeUndefined();
  });

  it('are in the header of a mail', async () => {
    const labels = `msip_labels: MSIP_Label_${GENERAL}_Enabled=true; MSIP_Label_${GENERAL}_Name=R & D;\r\n MSIP_Label_${GENERAL}_SetDate=2024-12-23T12:50:17Z;`;
    expect(await found('a.eml', Buffer.from(`Subject: Offer\r\n${labels}\r\n\r\nText`))).toEqual([general]);
    expect(await found('a.eml', Buffer.from('Subject: Offer\r\n\r\nText'))).toEqual([]);
  });

  it('are among the properties of a PDF', async () => {
    const pdf = [
      '%PDF-1.4',
      '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
      '2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj',
      '3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>> endobj',
      `4 0 obj <</MSIP_Label_${GENERAL}_Enabled(true)/MSIP_Label_${GENERAL}_Name(R & D)/MSIP_Label_${GENERAL}_SetDate(2024-12-23T12:50:17Z)>> endobj`,
      'trailer <</Root 1 0 R/Info 4 0 R>>',
      '%%EOF',
    ].join('\n');
    expect(await found('a.pdf', Buffer.from(pdf))).toEqual([general]);
  });
});
