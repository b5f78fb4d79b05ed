/** What every packed text of [MS-OXRTFCP] can refer to before it has said anything. */
const BEGINNING = Buffer.from(
  String.raw`{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` +
    '\r\n' +
    String.raw`\par \pard\plain\f0\fs20\b\i\u\tab\tx`,
  'latin1',
);
const WINDOW = 4096;
const PACKED = 0x75_46_5a_4c;
const PLAIN = 0x41_4c_45_4d;
const HEADER_BYTES = 16;

/** What has been unpacked, and the window of it that what follows refers to. */
class Unpacked {
  readonly #window = Buffer.alloc(WINDOW);
  readonly #out: Buffer;
  #place = BEGINNING.byteLength;
  #length = 0;

  constructor(size: number) {
    BEGINNING.copy(this.#window);
    this.#out = Buffer.alloc(size);
  }

  get isFull(): boolean {
    return this.#length >= this.#out.byteLength;
  }

  put(byte: number): void {
    if (!this.isFull) this.#out[this.#length] = byte;
    this.#length += 1;
    this.#window[this.#place] = byte;
    this.#place = (this.#place + 1) % WINDOW;
  }

  /** Repeats something said before; false where the text ends. */
  repeat(reference: number): boolean {
    const from = reference >> 4;
    if (from === this.#place) return false;
    for (let step = 0; step < (reference & 0xf) + 2; step += 1) this.put(this.#window[(from + step) % WINDOW] ?? 0);
    return true;
  }

  text(): Buffer {
    return this.#out.subarray(0, Math.min(this.#length, this.#out.byteLength));
  }
}

/** Eight steps, as the bits of the byte before them say. Answers where the next begin; undefined where the text ends. */
function takeEight(packed: Buffer, start: number, out: Unpacked): number | undefined {
  const flags = packed[start] ?? 0;
  let at = start + 1;
  for (let bit = 0; bit < 8; bit += 1) {
    if (out.isFull || at >= packed.byteLength) return undefined;
    if (((flags >> bit) & 1) === 0) out.put(packed[at] ?? 0);
    else if (!out.repeat(((packed[at] ?? 0) << 8) | (packed[at + 1] ?? 0))) return undefined;
    at += ((flags >> bit) & 1) + 1;
  }
  return at;
}

/** Rich text as it was before Outlook packed it; undefined where it is broken or larger than allowed. */
export function unpackRtf(packed: Buffer, limit: number): Buffer | undefined {
  const size = packed.readUInt32LE(4);
  const kind = packed.readUInt32LE(8);
  if (size > limit) return undefined;
  if (kind === PLAIN) return packed.subarray(HEADER_BYTES, HEADER_BYTES + size);
  if (kind !== PACKED) return undefined;
  const out = new Unpacked(size);
  for (let at: number | undefined = HEADER_BYTES; at !== undefined && at < packed.byteLength;) at = takeEight(packed, at, out);
  return out.text();
}
