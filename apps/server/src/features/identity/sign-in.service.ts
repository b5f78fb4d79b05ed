import { sha256 } from '@holdfast/foundation/bytes';
import { now } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { admit } from '../../access/admission.ts';
import type { AuditEvent } from '../audit/index.ts';
import { accountByEmail, changeAccount, isMachineRemembered, rememberMachine, type Account } from './accounts.store.ts';
import { isAccountLocked, type AttemptsOf } from './attempts.ts';
import { reserveFailure } from './failures.store.ts';
import { homeOf, later, nobodysScope, type Caller, type IdentityParts } from './identity-parts.ts';
import type { KnownDevices } from './known-devices.ts';
import { isEmailShaped, normaliseEmail } from './normalise.ts';
import { accountsWithPasskeys } from './passkeys.store.ts';
import { isRecoveryCodeRight, isTotpRight, lockoutRule } from './second-factor.ts';
import { beginSession, type Amr, type IssuedSession, type SessionWish } from './session.service.ts';
import { createSignInGuard } from './sign-in-guard.ts';
import { createSecretText, tokenHash } from './tokens.ts';

export type Refusal = 'failed' | 'lockedOut' | 'notAllowed' | 'requiresTwoFactor';

/** What a first step said: the password is right, or why the answer is no. */
export type PasswordCheck =
  | { readonly kind: 'right'; readonly account: Account }
  | { readonly kind: Exclude<Refusal, 'requiresTwoFactor'>; readonly account?: Account };

export interface LoginRequest {
  readonly email: string;
  readonly password: string;
  readonly twoFactorCode?: string | undefined;
  readonly recoveryCode?: string | undefined;
  readonly machineToken?: string | undefined;
  readonly mode: 'bearer' | 'cookie' | 'persistentCookie';
  readonly audience: 'main' | 'staging';
}

export type LoginResult =
  | { readonly kind: 'signedIn'; readonly account: Account; readonly session: IssuedSession; readonly machineToken?: string }
  | { readonly kind: Refusal };

const MACHINE_DAYS = 14;

/** Every way in goes through these: one password check, one set of counters, one audit trail. */
export interface SignInService {
  checkPassword(email: string, password: string, caller: Caller): Promise<PasswordCheck>;
  /** Counts a wrong second factor; true when it locked the account. */
  countWrongFactor(account: Account, caller: Caller): Promise<boolean>;
  /** Begins a session for an account that has passed everything that was due. */
  complete(account: Account, wish: SessionWish): Promise<IssuedSession>;
  login(request: LoginRequest, caller: Caller): Promise<LoginResult>;
  note(
    account: Account | undefined,
    note: { event: AuditEvent; outcome: 'succeeded' | 'failed' | 'denied'; email: string },
    caller: Caller,
  ): Promise<void>;
}

type Finding = { readonly kind: Exclude<Refusal, 'requiresTwoFactor'> } | { readonly kind: 'right' };

const EVENTS: Readonly<Record<Refusal, AuditEvent>> = {
  failed: 'identity.sign-in-failed',
  lockedOut: 'identity.sign-in-while-locked',
  notAllowed: 'identity.email-not-confirmed',
  requiresTwoFactor: 'identity.second-factor-asked',
};

/** Which confirmation is missing before somebody may sign in. */
export function confirmationMissing(parts: IdentityParts, account: Account): AuditEvent | undefined {
  if (account.email_confirmed || account.vouched_at !== null) return undefined;
  if (parts.options.requireConfirmedAccount) return 'identity.account-not-confirmed';
  return parts.options.requireConfirmedEmail ? 'identity.email-not-confirmed' : undefined;
}

/** What the audit log hears. */
function createNotes(parts: IdentityParts) {
  const { database } = parts;

  async function note(
    account: Account | undefined,
    told: { event: AuditEvent; outcome: 'succeeded' | 'failed' | 'denied'; email: string },
    caller: Caller,
  ): Promise<void> {
    const scope = account ? await homeOf(parts, account.id) : nobodysScope;
    const name = account?.email ?? (isEmailShaped(told.email) ? told.email : 'not an address');
    await database.within(scope, (tx) =>
      parts.audit.record(tx, {
        event: told.event,
        outcome: told.outcome,
        actor: {
          kind: account ? 'account' : 'anonymous',
          ...(account ? { id: account.id } : {}),
          name,
          address: caller.address,
          requestId: caller.requestId,
        },
        ...(account ? { subject: { kind: 'account', id: account.id, name } } : {}),
      }),
    );
  }

  return { note };
}

/** Who is let in from where, and whose attempts count where. */
export interface Doors {
  readonly devices: KnownDevices;
  readonly attemptsOf: AttemptsOf;
}

/** The first step: the password. */
function createPasswords(parts: IdentityParts, notes: ReturnType<typeof createNotes>, { devices, attemptsOf }: Doors) {
  const { database, options, hasher } = parts;
  const { note } = notes;

  const guard = createSignInGuard();

  async function unknownAddress(email: string, password: string): Promise<Finding> {
    await hasher.verifyNothing(password);
    if (options.enumeration === 'upstream') return { kind: 'failed' };
    const counter = sha256(normaliseEmail(email));
    const counted = await database.installation((tx) => reserveFailure(tx, counter, lockoutRule(parts)));
    return { kind: counted === undefined || counted.locked ? 'lockedOut' : 'failed' };
  }

  /** Upstream looks at confirmation and lock before the password, without hashing. */
  function refusedBefore(account: Account): Finding | undefined {
    if (options.profile !== 'conformance') return undefined;
    if (confirmationMissing(parts, account)) return { kind: 'notAllowed' };
    return isAccountLocked(account, parts.clock.nowMs()) ? { kind: 'lockedOut' } : undefined;
  }

  async function knownAddress(account: Account, password: string, caller: Caller): Promise<Finding> {
    const refused = refusedBefore(account);
    if (refused) return refused;
    const attempts = await attemptsOf(account, caller);
    const attempt = await attempts.reserve();
    const isRight =
      account.password_hash === null ? await hasher.verifyNothing(password) : await hasher.verify(account.password_hash, password);
    if (!attempt) return { kind: 'lockedOut' };
    if (!isRight || account.disabled_at !== null) {
      if (attempt.locked) await note(account, { event: 'identity.locked-out', outcome: 'denied', email: account.email }, caller);
      return { kind: attempt.locked ? 'lockedOut' : 'failed' };
    }
    await database.installation(async (tx) => {
      await attempts.undo(tx);
      if (account.password_hash !== null && hasher.isOutdated(account.password_hash)) {
        await changeAccount(tx, account.id, { password_hash: await hasher.hash(password) });
      }
    });
    return confirmationMissing(parts, account) ? { kind: 'notAllowed' } : { kind: 'right' };
  }

  async function checkPassword(email: string, password: string, caller: Caller): Promise<PasswordCheck> {
    const address = normaliseEmail(email);
    const account = await database.installation((tx) => accountByEmail(tx, address));
    // A known device has a queue of its own, so that strangers who guess cannot hold it up.
    const line = `${address}\n${(await devices.find(caller.device, email)) ?? ''}`;
    const finding = await guard.run(line, () => (account ? knownAddress(account, password, caller) : unknownAddress(email, password)));
    if (finding.kind === 'right' && account) return { kind: 'right', account };
    const kind = finding.kind === 'right' ? 'failed' : finding.kind;
    const missing = kind === 'notAllowed' && account ? confirmationMissing(parts, account) : undefined;
    await note(account, { event: missing ?? EVENTS[kind], outcome: kind === 'failed' ? 'failed' : 'denied', email }, caller);
    return { kind, ...(account ? { account } : {}) };
  }

  return { guard, unknownAddress, refusedBefore, knownAddress, checkPassword };
}

/** The second step, where one is due. */
function createFactors(parts: IdentityParts, notes: ReturnType<typeof createNotes>, { attemptsOf }: Doors) {
  const { database } = parts;
  const { note } = notes;

  async function countWrongFactor(account: Account, caller: Caller): Promise<boolean> {
    const attempt = await (await attemptsOf(account, caller)).reserve();
    await note(account, { event: 'identity.second-factor-wrong', outcome: 'failed', email: account.email }, caller);
    if (attempt?.locked) await note(account, { event: 'identity.locked-out', outcome: 'denied', email: account.email }, caller);
    return attempt?.locked ?? true;
  }

  async function secondFactor(
    account: Account,
    request: LoginRequest,
  ): Promise<'none' | 'remembered' | 'totp' | 'recovery' | 'wrong' | 'due'> {
    const hasPasskeys = async () => (await database.installation((tx) => accountsWithPasskeys(tx, [account.id]))).has(account.id);
    if (!account.totp_enabled && !(await hasPasskeys())) return 'none';
    const { machineToken, twoFactorCode, recoveryCode } = request;
    if (machineToken !== undefined) {
      const hash = tokenHash(machineToken);
      if (await database.installation((tx) => isMachineRemembered(tx, hash, account, now(parts.clock)))) return 'remembered';
    }
    if (twoFactorCode) return account.totp_enabled && (await isTotpRight(parts, account, twoFactorCode)) ? 'totp' : 'wrong';
    if (recoveryCode) return (await isRecoveryCodeRight(parts, account, recoveryCode)) ? 'recovery' : 'wrong';
    return 'due';
  }

  async function remember(account: Account): Promise<string> {
    const token = createSecretText(parts.random);
    const machine = {
      hash: tokenHash(token),
      accountId: account.id,
      stamp: account.security_stamp,
      expiresAt: later(parts, MACHINE_DAYS * 86_400_000),
    };
    await database.installation((tx) => rememberMachine(tx, machine));
    return token;
  }

  return { countWrongFactor, secondFactor, remember };
}

/** The session that follows. */
function createSessions(parts: IdentityParts, { note }: ReturnType<typeof createNotes>, { attemptsOf }: Doors) {
  const { database } = parts;

  /** Where every organisation of the person is closed to the network, nobody is signed in from there. */
  async function refuseElsewhere(account: Account, { caller, onlyFor }: SessionWish): Promise<void> {
    const all = await parts.memberships.of(account.id, 'production');
    const held = all.filter(({ organisationId }) => onlyFor === undefined || organisationId === onlyFor);
    const { memberships, withheld } = admit(held, { address: caller.address, isMultiFactor: true });
    if (memberships.length > 0 || withheld.length === 0) return;
    await note(account, { event: 'identity.outside-networks', outcome: 'denied', email: account.email }, caller);
    throw new AppError('access.outside-networks');
  }

  async function complete(account: Account, wish: SessionWish): Promise<IssuedSession> {
    const scope = await homeOf(parts, account.id);
    await refuseElsewhere(account, wish);
    const attempts = await attemptsOf(account, wish.caller);
    return database.within(scope, async (tx) => {
      await attempts.clear(tx);
      await changeAccount(tx, account.id, { last_sign_in_at: now(parts.clock) });
      const session = await beginSession(parts, tx, account, wish);
      await parts.audit.record(tx, {
        event: 'identity.signed-in',
        actor: { kind: 'account', id: account.id, name: account.email, address: wish.caller.address, requestId: wish.caller.requestId },
        subject: { kind: 'session', id: session.sessionId, name: account.email },
        details: { factors: wish.by ?? (wish.onlyFor === undefined ? wish.amr : 'microsoft'), audiences: [...wish.audiences] },
      });
      return session;
    });
  }

  return { complete };
}

/** Both steps in one call. */
function createLogins(
  parts: IdentityParts,
  passwords: ReturnType<typeof createPasswords>,
  factors: ReturnType<typeof createFactors>,
  sessions: ReturnType<typeof createSessions>,
) {
  const { options } = parts;
  const { checkPassword } = passwords;
  const { countWrongFactor, secondFactor, remember } = factors;
  const { complete } = sessions;

  /** A lock that a wrong code trips shows from the next attempt on; one that a recovery code trips shows at once. */
  async function refuseFactor(account: Account, request: LoginRequest, caller: Caller): Promise<Refusal> {
    if (!request.twoFactorCode && !options.recoveryLockout) return 'failed';
    const isLocked = await countWrongFactor(account, caller);
    return isLocked && !request.twoFactorCode ? 'lockedOut' : 'failed';
  }

  async function login(request: LoginRequest, caller: Caller): Promise<LoginResult> {
    const check = await checkPassword(request.email, request.password, caller);
    if (check.kind !== 'right') return { kind: check.kind };
    const { account } = check;
    const factor = await secondFactor(account, request);
    if (factor === 'due') return { kind: 'requiresTwoFactor' };
    if (factor === 'wrong') return { kind: await refuseFactor(account, request, caller) };
    const amr: Amr = factor === 'none' ? 'pwd' : 'mfa';
    const persistent = request.mode === 'persistentCookie' && factor !== 'recovery';
    const kind = request.mode === 'bearer' ? 'bearer' : 'cookie';
    const session = await complete(account, { kind, audiences: [request.audience], amr, persistent, caller });
    const machineToken = factor === 'totp' && persistent ? await remember(account) : undefined;
    return { kind: 'signedIn', account, session, ...(machineToken === undefined ? {} : { machineToken }) };
  }

  return { login };
}

export function createSignInService(parts: IdentityParts, doors: Doors): SignInService {
  const notes = createNotes(parts);
  const passwords = createPasswords(parts, notes, doors);
  const factors = createFactors(parts, notes, doors);
  const sessions = createSessions(parts, notes, doors);
  const logins = createLogins(parts, passwords, factors, sessions);
  const { note } = notes;
  const { checkPassword } = passwords;
  const { countWrongFactor } = factors;
  const { complete } = sessions;
  const { login } = logins;
  return Object.freeze<SignInService>({ checkPassword, countWrongFactor, complete, login, note });
}
