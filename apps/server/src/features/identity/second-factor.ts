import { randomBytes } from 'node:crypto';
import { now } from '@holdfast/foundation/clock';
import { claimTotpStep, replaceRecoveryCodes, useRecoveryCode, type Account } from './accounts.store.ts';
import type { IdentityParts } from './identity-parts.ts';
import { createRecoveryCodes, readRecoveryCode } from './recovery-codes.ts';
import { totpStep } from './totp.ts';

const SALT_BYTES = 16;

/** The place that a sealed authenticator key is bound to. */
export function totpPlace(accountId: string): { table: string; column: string; row: string } {
  return { table: 'accounts', column: 'totp_key', row: accountId };
}

/** The key of an account's authenticator, if it has one. */
export async function totpKeyOf(parts: IdentityParts, account: Account): Promise<Buffer | undefined> {
  if (!account.totp_key) return undefined;
  return Buffer.from(await parts.sealing.openOwn(account.totp_key, totpPlace(account.id)), 'base64');
}

/** Whether a code of the authenticator is right. In `hardened` each step counts once. */
export async function isTotpRight(parts: IdentityParts, account: Account, code: string): Promise<boolean> {
  const key = await totpKeyOf(parts, account);
  if (!key) return false;
  const isStrict = parts.options.totpReplay === 'refused';
  const step = totpStep(key, code, parts.clock.nowMs(), { steps: isStrict ? 1 : 2, asNumber: !isStrict });
  if (step === undefined) return false;
  if (!isStrict) return true;
  return parts.database.installation((tx) => claimTotpStep(tx, account.id, step));
}

/** Uses up a recovery code. One hash under the set's salt finds it. */
export async function isRecoveryCodeRight(parts: IdentityParts, account: Account, typed: string): Promise<boolean> {
  const code = readRecoveryCode(typed);
  if (code === undefined || !account.recovery_salt) return false;
  const hash = await parts.hasher.hashWithSalt(code, account.recovery_salt);
  return parts.database.installation((tx) => useRecoveryCode(tx, account.id, hash));
}

/** New recovery codes in place of all before; they are shown once. */
export async function newRecoveryCodes(parts: IdentityParts, account: Account): Promise<string[]> {
  const codes = createRecoveryCodes(parts.random);
  const salt = randomBytes(SALT_BYTES);
  const hashes = await Promise.all(codes.map((code) => parts.hasher.hashWithSalt(code, salt)));
  await parts.database.installation((tx) => replaceRecoveryCodes(tx, account.id, salt, hashes));
  return codes;
}

/** Whether the installation or one of a person's organisations asks for a second factor. */
export async function isSecondFactorDue(parts: IdentityParts, accountId: string): Promise<boolean> {
  if (parts.options.secondFactor === 'required') return true;
  return (await parts.memberships.of(accountId, 'production')).some(({ rules }) => rules.secondFactor);
}

/** The rule of the lockout at this moment. */
export function lockoutRule(parts: IdentityParts): { limit: number; lockedUntil: Date; now: Date } {
  const { limit, durationMs } = parts.options.lockout;
  return { limit, lockedUntil: new Date(parts.clock.nowMs() + durationMs), now: now(parts.clock) };
}
