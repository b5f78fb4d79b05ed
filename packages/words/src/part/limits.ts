/** The largest document that is read. */
export const MOST_BYTES = 100 * 1024 * 1024;
/** What the files inside of a document may come to together, unpacked. */
export const MOST_UNPACKED = 256 * 1024 * 1024;
/** Text of a document and everything inside it. */
export const MOST_CHARACTERS = 20_000_000;
/** Documents inside of documents. */
export const MOST_DEPTH = 8;
export const MOST_PARTS = 10_000;
export const MOST_MS = 30_000;
export const MOST_HEAP_MB = 512;
