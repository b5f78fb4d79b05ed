import type { Tx } from '@holdfast/database';
import { now } from '@holdfast/foundation/clock';
import { phrasesOf } from '../../http/language.ts';
import { ValidationError } from '../../http/problem.ts';
import { accountByEmail, accountById, accountsByIds, addAccount, changeAccount, type Account, type AnyTx } from './accounts.store.ts';
import { faultText } from './identity-dialect.ts';
import { queueMail } from './identity-mails.ts';
import { accountsWithPasskeys, removePasskeys } from './passkeys.store.ts';
import { homeOf, type Caller, type IdentityParts } from './identity-parts.ts';
import { normaliseEmail, requireAllowedCharacters } from './normalise.ts';
import { passwordFaults } from './password-policy.ts';
import { closeSessions, endSessions, reopenSession } from './sessions.store.ts';
import { changeWithStamp } from './stamp.ts';
import { createSecretText, tokenHash } from './tokens.ts';

/** An account as other features may see it. */
export interface MemberAccount {
  readonly id: string;
  readonly email: string;
  readonly normalisedEmail: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
  readonly isTwoFactorEnabled: boolean;
  readonly lastSignInAt: Date | null;
  readonly isDisabled: boolean;
}

/** What the mail of an invitation says. */
export interface Invitation {
  readonly email: string;
  readonly language: 'en' | 'de';
  readonly organisation: string;
  readonly inviter: string;
  readonly role: 'owner' | 'administrator' | 'operator' | 'auditor' | 'reader';
  readonly code: string;
}

/** Somebody who creates an account by the link of an invitation. */
export interface InvitedPerson {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
  /** The link went to the address by mail: whoever has it has the mailbox. */
  readonly isProven: boolean;
}

/** What organisations ask of accounts. Calls with a transaction are part of the caller's. */
export interface InvitationService {
  /** Whether links reach people by mail. Without, they are shown to the inviter once. */
  readonly isMailed: boolean;
  /** The form of an address that is compared. Throws where it has characters that are not allowed. */
  addressOf(email: string): string;
  newCode(): { readonly code: string; readonly hash: Buffer };
  hashOf(code: string): Buffer;
  /** Mails the link, the same to everybody; returns it where no mail reaches people. */
  send(tx: Tx, invitation: Invitation): Promise<string | null>;
  /** Creates the account of an invited address. An account whose address is confirmed, or that a shown link names, stays as it is. */
  register(person: InvitedPerson, caller: Caller): Promise<void>;
  /** The person accepted by a link: it confirms the address if it came by mail; else the organisation vouches for the person. */
  welcome(tx: Tx, accepted: { accountId: string; sessionId: string; organisationId: string; isProven: boolean }): Promise<void>;
  accounts(tx: AnyTx, ids: readonly string[]): Promise<Map<string, MemberAccount>>;
  /** Ends the sessions of an account for one organisation; altogether when it belongs to no other. */
  endSessions(tx: Tx, ending: { accountId: string; organisationId: string; isOnly: boolean; why: string }): Promise<void>;
}

function memberOf(account: Account, hasPasskeys: boolean): MemberAccount {
  return {
    id: account.id,
    email: account.email,
    normalisedEmail: account.normalised_email,
    firstName: account.first_name,
    lastName: account.last_name,
    phoneNumber: account.phone_number,
    isTwoFactorEnabled: account.totp_enabled || hasPasskeys,
    lastSignInAt: account.last_sign_in_at,
    isDisabled: account.disabled_at !== null,
  };
}

/** The account of an invited address comes into being, or returns to whoever has its mailbox. */
function createRegistering(parts: IdentityParts): Pick<InvitationService, 'register'> {
  const { database, clock, options, audit } = parts;

  function entry(event: 'identity.registered' | 'identity.account-reclaimed', id: string, email: string, caller: Caller) {
    const actor = { kind: 'account' as const, id, name: email, address: caller.address, requestId: caller.requestId };
    return { event, actor, subject: { kind: 'account', id, name: email } };
  }

  async function create(tx: Tx, person: InvitedPerson, passwordHash: string, caller: Caller): Promise<void> {
    const id = parts.ids.uuid();
    await addAccount(tx, {
      id,
      email: person.email,
      normalisedEmail: normaliseEmail(person.email),
      passwordHash,
      securityStamp: createSecretText(parts.random),
      emailConfirmed: person.isProven,
      lockoutEnabled: options.lockout.forNewAccounts,
      language: caller.language,
      createdAt: now(clock),
      firstName: person.firstName,
      lastName: person.lastName,
      phoneNumber: person.phoneNumber,
      ...(person.isProven ? {} : { vouchedAt: now(clock) }),
    });
    await audit.record(tx, entry('identity.registered', id, person.email, caller));
  }

  /** Whoever made the account never had its mailbox: nothing that opens it may stay. */
  async function reclaim(tx: Tx, account: Account, passwordHash: string, caller: Caller): Promise<void> {
    await changeWithStamp(parts, tx, account, {
      password_hash: passwordHash,
      email_confirmed: true,
      totp_enabled: false,
      totp_key: null,
      recovery_salt: null,
      failed_count: 0,
      locked_until: null,
      why: 'the address was proved by an invitation',
    });
    await removePasskeys(tx, account.id);
    await audit.record(tx, entry('identity.account-reclaimed', account.id, account.email, caller));
  }

  return {
    async register(person, caller) {
      const faults = passwordFaults(person.password, options.password, { email: person.email });
      const texts = faults.map((key) => faultText(key, caller.language, options));
      if (texts.length > 0) throw new ValidationError('request.invalid', { password: texts });
      const passwordHash = await parts.hasher.hash(person.password);
      const known = await database.installation((tx) => accountByEmail(tx, normaliseEmail(person.email)));
      await database.within(await homeOf(parts, known?.id ?? ''), async (tx) => {
        const account = await accountByEmail(tx, normaliseEmail(person.email));
        if (!account) return create(tx, person, passwordHash, caller);
        if (person.isProven && !account.email_confirmed) await reclaim(tx, account, passwordHash, caller);
      });
    },
  };
}

export function createInvitationService(parts: IdentityParts): InvitationService {
  return Object.freeze<InvitationService>({
    ...createRegistering(parts),
    isMailed: parts.hasMailTransport,
    addressOf(email) {
      requireAllowedCharacters(email, parts.options.emailCharacters);
      return normaliseEmail(email);
    },
    newCode() {
      const code = createSecretText(parts.random);
      return { code, hash: tokenHash(code) };
    },
    hashOf: tokenHash,
    async send(tx, { email, language, organisation, inviter, role, code }) {
      const link = `${parts.publicUrl()}/invitation/${code}`;
      const reader = (await accountByEmail(tx, normaliseEmail(email)))?.language ?? language;
      const values = { organisation, inviter, role: phrasesOf(reader).mails.roles[role] };
      await queueMail(parts, tx, { to: email, language: reader, kind: 'invitation', link, values });
      return parts.hasMailTransport ? null : link;
    },
    async welcome(tx, { accountId, sessionId, organisationId, isProven }) {
      const account = await accountById(tx, accountId);
      if (account && !account.email_confirmed) {
        await changeAccount(tx, accountId, isProven ? { email_confirmed: true } : { vouched_at: now(parts.clock) });
      }
      await reopenSession(tx, sessionId, organisationId);
    },
    async accounts(tx, ids) {
      const found = await accountsByIds(tx, ids);
      const withPasskeys = await accountsWithPasskeys(tx, ids);
      return new Map(found.map((account) => [account.id, memberOf(account, withPasskeys.has(account.id))]));
    },
    async endSessions(tx, { accountId, organisationId, isOnly, why }) {
      if (isOnly) await endSessions(tx, { accountId, at: now(parts.clock), why });
      else await closeSessions(tx, accountId, organisationId);
    },
  });
}
