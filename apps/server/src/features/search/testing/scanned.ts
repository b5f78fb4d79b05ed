import { crc32 } from 'node:zlib';
import { createCanvas, type Canvas } from '@napi-rs/canvas';

/** Lines of text as pixels. */
function drawn(lines: readonly string[]): Canvas {
  const canvas = createCanvas(1_240, 200 + lines.length * 70);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = 'black';
  context.font = '40px sans-serif';
  for (const [index, line] of lines.entries()) context.fillText(line, 100, 120 + index * 70);
  return canvas;
}

/** A photo of a text. */
export const aPicture = (...lines: readonly string[]): Buffer => drawn(lines).toBuffer('image/png');

/** A PDF as scanners write it: each page is one picture, and no text is in it. */
export function aScan(...pages: readonly (readonly string[])[]): Buffer {
  const parts: Buffer[] = [];
  const add = (text: string): number => parts.push(Buffer.from(text, 'latin1'));
  const kids = pages.map((_, index) => `${10 + index * 3} 0 R`).join(' ');
  add(`%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n`);
  add(`2 0 obj\n<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>\nendobj\n`);
  for (const [index, lines] of pages.entries()) {
    const at = 10 + index * 3;
    const canvas = drawn(lines);
    const { width, height } = canvas;
    const show = `q ${width / 2} 0 0 ${height / 2} 0 0 cm /X Do Q`;
    const resources = `<< /XObject << /X ${at + 2} 0 R >> >>`;
    add(`${at} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width / 2} ${height / 2}] /Contents ${at + 1} 0 R `);
    add(`/Resources ${resources} >>\nendobj\n${at + 1} 0 obj\n<< /Length ${show.length} >>\nstream\n${show}\nendstream\nendobj\n`);
    const photo = canvas.toBuffer('image/jpeg');
    add(`${at + 2} 0 obj\n<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 `);
    add(`/Filter /DCTDecode /Length ${photo.byteLength} >>\nstream\n`);
    parts.push(photo);
    add('\nendstream\nendobj\n');
  }
  add('trailer << /Root 1 0 R >>\n%%EOF\n');
  return Buffer.concat(parts);
}

/** A picture that says it is as large as a town. */
export function aHugePicture(): Buffer {
  const chunk = (kind: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.byteLength, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(200_000, 0);
  header.writeUInt32BE(200_000, 4);
  const start = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', Buffer.alloc(64)), chunk('IEND', Buffer.alloc(0))]);
}
