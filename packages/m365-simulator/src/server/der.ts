/** The few shapes of ASN.1 DER that a certificate needs. */
function length(size: number): Buffer {
  if (size < 128) return Buffer.from([size]);
  const hex = size.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.byteLength]), bytes]);
}

export function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), length(body.byteLength), body]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts);
export const setOf = (...parts: readonly Uint8Array[]): Buffer => tagged(0x31, ...parts);
export const octets = (data: Uint8Array): Buffer => tagged(0x04, data);
export const bits = (data: Uint8Array, unused = 0): Buffer => tagged(0x03, Buffer.from([unused]), data);
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
export const truth = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]));
/** `[number]`, explicit. */
export const context = (number: number, ...parts: readonly Uint8Array[]): Buffer => tagged(0xa0 | number, ...parts);
/** `[number]`, implicit and primitive. */
export const implicit = (number: number, data: Uint8Array): Buffer => tagged(0x80 | number, data);

export function integer(value: number | Uint8Array): Buffer {
  if (typeof value === 'number') return tagged(0x02, Buffer.from([value]));
  const isNegative = ((value[0] ?? 0) & 0x80) !== 0;
  return isNegative ? tagged(0x02, Buffer.from([0]), value) : tagged(0x02, value);
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const digits = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return tagged(0x06, Buffer.from(bytes));
}

/** UTC time, to the second: what certificates use for years up to 2049. */
export function time(iso: string): Buffer {
  return tagged(0x17, Buffer.from(`${iso.replaceAll(/[-:T]/gu, '').slice(2, 14)}Z`));
}
