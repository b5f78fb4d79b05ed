import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 480;
const HEIGHT = 320;
const PAPER = [250, 248, 240] as const;
const WALL = [40, 44, 52] as const;
const WALL_PIXELS = 6;

interface Room {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly colour: readonly [number, number, number];
}

const ROOMS: readonly Room[] = [
  { left: 20, top: 20, right: 250, bottom: 190, colour: [203, 221, 240] },
  { left: 250, top: 20, right: 460, bottom: 130, colour: [214, 234, 206] },
  { left: 250, top: 130, right: 460, bottom: 300, colour: [246, 224, 190] },
  { left: 20, top: 190, right: 250, bottom: 300, colour: [234, 210, 224] },
];

function colourAt(x: number, y: number): readonly [number, number, number] {
  const room = ROOMS.find(({ left, top, right, bottom }) => x >= left && x < right && y >= top && y < bottom);
  if (!room) return PAPER;
  const toWall = Math.min(x - room.left, room.right - 1 - x, y - room.top, room.bottom - 1 - y);
  return toWall < WALL_PIXELS / 2 ? WALL : room.colour;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.byteLength + 8);
  whole.writeUInt32BE(data.byteLength);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.byteLength + 4);
  return whole;
}

/** A picture that can be looked at, in PNG: the rooms of an office, always the same. Other pictures here hold noise. */
export function floorPlan(): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2], 8);
  const line = (y: number): number[] => [0, ...Array.from({ length: WIDTH }, (_, x) => colourAt(x, y)).flat()];
  const pixels = Buffer.from(Array.from({ length: HEIGHT }, (_, y) => line(y)).flat());
  const signature = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]);
}
