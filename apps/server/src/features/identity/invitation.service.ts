import type { Tx } from '@holdfast/database';
import { now } from '@holdfast/foundation/clock';
import { phrasesOf } from '../../http/language.ts';
import { createCode } from './account.service.ts';
import { voidCodes } from './account-codes.store.ts';
import { accountByEmail, accountById, accountsByIds, addAccount, type Account, type AnyTx } from './accounts.store.ts';
import { queueMail } from './identity-mails.ts';
import type { IdentityParts } from './identity-parts.ts';
import { normaliseEmail, requireAllowedCharacters } from './normalise.ts';
import { endSessions } from './sessions.store.ts';
import { createSecretText } from './tokens.ts';

/** An account as other features may see it. */
export interface MemberAccount {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
  readonly isTwoFactorEnabled: boolean;
  readonly hasPassword: boolean;
  readonly lastSignInAt: Date | null;
}

export interface InvitedAccount {
  readonly account: MemberAccount;
  /** The account is there already and can sign in: it gets a note, not a link. */
  readonly isExisting: boolean;
}

export interface Invitation {
  readonly organisation: string;
  readonly inviter: string;
  readonly role: 'owner' | 'administrator' | 'operator' | 'auditor' | 'reader';
}

/** Accounts that come into being by invitation. Every call works within the caller's transaction. */
export interface InvitationService {
  /** The account of an address, made without password where nobody has it. */
  admit(
    tx: Tx,
    person: {
      email: string;
      firstName?: string | undefined;
      lastName?: string | undefined;
      phoneNumber?: string | undefined;
      language: 'en' | 'de';
    },
  ): Promise<InvitedAccount>;
  /** Mails the way in; the link of an older invitation dies. Returns the link where no mail reaches people. */
  send(tx: Tx, accountId: string, invitation: Invitation): Promise<string | null>;
  withdraw(tx: Tx, accountId: string): Promise<void>;
  accounts(tx: Tx, ids: readonly string[]): Promise<Map<string, MemberAccount>>;
  endSessions(tx: Tx, accountId: string, why: string): Promise<void>;
}

export const invitationLifetimeMs = 7 * 86_400_000;

function memberOf(account: Account): MemberAccount {
  return {
    id: account.id,
    email: account.email,
    firstName: account.first_name,
    lastName: account.last_name,
    phoneNumber: account.phone_number,
    isTwoFactorEnabled: account.totp_enabled,
    hasPassword: account.password_hash !== null,
    lastSignInAt: account.last_sign_in_at,
  };
}

/** The role in the words of who reads the mail. */
function roleName(account: Account, invitation: Invitation): string {
  return phrasesOf(account.language).mails.roles[invitation.role];
}

export function createInvitationService(parts: IdentityParts): InvitationService {
  async function invite(tx: AnyTx, account: Account, invitation: Invitation): Promise<string | null> {
    const code = await createCode(parts, tx, account, { purpose: 'invitation', lifetimeMs: invitationLifetimeMs });
    const link = `${parts.publicUrl()}/reset-password/${code}`;
    const values = { organisation: invitation.organisation, inviter: invitation.inviter, role: roleName(account, invitation) };
    await queueMail(parts, tx, { to: account.email, language: account.language, kind: 'invitation', link, values });
    return parts.hasMailTransport ? null : link;
  }

  return Object.freeze<InvitationService>({
    async admit(tx, person) {
      const normalisedEmail = normaliseEmail(person.email);
      if (!(await accountByEmail(tx, normalisedEmail))) requireAllowedCharacters(person.email, parts.options.emailCharacters);
      await addAccount(tx, {
        id: parts.ids.uuid(),
        email: person.email,
        normalisedEmail,
        passwordHash: null,
        securityStamp: createSecretText(parts.random),
        emailConfirmed: false,
        lockoutEnabled: parts.options.lockout.forNewAccounts,
        language: person.language,
        createdAt: now(parts.clock),
        firstName: person.firstName ?? '',
        lastName: person.lastName ?? '',
        phoneNumber: person.phoneNumber ?? '',
      });
      const account = (await accountByEmail(tx, normalisedEmail)) as Account;
      return { account: memberOf(account), isExisting: account.password_hash !== null };
    },
    async send(tx, accountId, invitation) {
      const account = (await accountById(tx, accountId)) as Account;
      if (account.password_hash === null) return invite(tx, account, invitation);
      const values = { organisation: invitation.organisation, inviter: invitation.inviter, role: roleName(account, invitation) };
      await queueMail(parts, tx, {
        to: account.email,
        language: account.language,
        kind: 'membership',
        link: `${parts.publicUrl()}/signin`,
        values,
      });
      return null;
    },
    async withdraw(tx, accountId) {
      await voidCodes(tx, accountId, ['invitation']);
    },
    async accounts(tx, ids) {
      const found = await accountsByIds(tx, ids);
      return new Map(found.map((account) => [account.id, memberOf(account)]));
    },
    async endSessions(tx, accountId, why) {
      await endSessions(tx, { accountId, at: now(parts.clock), why });
    },
  });
}
