/** The largest file that a picture is made of. */
export const MOST_BYTES = 32 * 1024 * 1024;
/** A PDF file that claims more pages is not drawn. */
export const MOST_PAGES = 2_000;
/** Pixels of a drawing, whatever size its page claims. */
export const MOST_WIDTH = 1_600;
export const MOST_HEIGHT = 2_400;
/** Pixels of a thumbnail: what a tile shows, twice as fine for dense screens. */
export const THUMBNAIL_WIDTH = 320;
export const THUMBNAIL_HEIGHT = 240;
/** Pixels of a page whose letters are recognised: 300 an inch of A4. */
export const SCAN_WIDTH = 2_480;
export const SCAN_HEIGHT = 3_508;
/** Characters of the words of a page. */
export const MOST_CHARACTERS = 100_000;
export const MOST_MS = 30_000;
/** All that the drawing process may take: its program, its heap and its pixels. */
export const MOST_MB = 256;
export const MOST_HEAP_MB = 128;
/** A process that nobody needs is ended after this. */
export const IDLE_MS = 60_000;
/** Questions that wait for the drawing process; a further one is turned away. */
export const MOST_WAITING = 16;
