import type { Scope, Tx } from '@holdfast/database';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { accountById, addAccount } from './accounts.store.ts';
import type { Caller, IdentityParts } from './identity-parts.ts';
import type { PortalSession } from './session.service.ts';
import { isEmailShaped, normaliseEmail } from './normalise.ts';
import { addProvidedAccount, providedAccount, type ProvidedKey } from './provided-accounts.store.ts';
import type { SignInService } from './sign-in.service.ts';
import { createSecretText } from './tokens.ts';

/** Accounts that an organisation's own provider vouches for. */
export interface ProvidedAccounts {
  find(tx: Tx, key: ProvidedKey): Promise<string | undefined>;
  /** Undefined where the address is taken: what a provider says of addresses proves nothing. */
  create(
    tx: Tx,
    key: ProvidedKey,
    person: { readonly email: string; readonly firstName: string; readonly lastName: string },
    caller: Caller,
  ): Promise<string | undefined>;
  /** Begins a session that opens this organisation alone. */
  begin(accountId: string, organisationId: Scope['organisationId'], caller: Caller): Promise<PortalSession>;
}

const audiences = ['main', 'staging', 'legacy'] as const;

export function createProvidedAccounts(parts: IdentityParts, signIn: SignInService): ProvidedAccounts {
  const { database, clock, audit } = parts;
  return Object.freeze<ProvidedAccounts>({
    find: providedAccount,
    async create(tx, key, person, caller) {
      const { email, firstName, lastName } = person;
      if (!isEmailShaped(email)) throw new AppError('microsoft-sign-in.failed');
      const id = parts.ids.uuid();
      const isNew = await addAccount(tx, {
        id,
        email,
        normalisedEmail: normaliseEmail(email),
        passwordHash: null,
        securityStamp: createSecretText(parts.random),
        emailConfirmed: false,
        lockoutEnabled: parts.options.lockout.forNewAccounts,
        language: caller.language,
        createdAt: now(clock),
        firstName,
        lastName,
        vouchedAt: now(clock),
      });
      if (!isNew) return undefined;
      await addProvidedAccount(tx, key, id, now(clock));
      const actor = { kind: 'account' as const, id, name: email, address: caller.address, requestId: caller.requestId };
      await audit.record(tx, { event: 'identity.registered', actor, subject: { kind: 'account', id, name: email } });
      return id;
    },
    async begin(accountId, organisationId, caller) {
      const account = await database.installation((tx) => accountById(tx, accountId));
      if (!account || account.disabled_at !== null) throw new AppError('microsoft-sign-in.failed');
      // The provider decides which factors it asks for; the session is worth nothing elsewhere.
      const wish = { kind: 'portal', audiences, amr: 'mfa', persistent: false, caller, onlyFor: organisationId } as const;
      return { account, session: await signIn.complete(account, wish), audiences };
    },
  });
}
