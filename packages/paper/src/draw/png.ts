import { crc32, deflateSync } from 'node:zlib';
import type { Canvas } from './canvas.ts';

const SIGNATURE = Buffer.from('\u0089PNG\r\n\u001A\n', 'latin1');
/** Eight bits a channel, red, green and blue. */
const DEPTH = 8;
const TRUE_COLOUR = 2;

function chunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(4);
  frame.writeUInt32BE(data.byteLength);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([frame, named, check]);
}

/** Writes pixels as a PNG file. */
export function pngOf({ width, height, pixels }: Canvas): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([DEPTH, TRUE_COLOUR], 8);
  const line = width * 3;
  // Each line begins with its filter: none.
  const lines = Buffer.alloc((line + 1) * height);
  for (let y = 0; y < height; y += 1) lines.set(pixels.subarray(y * line, (y + 1) * line), y * (line + 1) + 1);
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', deflateSync(lines)), chunk('IEND', new Uint8Array())]);
}
