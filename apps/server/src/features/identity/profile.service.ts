import { randomBytes } from 'node:crypto';
import { now } from '@holdfast/foundation/clock';
import type { AuditEvent } from '../audit/index.ts';
import type { AccountService } from './account.service.ts';
import { accountById, changeAccount, countRecoveryCodes, forgetMachine, isMachineRemembered, type Account } from './accounts.store.ts';
import { queueMail } from './identity-mails.ts';
import { homeOf, type Caller, type IdentityParts } from './identity-parts.ts';
import { hasAllowedCharacters, isEmailShaped, normaliseEmail } from './normalise.ts';
import { accountsWithPasskeys } from './passkeys.store.ts';
import { passwordFaults } from './password-policy.ts';
import { invalid, notAuthenticated } from './refusal.ts';
import { isTotpRight, newRecoveryCodes, totpKeyOf, totpPlace } from './second-factor.ts';
import { upgradeSession } from './sessions.store.ts';
import type { SignInService } from './sign-in.service.ts';
import { changeWithStamp } from './stamp.ts';
import { createStepUp } from './step-up.ts';
import { sharedKeyOf, totpKeyBytes } from './totp.ts';
import { tokenHash } from './tokens.ts';

/** Who changes their own account: the account, and the session that asks. */
export interface Owner {
  readonly accountId: string;
  readonly sessionId: string;
}

export interface TwoFactorRequest {
  readonly enable?: boolean | null | undefined;
  readonly twoFactorCode?: string | null | undefined;
  readonly password?: string | null | undefined;
  readonly resetSharedKey: boolean;
  readonly resetRecoveryCodes: boolean;
  readonly forgetMachine: boolean;
}

export interface TwoFactorState {
  readonly sharedKey: string;
  readonly recoveryCodesLeft: number;
  readonly recoveryCodes: string[] | null;
  readonly isTwoFactorEnabled: boolean;
  readonly isMachineRemembered: boolean;
}

export interface InfoRequest {
  readonly newEmail?: string | null | undefined;
  readonly newPassword?: string | null | undefined;
  readonly oldPassword?: string | null | undefined;
  readonly twoFactorCode?: string | null | undefined;
}

/** What a signed-in person changes about themselves: second factor, password, address. */
export interface ProfileService {
  account(accountId: string): Promise<Account>;
  twoFactor(owner: Owner, request: TwoFactorRequest, machineToken: string | undefined, caller: Caller): Promise<TwoFactorState>;
  changeInfo(base: string, owner: Owner, request: InfoRequest, caller: Caller): Promise<Account>;
}

/** What makes an account easier to get into, or shuts out who holds the codes now. */
function isDangerous(request: TwoFactorRequest): boolean {
  return request.enable === false || request.resetSharedKey || request.resetRecoveryCodes;
}

/** The account of who asks, and proof that it is them. */
function createAccounts(parts: IdentityParts, services: { signIn: SignInService; accounts: AccountService }) {
  const { database } = parts;

  async function load(accountId: string): Promise<Account> {
    const account = await database.installation((tx) => accountById(tx, accountId));
    if (!account) throw notAuthenticated();
    return account;
  }

  async function record(account: Account, event: AuditEvent, caller: Caller): Promise<void> {
    await services.signIn.note(account, { event, outcome: 'succeeded', email: account.email }, caller);
  }

  return { load, record, stepUp: createStepUp(parts, services.signIn) };
}

/** Turning the second factor on and off. */
function createFactor(
  parts: IdentityParts,
  services: { signIn: SignInService; accounts: AccountService },
  accounts: ReturnType<typeof createAccounts>,
) {
  const { database, options } = parts;
  const { record } = accounts;

  async function enable(account: Account, owner: Owner, code: string | null | undefined, caller: Caller): Promise<void> {
    if (!code) throw invalid('RequiresTwoFactor');
    if (!(await isTotpRight(parts, account, code))) {
      if (isOn(account)) await services.signIn.countWrongFactor(account, caller);
      throw invalid('InvalidTwoFactorCode');
    }
    await database.installation(async (tx) => {
      await changeWithStamp(parts, tx, account, {
        totp_enabled: true,
        keepSession: owner.sessionId,
        why: 'the second factor was turned on',
      });
      if (options.profile === 'hardened') await upgradeSession(tx, owner.sessionId, 'mfa');
    });
    await record(account, 'identity.second-factor-on', caller);
  }

  async function newKey(account: Account, owner: Owner, isReset: boolean): Promise<void> {
    const key = randomBytes(totpKeyBytes);
    const sealed = await parts.sealing.sealOwn(key.toString('base64'), totpPlace(account.id));
    await database.installation((tx) =>
      isReset
        ? changeWithStamp(parts, tx, account, {
            totp_key: sealed,
            totp_enabled: false,
            keepSession: owner.sessionId,
            why: 'a new key was made',
          })
        : changeAccount(tx, account.id, { totp_key: sealed }),
    );
  }

  /** In `hardened` the key goes too: the next setup shows a new one, and never one that has been in use. */
  async function disable(account: Account, owner: Owner, caller: Caller): Promise<void> {
    await database.installation((tx) =>
      changeWithStamp(parts, tx, account, {
        totp_enabled: false,
        ...(options.profile === 'hardened' ? { totp_key: null } : {}),
        keepSession: owner.sessionId,
        why: 'the second factor was turned off',
      }),
    );
    await record(account, 'identity.second-factor-off', caller);
  }

  /** Whether it protects the account by now, and so the key and guesses at its codes are nobody's to have. */
  const isOn = (account: Account): boolean => options.profile === 'hardened' && account.totp_enabled;

  return { enable, newKey, disable, isOn };
}

/** One request for the second factor. */
function createFactorChange(
  parts: IdentityParts,
  services: { signIn: SignInService; accounts: AccountService },
  accounts: ReturnType<typeof createAccounts>,
  factor: ReturnType<typeof createFactor>,
) {
  const { database, options } = parts;
  const { load, stepUp } = accounts;
  const { enable, newKey, disable, isOn } = factor;

  async function turnOff(account: Account, owner: Owner, request: TwoFactorRequest, caller: Caller): Promise<void> {
    if (request.enable === false || request.resetSharedKey) await disable(account, owner, caller);
    if (request.resetSharedKey) await newKey(account, owner, true);
  }

  async function hasNoCodes(account: Account): Promise<boolean> {
    return (await database.installation((tx) => countRecoveryCodes(tx, account.id))) === 0;
  }

  /** Where something protects the account, a session alone makes no change of how: with passkeys, an app is one more way in. */
  async function needsProof(account: Account, request: TwoFactorRequest): Promise<boolean> {
    if (account.totp_enabled) return isDangerous(request);
    const isChange = isDangerous(request) || request.enable === true;
    return isChange && (await database.installation((tx) => accountsWithPasskeys(tx, [account.id]))).has(account.id);
  }

  async function change(account: Account, owner: Owner, request: TwoFactorRequest, caller: Caller): Promise<string[] | null> {
    if (request.enable === true && request.resetSharedKey) throw invalid('CannotResetSharedKeyAndEnable');
    if (options.stepUpTwoFactor && (await needsProof(account, request))) {
      // The code of an app that is not on yet proves nothing; it is what the app is turned on with.
      await stepUp(account, { password: request.password, code: account.totp_enabled ? request.twoFactorCode : undefined }, caller);
    }
    if (request.enable === true) await enable(account, owner, request.twoFactorCode, caller);
    else await turnOff(account, owner, request, caller);
    const isWanted = request.resetRecoveryCodes || (request.enable === true && (await hasNoCodes(account)));
    return isWanted ? newRecoveryCodes(parts, account) : null;
  }

  async function isRemembered(account: Account, request: TwoFactorRequest, machineToken: string | undefined): Promise<boolean> {
    if (machineToken === undefined) return false;
    const hash = tokenHash(machineToken);
    if (request.forgetMachine) {
      await database.installation((tx) => forgetMachine(tx, hash));
      return false;
    }
    return database.installation((tx) => isMachineRemembered(tx, hash, account, now(parts.clock)));
  }

  async function twoFactor(
    owner: Owner,
    request: TwoFactorRequest,
    machineToken: string | undefined,
    caller: Caller,
  ): Promise<TwoFactorState> {
    let account = await load(owner.accountId);
    if (!account.totp_key) {
      await newKey(account, owner, false);
      account = await load(owner.accountId);
    }
    const recoveryCodes = await change(account, owner, request, caller);
    account = await load(owner.accountId);
    const key = isOn(account) ? undefined : await totpKeyOf(parts, account);
    return {
      sharedKey: key ? sharedKeyOf(key) : '',
      recoveryCodes,
      recoveryCodesLeft: await database.installation((tx) => countRecoveryCodes(tx, account.id)),
      isTwoFactorEnabled: account.totp_enabled,
      isMachineRemembered: await isRemembered(account, request, machineToken),
    };
  }

  return { change, isRemembered, twoFactor };
}

/** Password and address. */
function createInformation(
  parts: IdentityParts,
  services: { signIn: SignInService; accounts: AccountService },
  accounts: ReturnType<typeof createAccounts>,
) {
  const { database, options, hasher } = parts;
  const { load, record, stepUp } = accounts;

  async function changePassword(account: Account, owner: Owner, request: InfoRequest, caller: Caller): Promise<void> {
    const { newPassword, oldPassword } = request;
    if (!newPassword) return;
    if (!oldPassword) throw invalid('OldPasswordRequired');
    if (account.password_hash === null || !(await hasher.verify(account.password_hash, oldPassword))) {
      if (options.profile === 'hardened') await services.signIn.countWrongFactor(account, caller);
      throw invalid('PasswordMismatch');
    }
    const faults = passwordFaults(newPassword, options.password, { email: account.email });
    if (faults.length > 0) throw invalid(...faults);
    const passwordHash = await hasher.hash(newPassword);
    await database.within(await homeOf(parts, account.id), async (tx) => {
      await changeWithStamp(parts, tx, account, {
        password_hash: passwordHash,
        keepSession: owner.sessionId,
        why: 'the password was changed',
      });
      if (options.profile === 'hardened')
        await queueMail(parts, tx, { to: account.email, language: account.language, kind: 'passwordChanged' });
    });
    await record(account, 'identity.password-changed', caller);
  }

  async function changeInfo(base: string, owner: Owner, request: InfoRequest, caller: Caller): Promise<Account> {
    const account = await load(owner.accountId);
    const newEmail = request.newEmail || undefined;
    if (newEmail !== undefined) {
      if (!isEmailShaped(newEmail)) throw invalid('InvalidEmail');
      if (!hasAllowedCharacters(newEmail, options.emailCharacters)) throw invalid('InvalidEmail');
    }
    const isOther = newEmail !== undefined && normaliseEmail(newEmail) !== account.normalised_email;
    if (isOther && options.stepUpEmailChange) {
      await stepUp(account, { password: request.oldPassword, code: request.twoFactorCode }, caller);
    }
    await changePassword(account, owner, request, caller);
    const current = await load(owner.accountId);
    if (newEmail !== undefined && isOther) {
      await services.accounts.mailChange(base, current, newEmail, owner.sessionId);
      await record(current, 'identity.email-change-asked', caller);
    }
    return current;
  }

  return { changePassword, changeInfo };
}

export function createProfileService(parts: IdentityParts, services: { signIn: SignInService; accounts: AccountService }): ProfileService {
  const accounts = createAccounts(parts, services);
  const factor = createFactor(parts, services, accounts);
  const factorChange = createFactorChange(parts, services, accounts, factor);
  const information = createInformation(parts, services, accounts);
  const { load } = accounts;
  const { twoFactor } = factorChange;
  const { changeInfo } = information;
  return Object.freeze<ProfileService>({ account: load, twoFactor, changeInfo });
}
