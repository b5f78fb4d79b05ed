import { now } from '@holdfast/foundation/clock';
import type { Account } from './accounts.store.ts';
import type { Caller, IdentityParts } from './identity-parts.ts';
import { invalid } from './refusal.ts';
import { isTotpRight } from './second-factor.ts';
import type { SignInService } from './sign-in.service.ts';

export interface Proof {
  readonly password?: string | null | undefined;
  readonly code?: string | null | undefined;
}

/**
 * What is dangerous asks for the password or a code again; a wrong one counts like a wrong sign-in. A key that is not
 * turned on proves nothing: whoever holds the session has just been shown it.
 */
export type StepUp = (account: Account, proof: Proof, caller: Caller) => Promise<void>;

export function createStepUp(parts: IdentityParts, signIn: SignInService): StepUp {
  const { hasher } = parts;
  return async (account, proof, caller) => {
    if (!proof.password && !proof.code) throw invalid('StepUpRequired');
    const isLocked = account.locked_until !== null && account.locked_until > now(parts.clock);
    const byPassword = proof.password && account.password_hash !== null && (await hasher.verify(account.password_hash, proof.password));
    const isRight = byPassword || (proof.code && account.totp_enabled && (await isTotpRight(parts, account, proof.code)));
    if (isRight && !isLocked) return;
    await signIn.countWrongFactor(account, caller);
    throw invalid(proof.password ? 'PasswordMismatch' : 'InvalidTwoFactorCode');
  };
}
