import type { EmailCharacters } from './normalise.ts';

/** Cost of a password hash. Production never goes below the defaults. */
export interface HashCost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

export type PasswordRule =
  | { readonly kind: 'upstream' }
  | { readonly kind: 'product'; readonly minLength: number; readonly checkCommon: boolean };

/** Every switch of identity.md section 1, and the numbers behind them. */
export interface IdentityOptions {
  readonly profile: 'conformance' | 'hardened';
  readonly refreshRotation: 'reusable' | 'singleUse';
  readonly accessLifetimeMs: number;
  /** Life of a refresh token in `conformance`; in `hardened` it ends with its session. */
  readonly refreshLifetimeMs: number;
  readonly idleTimeoutMs: number | undefined;
  readonly absoluteLifetimeMs: number | undefined;
  readonly sessionsPerAccount: number | undefined;
  readonly totpReplay: 'allowed' | 'refused';
  readonly recoveryLockout: boolean;
  readonly stepUpEmailChange: boolean;
  readonly stepUpTwoFactor: boolean;
  readonly staleAccess: 'lives' | 'ends';
  readonly enumeration: 'upstream' | 'hidden';
  readonly registration: 'open' | 'invite';
  readonly requireConfirmedEmail: boolean;
  /** Upstream's other rule with the same effect, told apart in the audit log. */
  readonly requireConfirmedAccount: boolean;
  readonly secondFactor: 'required' | 'optional';
  readonly password: PasswordRule;
  readonly emailCharacters: EmailCharacters;
  readonly rateLimits: boolean;
  readonly lockout: { readonly limit: number; readonly durationMs: number; readonly forNewAccounts: boolean };
  readonly confirmationLifetimeMs: number;
  readonly resetLifetimeMs: number;
  readonly hashCost: HashCost;
  /** Cookie sign-in is set up. */
  readonly cookies: boolean;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const productionCost: HashCost = { memoryKib: 19_456, passes: 2, lanes: 1 };
const lockout = { limit: 5, durationMs: 5 * MINUTE, forNewAccounts: true };

/** What the product runs with. */
export const hardened: IdentityOptions = Object.freeze<IdentityOptions>({
  profile: 'hardened',
  refreshRotation: 'singleUse',
  accessLifetimeMs: 900 * SECOND,
  refreshLifetimeMs: 12 * HOUR,
  idleTimeoutMs: 16 * MINUTE,
  absoluteLifetimeMs: 12 * HOUR,
  sessionsPerAccount: 10,
  totpReplay: 'refused',
  recoveryLockout: true,
  stepUpEmailChange: true,
  stepUpTwoFactor: true,
  staleAccess: 'ends',
  enumeration: 'hidden',
  registration: 'invite',
  requireConfirmedEmail: true,
  requireConfirmedAccount: false,
  secondFactor: 'required',
  password: { kind: 'product', minLength: 12, checkCommon: true },
  emailCharacters: 'spec',
  rateLimits: true,
  lockout,
  confirmationLifetimeMs: DAY,
  resetLifetimeMs: 30 * MINUTE,
  hashCost: productionCost,
  cookies: true,
});

/** Answers as upstream does; for conformance suites, on loopback only. */
export const conformance: IdentityOptions = Object.freeze<IdentityOptions>({
  profile: 'conformance',
  refreshRotation: 'reusable',
  accessLifetimeMs: 3_600 * SECOND,
  refreshLifetimeMs: 14 * DAY,
  idleTimeoutMs: undefined,
  absoluteLifetimeMs: undefined,
  sessionsPerAccount: undefined,
  totpReplay: 'allowed',
  recoveryLockout: false,
  stepUpEmailChange: false,
  stepUpTwoFactor: false,
  staleAccess: 'lives',
  enumeration: 'upstream',
  registration: 'open',
  requireConfirmedEmail: false,
  requireConfirmedAccount: false,
  secondFactor: 'optional',
  password: { kind: 'upstream' },
  emailCharacters: 'upstream',
  rateLimits: false,
  lockout,
  confirmationLifetimeMs: DAY,
  resetLifetimeMs: DAY,
  hashCost: productionCost,
  cookies: true,
});
