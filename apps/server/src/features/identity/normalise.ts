import { AppError } from '@holdfast/foundation/errors';

/** The form in which addresses are compared: NFKC, upper case. Two spellings of one address are one account. */
export function normaliseEmail(email: string): string {
  return email.trim().normalize('NFKC').toUpperCase();
}

const UPSTREAM = /^[A-Za-z0-9\-._@+]+$/;
const SPEC = /^[A-Za-z0-9.]+@[A-Za-z0-9.]+$/;

/** Which characters an address may have: the specification's or upstream's. */
export type EmailCharacters = 'spec' | 'upstream';

/** An address has exactly one `@`, not at its ends. */
export function isEmailShaped(email: string): boolean {
  const at = email.indexOf('@');
  return at > 0 && at === email.lastIndexOf('@') && at < email.length - 1 && email.length <= 254;
}

/** Whether the characters of an address (which is the user name as well) are allowed. */
export function hasAllowedCharacters(email: string, characters: EmailCharacters): boolean {
  return characters === 'spec' ? SPEC.test(email) : UPSTREAM.test(email);
}

/** Refuses an address with characters that the installation does not allow, at the field that has it. */
export function requireAllowedCharacters(email: string, characters: EmailCharacters): void {
  if (hasAllowedCharacters(email, characters)) return;
  throw new AppError('request.invalid', { details: { field: 'email', rule: 'validation.email' } });
}

/** The family of a browser, coarse on purpose: a minor update does not change it. */
export function agentFamily(userAgent: string): string {
  const known = /(Edg|OPR|Firefox|Chrome|CriOS|FxiOS|Safari|curl|node|undici)/.exec(userAgent);
  return known?.[1] ?? userAgent.split('/', 1)[0]?.slice(0, 40) ?? '';
}
