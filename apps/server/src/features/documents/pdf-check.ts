import { inflateSync } from 'node:zlib';

/** Why a file is not taken. */
export type PdfProblem = 'content-mismatch' | 'active-content' | 'encrypted';

const HEADER_WITHIN = 1_024;
const TRAILER_WITHIN = 1_024;
const MAX_OBJECTS = 100_000;
const MAX_PAGES = 10_000;
/** Object streams unpack to a few times their size; one that unpacks to more was made to exhaust its reader. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

/** Formats that readers other than a PDF viewer would take the file for. */
const OTHER_FORMATS =
  'GIF8 \u0089PNG \u00FF\u00D8\u00FF PK\u0003\u0004 MZ \u007FELF Rar! 7z\u00BC\u00AF RIFF BM II* MM\u0000* %!PS #! <'.split(' ');

/** A PDF name, of which each character may also be written as `#` and two hexadecimal digits. */
function namePattern(...names: readonly string[]): RegExp {
  const spelled = (name: string): string =>
    Array.from(
      name,
      (char) =>
        `(?:${char}|#${char
          .charCodeAt(0)
          .toString(16)
          .replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`)})`,
    ).join('');
  return new RegExp(`/(?:${names.map(spelled).join('|')})(?=[\\s()<>\\[\\]{}/%]|$)`);
}

const ACTIVE = namePattern('Launch', 'JavaScript', 'EmbeddedFile', 'EmbeddedFiles', 'RichMedia', 'XFA');
const ENCRYPTED = namePattern('Encrypt');
const OBJECT_STREAM = namePattern('First');
const FILTERED = namePattern('Filter');
/** An object stream begins with pairs of object numbers and offsets. */
const NUMBERED = /^\s*\d+\s+\d+/;
const PAGE = new RegExp(`${namePattern('Type').source}\\s*${namePattern('Page').source}`, 'g');
/** Begins where digits begin: a file of nothing but digits is read once. */
const OBJECT = /(?<!\d)\d+\s+\d+\s+obj\b/g;
const STREAM = /(?<!end)stream[ \t]*(?:\r\n|\n|\r)?/g;

class Refusal extends Error {
  readonly problem: PdfProblem;
  constructor(problem: PdfProblem) {
    super(problem);
    this.problem = problem;
  }
}

function checkFrame(text: string): void {
  const header = text.slice(0, HEADER_WITHIN + 5).indexOf('%PDF-');
  const isFramed = header >= 0 && text.slice(-TRAILER_WITHIN).includes('%%EOF');
  const isOther = header > 0 && OTHER_FORMATS.some((magic) => text.slice(0, header).trimStart().startsWith(magic));
  // The end of a ZIP archive: it opens as one whatever comes before.
  const isArchive = text.slice(-65_557).includes('PK\u0005\u0006');
  if (!isFramed || isOther || isArchive || text.search(OBJECT) < 0) throw new Refusal('content-mismatch');
}

function unpack(packed: Buffer, room: number): string | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, room) }).toString('latin1');
  } catch {
    return undefined;
  }
}

/**
 * The texts of the object streams, in which a PDF may hide any object. One that is packed in a way that is not
 * understood here could hide anything, so its file is refused.
 */
function* objectStreams(bytes: Buffer, text: string): Generator<string, void, undefined> {
  let room = MAX_UNPACKED_BYTES;
  let before = 0;
  for (const found of text.matchAll(STREAM)) {
    const dictionary = text.slice(before, found.index);
    before = found.index;
    if (!OBJECT_STREAM.test(dictionary)) continue;
    const unpacked = unpack(bytes.subarray(found.index + found[0].length), room);
    if (unpacked !== undefined && NUMBERED.test(unpacked)) {
      room -= unpacked.length;
      yield unpacked;
    } else if (FILTERED.test(dictionary)) {
      throw new Refusal('content-mismatch');
    }
  }
}

function count(pattern: RegExp, text: string): number {
  let found = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) found += 1;
  return found;
}

/**
 * Says why a file is no PDF that may be kept; undefined for one that may. Reads what a viewer would act on without
 * interpreting it: every object outside streams, and every object stream. Linear in the size of the file.
 */
export function pdfProblem(bytes: Buffer, { allowsActive }: { readonly allowsActive: boolean }): PdfProblem | undefined {
  try {
    const text = bytes.toString('latin1');
    checkFrame(text);
    if (ENCRYPTED.test(text)) return 'encrypted';
    if (!allowsActive && ACTIVE.test(text)) return 'active-content';
    let objects = count(OBJECT, text);
    let pages = count(PAGE, text);
    for (const unpacked of objectStreams(bytes, text)) {
      if (!allowsActive && ACTIVE.test(unpacked)) return 'active-content';
      objects += count(/<</g, unpacked);
      pages += count(PAGE, unpacked);
    }
    return objects > MAX_OBJECTS || pages > MAX_PAGES || pages === 0 ? 'content-mismatch' : undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.problem;
    throw error;
  }
}
