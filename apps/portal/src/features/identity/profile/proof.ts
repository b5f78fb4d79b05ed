import { z } from 'zod';

export const sixDigits = /^\d{6}$/;
export const proofText = z.string().min(1, { error: 'validation.passwordRequired' });

/** One field takes either: six digits are what the app shows, anything else is the password. */
export function proofOf(proof: string): { readonly password: string } | { readonly twoFactorCode: string } {
  const digits = proof.trim();
  return sixDigits.test(digits) ? { twoFactorCode: digits } : { password: proof };
}
