import { readFileSync } from 'node:fs';
import { specialCharacter } from '@holdfast/contract/identity';
import { passwordMinLength } from '@holdfast/contract/limits';
import type { PasswordRule } from './options.ts';

/** What is wrong with a password, in upstream's words and ours. */
export type PasswordFault =
  | 'PasswordTooShort'
  | 'PasswordTooLong'
  | 'PasswordRequiresNonAlphanumeric'
  | 'PasswordRequiresDigit'
  | 'PasswordRequiresLower'
  | 'PasswordRequiresUpper'
  | 'PasswordTooCommon';

export const passwordMaxLength = 256;

/** Known words around the password that it must not be made of: address, product, organisation. */
export interface PasswordContext {
  readonly email?: string;
  readonly organisation?: string;
}

function readList(): ReadonlySet<string> {
  const text = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8');
  return new Set(text.split('\n').filter((line) => line !== '' && !line.startsWith('#')));
}

let list: ReadonlySet<string> | undefined;

/** The common passwords, read at the first use. */
export function commonPasswords(): ReadonlySet<string> {
  list ??= readList();
  return list;
}

const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** The ways a common password is dressed up: digits and signs around it, characters that look alike, itself twice. */
function undressed(password: string): string[] {
  const lower = password.toLowerCase();
  const core = lower.replaceAll(/^[^a-z]+|[^a-z]+$/g, '');
  const plain = (text: string): string => text.replaceAll(/[013457@$!]/g, (sign) => LOOKALIKES[sign] ?? sign);
  const half = lower.slice(0, lower.length / 2);
  const forms = [lower, core, plain(core), plain(lower).replaceAll(/^[^a-z]+|[^a-z]+$/g, ''), lower.replaceAll(/[^a-z0-9]/g, '')];
  if (half + half === lower) forms.push(half);
  return forms.filter((form) => form.length > 2);
}

function namesOf(context: PasswordContext): string[] {
  const [local = '', domain = ''] = (context.email ?? '').toLowerCase().split('@');
  const names = [
    context.email?.toLowerCase() ?? '',
    local,
    domain.split('.', 1)[0] ?? '',
    'holdfast',
    context.organisation?.toLowerCase() ?? '',
  ];
  return names.filter((name) => name.length > 3);
}

/** A password is too common when, undressed, it is in the list or little more than a name around it. */
export function isTooCommon(password: string, context: PasswordContext): boolean {
  const forms = undressed(password);
  if (forms.some((form) => commonPasswords().has(form))) return true;
  const bare = password.toLowerCase();
  return namesOf(context).some((name) => bare.replaceAll(name, '').replaceAll(/[^a-z]/g, '').length < 4 && bare.includes(name));
}

function upstreamFaults(password: string): PasswordFault[] {
  const faults: PasswordFault[] = [];
  if (password.length < 6) faults.push('PasswordTooShort');
  if (!/[^A-Za-z0-9]/.test(password)) faults.push('PasswordRequiresNonAlphanumeric');
  if (!/[0-9]/.test(password)) faults.push('PasswordRequiresDigit');
  if (!/[a-z]/.test(password)) faults.push('PasswordRequiresLower');
  if (!/[A-Z]/.test(password)) faults.push('PasswordRequiresUpper');
  return faults;
}

/** Everything that is wrong with a new password, in the order the rules are told. Nothing: it may be set. */
export function passwordFaults(password: string, rule: PasswordRule, context: PasswordContext = {}): PasswordFault[] {
  if (rule.kind === 'upstream') return upstreamFaults(password);
  const length = Array.from(password).length;
  const faults: PasswordFault[] = [];
  if (length < Math.max(rule.minLength, passwordMinLength)) faults.push('PasswordTooShort');
  if (length > passwordMaxLength) faults.push('PasswordTooLong');
  if (!specialCharacter.test(password)) faults.push('PasswordRequiresNonAlphanumeric');
  if (rule.checkCommon && faults.length === 0 && isTooCommon(password, context)) faults.push('PasswordTooCommon');
  return faults;
}

/** The shortest password that a rule lets pass. */
export function minimumLength(rule: PasswordRule): number {
  return rule.kind === 'upstream' ? 6 : Math.max(rule.minLength, passwordMinLength);
}
