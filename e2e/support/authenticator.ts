import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_SECONDS = 30;

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** What an authenticator app shows (RFC 6238), so many steps from now: each code works once. */
export function codeOf(key: string, steps = 0): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1_000 / STEP_SECONDS) + steps));
  const mac = createHmac('sha1', bytesOf(key.replaceAll(/\s/g, '')))
    .update(counter)
    .digest();
  const start = (mac.at(-1) ?? 0) & 0x0f;
  return String((mac.readUInt32BE(start) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}
