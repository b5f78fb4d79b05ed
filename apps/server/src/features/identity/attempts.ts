import { sha256 } from '@holdfast/foundation/bytes';
import { now } from '@holdfast/foundation/clock';
import { changeAccount, reserveAttempt, undoAttempt, type Account, type AnyTx } from './accounts.store.ts';
import { forgetFailures, isLockedOut, reserveFailure, undoFailure } from './failures.store.ts';
import type { Caller, IdentityParts } from './identity-parts.ts';
import type { KnownDevices } from './known-devices.ts';
import { lockoutRule } from './second-factor.ts';

/** Where the wrong attempts of a caller are counted. */
export interface Attempts {
  /** Counts an attempt before it is looked at. Undefined: locked, nothing was counted. */
  reserve(): Promise<{ readonly locked: boolean } | undefined>;
  /** Takes the last attempt back: it was right. */
  undo(tx: AnyTx): Promise<void>;
  isLocked(): Promise<boolean>;
  /** Forgets what was counted, after a sign-in. */
  clear(tx: AnyTx): Promise<void>;
}

/** Attempts from a device that the account was signed in with count for that device, all others for the account. */
export type AttemptsOf = (account: Account, caller: Caller) => Promise<Attempts>;

export function isAccountLocked(account: Account, atMs: number): boolean {
  return account.lockout_enabled && account.locked_until !== null && account.locked_until.getTime() > atMs;
}

export function createAttempts(parts: IdentityParts, devices: KnownDevices): AttemptsOf {
  const { database, clock } = parts;

  function ofAccount(account: Account): Attempts {
    const rule = lockoutRule(parts);
    return {
      reserve: () => database.installation((tx) => reserveAttempt(tx, account.id, rule)),
      undo: (tx) => undoAttempt(tx, account.id, rule),
      isLocked: () => Promise.resolve(isAccountLocked(account, clock.nowMs())),
      clear: (tx) => changeAccount(tx, account.id, { failed_count: 0, locked_until: null }),
    };
  }

  function ofDevice(account: Account, device: string): Attempts {
    const rule = lockoutRule(parts);
    const counter = sha256(`${account.id}\n${device}`);
    return {
      reserve: () => database.installation((tx) => reserveFailure(tx, counter, rule)),
      undo: (tx) => undoFailure(tx, counter, rule),
      isLocked: () => database.installation((tx) => isLockedOut(tx, counter, now(clock))),
      clear: (tx) => forgetFailures(tx, counter),
    };
  }

  return async (account, caller) => {
    const device = await devices.find(caller.device, account.normalised_email);
    return device === undefined ? ofAccount(account) : ofDevice(account, device);
  };
}
