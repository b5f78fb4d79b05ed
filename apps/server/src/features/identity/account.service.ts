import { now } from '@holdfast/foundation/clock';
import type { AuditEvent, AuditEntry } from '../audit/index.ts';
import { addCode, findCode, takeCode, voidCodes, type CodePurpose, type FoundCode } from './account-codes.store.ts';
import { accountByEmail, accountById, addAccount, changeAccount, type Account, type AnyTx } from './accounts.store.ts';
import { mailConfirmation, mailResetCode, queueMail, type Addressee } from './identity-mails.ts';
import { homeOf, later, type Caller, type IdentityParts } from './identity-parts.ts';
import { hasAllowedCharacters, isEmailShaped, normaliseEmail } from './normalise.ts';
import { passwordFaults } from './password-policy.ts';
import { invalid, IdentityRefusal, notAuthenticated, type FaultKey } from './refusal.ts';
import { changeWithStamp } from './stamp.ts';
import { createSecretText, tokenHash } from './tokens.ts';

/** Registering, confirming and recovering an account. `base` is the prefix that links of this mount start with. */
export interface AccountService {
  register(base: string, email: string, password: string, caller: Caller): Promise<void>;
  confirmEmail(request: { userId: string; code: string; changedEmail?: string | undefined }, caller: Caller): Promise<void>;
  resendConfirmation(base: string, email: string): Promise<void>;
  /** Mails a code (identity calls) or a link (the portal) to a confirmed address; says nothing else. */
  forgotPassword(email: string, as: 'code' | 'link'): Promise<void>;
  resetByCode(request: { email: string; code: string; password: string }, caller: Caller): Promise<void>;
  /** By the link of a mail. `refused` when the link is not good any more. */
  resetByLink(token: string, password: string, caller: Caller): Promise<'done' | 'refused' | readonly FaultKey[]>;
  /** Mails a link that confirms a new address and then changes to it. */
  mailChange(base: string, account: Account, newEmail: string, sessionId: string): Promise<void>;
}

interface CodeWish {
  readonly purpose: CodePurpose;
  readonly lifetimeMs: number;
  readonly newEmail?: string;
  readonly sessionId?: string;
}

/** Makes a code, bound to account, purpose and stamp. Only its hash is kept. */
export async function createCode(parts: IdentityParts, tx: AnyTx, account: Addressee, wish: CodeWish): Promise<string> {
  const code = createSecretText(parts.random);
  await addCode(tx, {
    hash: tokenHash(code),
    accountId: account.id,
    purpose: wish.purpose,
    stamp: account.security_stamp,
    createdAt: now(parts.clock),
    expiresAt: later(parts, wish.lifetimeMs),
    voidsOthers: parts.options.profile === 'hardened' || wish.purpose === 'link',
    ...(wish.newEmail === undefined ? {} : { newEmail: wish.newEmail }),
    ...(wish.sessionId === undefined ? {} : { sessionId: wish.sessionId }),
  });
  return code;
}

/** Stands in for an account that gets no mail, so that its address takes the same work and the same time as any other. */
function standIn(parts: IdentityParts): Addressee {
  return { id: parts.ids.uuid(), email: 'nobody@example.invalid', language: 'en', security_stamp: createSecretText(parts.random) };
}

/** Queues a mail to an account, or does the same for nobody and takes the mail back before it can be sent. */
async function mailOrPretend(
  parts: IdentityParts,
  tx: AnyTx,
  account: Account | undefined,
  queue: (to: Addressee) => Promise<string>,
): Promise<void> {
  const mailId = await queue(account ?? standIn(parts));
  await parts.mail.discard(tx, account ? parts.ids.uuid() : mailId);
}

/** Mails that confirm, and the events of accounts. */
function createConfirming(parts: IdentityParts) {
  const { options } = parts;

  function entry(event: AuditEvent, account: Account, caller: Caller, outcome: AuditEntry['outcome'] = 'succeeded'): AuditEntry {
    return {
      event,
      outcome,
      actor: { kind: 'account', id: account.id, name: account.email, address: caller.address, requestId: caller.requestId },
      subject: { kind: 'account', id: account.id, name: account.email },
    };
  }

  async function sendConfirmation(tx: AnyTx, base: string, account: Addressee): Promise<string> {
    const code = await createCode(parts, tx, account, { purpose: 'confirm', lifetimeMs: options.confirmationLifetimeMs });
    const link = `${parts.publicUrl()}${base}/confirmEmail?userId=${account.id}&code=${code}`;
    return mailConfirmation(parts, tx, { account, to: account.email, link, isChange: false });
  }

  function checkAddress(email: string): void {
    if (!isEmailShaped(email)) throw invalid('InvalidEmail');
    if (!hasAllowedCharacters(email, options.emailCharacters)) throw invalid('InvalidUserName');
  }

  return { entry, sendConfirmation, checkAddress };
}

/** Accounts come into being and are confirmed. */
function createJoining(parts: IdentityParts, confirming: ReturnType<typeof createConfirming>) {
  const { database, options, hasher } = parts;
  const { entry, sendConfirmation, checkAddress } = confirming;

  async function duplicate(tx: AnyTx, normalised: string): Promise<void> {
    if (options.enumeration === 'upstream') throw invalid('DuplicateUserName');
    const owner = await accountByEmail(tx, normalised);
    if (owner) {
      await queueMail(parts, tx, {
        to: owner.email,
        language: owner.language,
        kind: 'alreadyRegistered',
        link: `${parts.publicUrl()}/forgot-password`,
      });
    }
  }

  async function register(base: string, email: string, password: string, caller: Caller): Promise<void> {
    if (options.registration === 'invite') throw new IdentityRefusal('identity.registration-closed', {});
    checkAddress(email);
    const faults = passwordFaults(password, options.password, { email });
    if (faults.length > 0) throw invalid(...faults);
    const passwordHash = await hasher.hash(password);
    const id = parts.ids.uuid();
    const normalisedEmail = normaliseEmail(email);
    await database.within(await homeOf(parts, id), async (tx) => {
      const isNew = await addAccount(tx, {
        id,
        email,
        normalisedEmail,
        passwordHash,
        securityStamp: createSecretText(parts.random),
        emailConfirmed: false,
        lockoutEnabled: options.lockout.forNewAccounts,
        language: caller.language,
        createdAt: now(parts.clock),
      });
      if (!isNew) return duplicate(tx, normalisedEmail);
      const account = (await accountById(tx, id)) as Account;
      await sendConfirmation(tx, base, account);
      await parts.audit.record(tx, entry('identity.registered', account, caller));
    });
  }

  /** A link works once; upstream's work until they end. A link that turns out to be of no use is put back with the transaction. */
  function takeLinkCode(tx: AnyTx, hash: Buffer, purpose: CodePurpose): Promise<FoundCode | undefined> {
    const use = options.profile === 'conformance' ? findCode : takeCode;
    return use(tx, hash, [purpose], now(parts.clock));
  }

  async function confirmEmail(request: { userId: string; code: string; changedEmail?: string | undefined }, caller: Caller): Promise<void> {
    const purpose: CodePurpose = request.changedEmail === undefined ? 'confirm' : 'change';
    await database.within(await homeOf(parts, request.userId), async (tx) => {
      const found = await takeLinkCode(tx, tokenHash(request.code), purpose);
      const account = found && (await accountById(tx, found.accountId));
      if (!found || !account || account.id !== request.userId || found.stamp !== account.security_stamp) throw notAuthenticated();
      if (request.changedEmail === undefined) {
        await changeAccount(tx, account.id, { email_confirmed: true });
        await parts.audit.record(tx, entry('identity.email-confirmed', account, caller));
        return;
      }
      const email = request.changedEmail;
      const isTaken = await accountByEmail(tx, normaliseEmail(email));
      if (found.newEmail !== email || (isTaken && isTaken.id !== account.id)) throw notAuthenticated();
      await changeWithStamp(parts, tx, account, {
        email,
        user_name: email,
        normalised_email: normaliseEmail(email),
        email_confirmed: true,
        keepSession: found.sessionId ?? undefined,
        why: 'the e-mail address was changed',
      });
      await parts.audit.record(tx, { ...entry('identity.email-changed', account, caller), details: { to: email } });
    });
  }

  async function resendConfirmation(base: string, email: string): Promise<void> {
    await database.installation(async (tx) => {
      const account = await accountByEmail(tx, normaliseEmail(email));
      const isMailed = options.profile === 'conformance' || account?.email_confirmed === false;
      await mailOrPretend(parts, tx, isMailed ? account : undefined, (to) => sendConfirmation(tx, base, to));
    });
  }

  return { register, confirmEmail, resendConfirmation };
}

/** Passwords that were forgotten. */
function createResetting(parts: IdentityParts, confirming: ReturnType<typeof createConfirming>) {
  const { database, options, hasher } = parts;
  const { entry } = confirming;

  async function forgotPassword(email: string, as: 'code' | 'link'): Promise<void> {
    await database.installation(async (tx) => {
      const account = await accountByEmail(tx, normaliseEmail(email));
      const isMailed = account?.email_confirmed === true && account.disabled_at === null;
      await mailOrPretend(parts, tx, isMailed ? account : undefined, async (to) => {
        const code = await createCode(parts, tx, to, { purpose: as === 'code' ? 'reset' : 'link', lifetimeMs: options.resetLifetimeMs });
        if (as === 'code') return mailResetCode(parts, tx, to, code);
        const link = `${parts.publicUrl()}/reset-password/${code}`;
        return queueMail(parts, tx, { to: to.email, language: to.language, kind: 'reset', link });
      });
    });
  }

  async function setPassword(tx: AnyTx, account: Account, passwordHash: string): Promise<void> {
    await changeWithStamp(parts, tx, account, {
      password_hash: passwordHash,
      failed_count: 0,
      locked_until: null,
      why: 'the password was reset',
    });
    await voidCodes(tx, account.id, ['reset', 'link']);
    if (options.profile === 'conformance') return;
    await queueMail(parts, tx, { to: account.email, language: account.language, kind: 'passwordChanged' });
  }

  async function resetByCode(request: { email: string; code: string; password: string }, caller: Caller): Promise<void> {
    const hash = tokenHash(request.code);
    const account = await database.installation(async (tx) => {
      const found = await findCode(tx, hash, ['reset'], now(parts.clock));
      const owner = found && (await accountById(tx, found.accountId));
      const fits = found && owner?.security_stamp === found.stamp && owner.normalised_email === normaliseEmail(request.email);
      return fits && owner.email_confirmed ? owner : undefined;
    });
    if (!account) throw invalid('InvalidToken');
    const faults = passwordFaults(request.password, options.password, { email: account.email });
    if (faults.length > 0) throw invalid(...faults);
    const passwordHash = await hasher.hash(request.password);
    await database.within(await homeOf(parts, account.id), async (tx) => {
      if (!(await takeCode(tx, hash, ['reset'], now(parts.clock)))) throw invalid('InvalidToken');
      await setPassword(tx, account, passwordHash);
      await parts.audit.record(tx, entry('identity.password-reset', account, caller));
    });
  }

  async function resetByLink(token: string, password: string, caller: Caller): Promise<'done' | 'refused' | readonly FaultKey[]> {
    const hash = tokenHash(token);
    const found = await database.installation(async (tx) => {
      const code = await findCode(tx, hash, ['link'], now(parts.clock));
      const owner = code && (await accountById(tx, code.accountId));
      return code && owner?.security_stamp === code.stamp ? { code, account: owner } : undefined;
    });
    if (!found) return 'refused';
    const { account } = found;
    const faults = passwordFaults(password, options.password, { email: account.email });
    if (faults.length > 0) return faults;
    const passwordHash = await hasher.hash(password);
    const isDone = await database.within(await homeOf(parts, account.id), async (tx) => {
      if (!(await takeCode(tx, hash, ['link'], now(parts.clock)))) return false;
      await setPassword(tx, account, passwordHash);
      await parts.audit.record(tx, entry('identity.password-reset', account, caller));
      return true;
    });
    return isDone ? 'done' : 'refused';
  }

  return { forgotPassword, resetByCode, resetByLink };
}

/** A new address is asked for. */
function createChanging(parts: IdentityParts) {
  const { database, options } = parts;

  async function mailChange(base: string, account: Account, newEmail: string, sessionId: string): Promise<void> {
    await database.installation(async (tx) => {
      const lifetimeMs = options.confirmationLifetimeMs;
      const code = await createCode(parts, tx, account, { purpose: 'change', lifetimeMs, newEmail, sessionId });
      const query = `userId=${account.id}&code=${code}&changedEmail=${encodeURIComponent(newEmail)}`;
      await mailConfirmation(parts, tx, {
        account,
        to: newEmail,
        link: `${parts.publicUrl()}${base}/confirmEmail?${query}`,
        isChange: true,
      });
      if (options.profile === 'conformance') return;
      await queueMail(parts, tx, { to: account.email, language: account.language, kind: 'emailChanging' });
    });
  }

  return { mailChange };
}

export function createAccountService(parts: IdentityParts): AccountService {
  const confirming = createConfirming(parts);
  return Object.freeze<AccountService>({
    ...createJoining(parts, confirming),
    ...createResetting(parts, confirming),
    ...createChanging(parts),
  });
}
