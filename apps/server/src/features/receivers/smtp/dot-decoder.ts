/** Bytes of a message, and what follows its end once that has come. */
export interface Decoded {
  readonly pieces: readonly Buffer[];
  readonly rest: Buffer | undefined;
}

/** Takes DATA apart chunk by chunk. */
export interface DotDecoder {
  push(chunk: Buffer): Decoded;
}

const DOT = 0x2e;
const CR = 0x0d;
const LF = 0x0a;
const CR_ALONE = Buffer.from([CR]);

type State = 'line-start' | 'middle' | 'cr' | 'dot' | 'dot-cr';

const afterOther = (byte: number): State => (byte === CR ? 'cr' : 'middle');
const afterCr = (byte: number): State => (byte === LF ? 'line-start' : afterOther(byte));

/** What comes after a byte, for each state. A byte that is held back or taken out leaves the message in `push`. */
const NEXT: Readonly<Record<State, (byte: number) => State>> = {
  'line-start': (byte) => (byte === DOT ? 'dot' : afterOther(byte)),
  middle: afterOther,
  cr: afterCr,
  // Whether the message ends is known with the next byte.
  dot: (byte) => (byte === CR ? 'dot-cr' : afterOther(byte)),
  'dot-cr': afterCr,
};

/** A dot at the beginning of a line is no part of the message, nor is the CR behind it until the next byte has come. */
const isHeld = (before: State, after: State): boolean => (before === 'line-start' && after === 'dot') || after === 'dot-cr';

/**
 * Undoes the transparency of RFC 5321, section 4.5.2, and nothing else: only CRLF ends a line, so a dot after a bare line
 * feed belongs to the message, and a line feed without its carriage return can't end it.
 */
export function createDotDecoder(): DotDecoder {
  let state: State = 'line-start';

  function push(chunk: Buffer): Decoded {
    const pieces: Buffer[] = [];
    let from = 0;
    for (let at = 0; at < chunk.byteLength; at += 1) {
      const byte = chunk[at] ?? 0;
      const before = state;
      if (before === 'dot-cr' && byte === LF) return { pieces, rest: chunk.subarray(at + 1) };
      if (before === 'dot-cr') pieces.push(CR_ALONE);
      state = NEXT[before](byte);
      if (!isHeld(before, state)) continue;
      if (at > from) pieces.push(chunk.subarray(from, at));
      from = at + 1;
    }
    if (from < chunk.byteLength) pieces.push(chunk.subarray(from));
    return { pieces, rest: undefined };
  }

  return { push };
}
