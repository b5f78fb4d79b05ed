import { deflateSync } from 'node:zlib';

/** A PDF of one page; `objects` are added to it as they are. */
export function aPdf({
  objects = [],
  catalog = '',
  trailer = '',
}: { objects?: readonly (string | Buffer)[]; catalog?: string; trailer?: string } = {}): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')];
  const own = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
  ];
  const offsets: number[] = [];
  for (const [index, object] of [...own, ...objects].entries()) {
    offsets.push(Buffer.concat(parts).byteLength);
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object as string, 'latin1'), Buffer.from('\nendobj\n'));
  }
  const at = Buffer.concat(parts).byteLength;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows}trailer << /Size ${offsets.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** An object stream that holds `text` as object 50. */
export function anObjectStream(text: string, dictionary = '/Filter /FlateDecode', pack: (plain: Buffer) => Buffer = deflateSync): Buffer {
  const packed = pack(Buffer.from(`50 0 ${text}`, 'latin1'));
  return Buffer.concat([
    Buffer.from(`<< /Type /ObjStm /N 1 /First 5 ${dictionary} /Length ${packed.byteLength} >>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ]);
}
