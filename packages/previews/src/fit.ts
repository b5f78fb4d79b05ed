import type { PictureSize } from './drawing.ts';
import { MOST_HEIGHT, MOST_WIDTH, SCAN_HEIGHT, SCAN_WIDTH, THUMBNAIL_HEIGHT, THUMBNAIL_WIDTH } from './limits.ts';

/** Width and height in pixels. */
export interface Area {
  readonly width: number;
  readonly height: number;
}

const bounds: Readonly<Record<PictureSize, Area>> = {
  page: { width: MOST_WIDTH, height: MOST_HEIGHT },
  scan: { width: SCAN_WIDTH, height: SCAN_HEIGHT },
  thumbnail: { width: THUMBNAIL_WIDTH, height: THUMBNAIL_HEIGHT },
};

/** How much an area grows or shrinks to be as large as a picture may be. */
export function scaleOf(natural: Area, size: PictureSize): number {
  return Math.min(bounds[size].width / natural.width, bounds[size].height / natural.height);
}

/** Whole pixels of a scaled area: one at least, whatever shape it has. */
export function pixelsOf({ width, height }: Area, scale: number): Area {
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}
