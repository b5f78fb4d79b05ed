import type { Document } from './part/document-part.ts';

/** What a document is, by its first bytes and, where they say nothing, by its name. */
export type Format = 'zip' | 'compound' | 'pdf' | 'rtf' | 'html' | 'xml' | 'mail' | 'folded' | 'plain' | 'picture' | 'unknown';

const MAGIC: readonly (readonly [Format, readonly number[]])[] = [
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ['zip', [0x50, 0x4b, 0x05, 0x06]],
  ['compound', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ['rtf', [0x7b, 0x5c, 0x72, 0x74, 0x66]],
  ['picture', [0x89, 0x50, 0x4e, 0x47]],
  ['picture', [0xff, 0xd8, 0xff]],
  ['picture', [0x47, 0x49, 0x46, 0x38]],
  ['picture', [0x49, 0x49, 0x2a, 0x00]],
  ['picture', [0x4d, 0x4d, 0x00, 0x2a]],
];

const ENDINGS: readonly (readonly [Format, RegExp])[] = [
  ['html', /\.(?:html?|xhtml|mht)$/iu],
  ['xml', /\.xml$/iu],
  ['mail', /\.eml$/iu],
  ['folded', /\.(?:ics|vcf|vcard)$/iu],
  ['plain', /\.(?:txt|md|csv|tsv|json|ya?ml|log|ini|conf|css|js|ts|py|sh|ps1|sql|tex|srt)$/iu],
  ['picture', /\.(?:png|jpe?g|gif|bmp|tiff?|webp|heic|svg|mp[34]|m4[av]|mov|avi|wav|ogg|webm|mkv)$/iu],
];

function hasMagic(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

/** A PDF may have anything in its first kilobyte before it says that it is one. */
function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1_024)).includes('%PDF-');
}

export function formatOf(name: string, bytes: Uint8Array): Format {
  const byMagic = MAGIC.find(([, magic]) => hasMagic(bytes, magic))?.[0];
  if (byMagic) return byMagic;
  if (isPdf(bytes)) return 'pdf';
  return ENDINGS.find(([, ending]) => ending.test(name))?.[0] ?? 'unknown';
}

/** Pictures that are no video and no sound, by their names. */
const PICTURE_ENDINGS = /\.(?:png|jpe?g|gif|bmp|tiff?|webp|avif)$/iu;

/** Whether a document without text may show some: a picture, or a PDF of pictures. */
export function isScan({ name, bytes }: Document): boolean {
  const format = formatOf(name, bytes);
  if (format === 'pdf') return true;
  return format === 'picture' && (MAGIC.some(([, magic]) => hasMagic(bytes, magic)) || PICTURE_ENDINGS.test(name));
}
