import { Secret, TOTP } from 'otpauth';

/** RFC 6238 as authenticators know it: SHA-1, 30 seconds, six digits, a key of 160 bits. */
export const totpKeyBytes = 20;
const PERIOD_SECONDS = 30;
const DIGITS = 6;

function totpOf(key: Buffer): TOTP {
  const copy = new Uint8Array(key);
  return new TOTP({ secret: new Secret({ buffer: copy.buffer }), algorithm: 'SHA1', digits: DIGITS, period: PERIOD_SECONDS });
}

/** The key as base32, for typing. */
export function sharedKeyOf(key: Buffer): string {
  const copy = new Uint8Array(key);
  return new Secret({ buffer: copy.buffer }).base32;
}

/** How a code is compared: steps to either side, and whether leading zeros may be missing. */
export interface TotpTolerance {
  readonly steps: number;
  readonly asNumber: boolean;
}

/** The step that a code belongs to, or undefined when it belongs to none that is allowed. */
export function totpStep(key: Buffer, code: string, nowMs: number, tolerance: TotpTolerance): number | undefined {
  const trimmed = tolerance.asNumber ? code.trim() : code;
  if (tolerance.asNumber ? !/^\d{1,9}$/.test(trimmed) : !/^\d{6}$/.test(trimmed)) return undefined;
  const token = tolerance.asNumber ? String(Number(trimmed)).padStart(DIGITS, '0') : trimmed;
  if (token.length !== DIGITS) return undefined;
  const totp = totpOf(key);
  const delta = totp.validate({ token, timestamp: nowMs, window: tolerance.steps });
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta;
}

/** The code of a moment; what an authenticator would show. */
export function totpCode(key: Buffer, nowMs: number): string {
  return totpOf(key).generate({ timestamp: nowMs });
}
