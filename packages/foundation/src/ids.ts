import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

declare const brand: unique symbol;
/** A string that the compiler does not let you swap with another kind of id. */
export type Brand<Name extends string> = string & { readonly [brand]: Name };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** True for a UUID in canonical lower-case form. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Makes ids: UUIDv7, so that they sort by time, and opaque tokens. */
export interface Ids {
  uuid(): string;
  /** `bytes` of randomness in base64url. */
  token(bytes: number): string;
}

function format(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Ids from a clock and a source of randomness. Within one millisecond a counter keeps them in
 * order; a clock that steps back does not make them go back.
 */
export function createIds(clock: Clock, random: Random): Ids {
  let lastMs = 0;
  let counter = 0;
  return Object.freeze({
    uuid() {
      const nowMs = clock.nowMs();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        counter = random.below(0x800);
      } else if (counter === 0xfff) {
        lastMs += 1;
        counter = 0;
      } else {
        counter += 1;
      }
      const bytes = random.bytes(16);
      bytes.writeUIntBE(lastMs, 0, 6);
      bytes.writeUInt16BE(0x7000 | counter, 6);
      bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
      return format(bytes);
    },
    token: (bytes: number) => random.bytes(bytes).toString('base64url'),
  });
}
