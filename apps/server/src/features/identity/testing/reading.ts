import { Secret } from 'otpauth';
import type { Mail } from '../../../mail/mail.ts';

/** The first address in a mail. */
export function linkIn(mail: Mail | undefined): string {
  return /https?:\/\/[^\s'"<>]+/.exec(mail?.text ?? '')?.[0] ?? 'no link';
}

/** The code at the end of a reset mail. */
export function resetCodeIn(mail: Mail | undefined): string {
  return /code: (\S+)$/.exec(mail?.text ?? '')?.[1] ?? 'no code';
}

/** Six digits in a mail. */
export function digitsIn(mail: Mail | undefined): string {
  return /\b(\d{6})\b/.exec(mail?.text ?? '')?.[1] ?? '';
}

/** The bytes of a key as an authenticator app reads it. */
export function keyFromBase32(text: string): Buffer {
  return Buffer.from(Secret.fromBase32(text).buffer);
}
