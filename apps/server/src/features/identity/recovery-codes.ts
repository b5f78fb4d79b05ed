import type { Random } from '@holdfast/foundation/random';

/** Twenty-six characters that nobody mixes up when reading from paper. */
const ALPHABET = '23456789BCDFGHJKMNPQRTVWXY';
export const recoveryCodeCount = 10;

/** Ten codes of the form XXXXX-XXXXX, about 47 bits each. */
export function createRecoveryCodes(random: Random): string[] {
  const character = (): string => ALPHABET.charAt(random.below(ALPHABET.length));
  const group = (): string => Array.from({ length: 5 }, character).join('');
  return Array.from({ length: recoveryCodeCount }, () => `${group()}-${group()}`);
}

/** A code as it was typed, in the form it was made; undefined for what can't be one. */
export function readRecoveryCode(typed: string): string | undefined {
  const bare = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  return /^[0-9A-Z]{10}$/.test(bare) ? `${bare.slice(0, 5)}-${bare.slice(5)}` : undefined;
}
