import type { Received, ReceivedBytes } from './received.ts';

/** The picture of a person or contact, as plain data: one that a client sent, or the one that generated people have. */
export type Picture = 'generated' | ReceivedBytes;

/** 8 by 8 pixels; what they show does not matter. */
const GENERATED = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAABlBMVEX///+/v7+jQ3Y5AAAADklEQVQI12P4AIX8EAgALgAD/aNpbtEAAAAASUVORK5CYII=',
  'base64',
);

export function pictureBytes(received: Received, picture: Picture): Buffer {
  return picture === 'generated' ? GENERATED : received.read(picture);
}
