/** Part of a text that may hold a number: digits, capital letters and single separators. */
export interface CodeRun {
  readonly from: number;
  readonly to: number;
}

/** No number is shorter. */
const SHORTEST = 8;
/** A longer run ends at its next separator, so that a text of numbers alone is looked at piece by piece. */
const LONGEST = 1_000;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
/** Digits, capital letters and the filler of machine-readable lines. */
const isCode = (code: number): boolean => isDigit(code) || (code >= 65 && code <= 90) || code === 60;
/** Space, hyphen, dot, slash, no-break and narrow no-break space. */
const isSeparator = (code: number): boolean =>
  code === 32 || code === 45 || code === 46 || code === 47 || code === 0x00_a0 || code === 0x20_2f;

/** The run that begins at a place; undefined when it is too short for a number. */
function runAt(text: string, from: number): { readonly to: number; readonly holdsNumber: boolean } {
  let length = 0;
  let digits = 0;
  let to = from;
  for (; to < text.length; to += 1) {
    const code = text.charCodeAt(to);
    if (isCode(code)) {
      length += 1;
      if (isDigit(code)) digits += 1;
    } else if (length > LONGEST || !isSeparator(code) || !isCode(text.charCodeAt(to + 1))) break;
  }
  return { to, holdsNumber: length >= SHORTEST && digits > 0 };
}

/**
 * Finds the few places of a text where the patterns of numbers are worth trying: most of a text is words, and trying every
 * pattern at each of its characters takes seconds for a few megabytes.
 */
export function* codeRuns(text: string): Generator<CodeRun> {
  for (let at = 0; at < text.length; at += 1) {
    if (!isCode(text.charCodeAt(at))) continue;
    const { to, holdsNumber } = runAt(text, at);
    if (holdsNumber) yield { from: at, to };
    at = to;
  }
}
