/**
 * Identity: signing in and staying signed in.
 *
 * One store of accounts, three surfaces over it: upstream's calls under /apollo, the same under
 * /apollo-beta for the staging realm, and the portal's sign-in under /api/auth. One sign-in of the
 * portal yields three opaque tokens, one for each surface; a token opens its own surface only.
 *
 * It promises that every way in is equally strong: one password check, one atomic lockout, one audit
 * trail. Secrets are stored as hashes or sealed; mail is queued in the transaction that asks for it.
 * A request ends in `sessions.read(credentials)`, which gives the actor with their memberships.
 *
 * `createIdentity(parts)` takes prefix, store, clock, mail and options as arguments, so that suites can
 * mount it twice over one store or two. Organisations and roles are not its business: it asks for them.
 */
import type { ReplyTools, RequestInfo } from '../../http/context.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { createAccountService } from './account.service.ts';
import { createAccountViewService, type OrganisationNames } from './account-view.service.ts';
import { mountAccounts } from './accounts.routes.ts';
import { createAttempts } from './attempts.ts';
import { createBootstrapService, type BootstrapService, type OrganisationFounder } from './bootstrap.service.ts';
import { deviceCookieOf } from './cookies.ts';
import { createInvitationService, type InvitationService } from './invitation.service.ts';
import { createRecoveryService, type RecoveryService } from './recovery.service.ts';
import { mountIdentity, type IdentityServices } from './identity.routes.ts';
import type { IdentityParts } from './identity-parts.ts';
import { createKnownDevices } from './known-devices.ts';
import { createPasskeyCeremony } from './passkey-ceremony.ts';
import { createPasskeySignIn } from './passkey-sign-in.service.ts';
import { createPasskeyService } from './passkeys.service.ts';
import { mountPasskeys } from './passkeys.routes.ts';
import { createStepUp } from './step-up.ts';
import { mountLegacyAuth, signedInAnswer } from './legacy-auth.routes.ts';
import { createLegacySignInService } from './legacy-sign-in.service.ts';
import { createProvidedAccounts, type ProvidedAccounts } from './provided-accounts.service.ts';
import { createProfileService } from './profile.service.ts';
import type { PortalSession } from './session.service.ts';
import { createSessionLifeService } from './session-life.service.ts';
import { createSessions, type Sessions } from './session-reader.ts';
import { createSignInService } from './sign-in.service.ts';

export type { OrganisationFounder } from './bootstrap.service.ts';
export type { OrganisationNames } from './account-view.service.ts';
export type { InvitationService, MemberAccount } from './invitation.service.ts';
export type { PortalSession } from './session.service.ts';
export type { ProvidedAccounts } from './provided-accounts.service.ts';
export type { RecoveryService } from './recovery.service.ts';
export type { Caller, IdentityParts, MembershipReader } from './identity-parts.ts';
export type { HashCost, IdentityOptions } from './options.ts';
export { createPasswordHasher, type PasswordHasher } from './password-hasher.ts';
export { askingOf, callerOf, type AskedOfOrganisation, type Asking } from './caller.ts';
export type { Sessions } from './session-reader.ts';
export { createSecretText, tokenHash } from './tokens.ts';
export { announce as announceAccount } from './sessions.store.ts';
export { createChoices, type Choices } from './choices.service.ts';
export { identityOptionsOf } from './configured-options.ts';

/** The feature, ready to be mounted. */
export interface Identity {
  readonly sessions: Sessions;
  readonly bootstrap: BootstrapService;
  /** Accounts as other features may ask for them: invited, listed, disabled. */
  readonly invitations: InvitationService;
  /** What the console does for somebody who is locked out. */
  readonly recovery: RecoveryService;
  /** Accounts that the provider of an organisation vouches for, and the answer that signs them in. */
  readonly provided: ProvidedAccounts & {
    answer(
      session: PortalSession,
      exchange: { readonly request: RequestInfo; readonly reply: ReplyTools },
    ): ReturnType<typeof signedInAnswer>;
  };
  /** Whether calls are counted and held back above their limits. */
  readonly hasRateLimits: boolean;
  /** Devices that people have signed in with before, for whoever limits calls. */
  readonly devices: { find(cookies: RequestInfo['cookies'], email: string | undefined): Promise<string | undefined> };
  /** Upstream's calls and ours, under the base path of a realm. */
  mountMain(app: HttpApp, realm: 'production' | 'staging'): void;
  /** The sign-in of the portal, under /api/auth. */
  mountLegacy(app: HttpApp): void;
  /** Removes what has long been over. */
  tidy(): Promise<void>;
}

export function createIdentity(
  parts: IdentityParts,
  ports: { readonly founder: OrganisationFounder; readonly names: OrganisationNames },
): Identity {
  const sessions = createSessions(parts);
  const devices = createKnownDevices(parts);
  const doors = { devices, attemptsOf: createAttempts(parts, devices) };
  const signIn = createSignInService(parts, doors);
  const accounts = createAccountService(parts);
  const services: IdentityServices = {
    signIn,
    devices,
    accounts,
    profile: createProfileService(parts, { signIn, accounts }),
    life: createSessionLifeService(parts),
  };
  const ceremony = createPasskeyCeremony(parts);
  const passkeySignIn = createPasskeySignIn(parts, ceremony, { signIn, doors });
  const passkeys = createPasskeyService(parts, ceremony, createStepUp(parts, signIn));
  const legacy = createLegacySignInService(parts, signIn, doors, passkeySignIn);
  const bootstrap = createBootstrapService(parts, ports.founder);
  const view = createAccountViewService(parts, ports.names);
  return Object.freeze<Identity>({
    sessions,
    bootstrap,
    invitations: createInvitationService(parts),
    recovery: createRecoveryService(parts),
    provided: {
      ...createProvidedAccounts(parts, signIn),
      answer: (session, exchange) => signedInAnswer({ parts, services }, session, exchange),
    },
    hasRateLimits: parts.options.rateLimits,
    devices: { find: (cookies, email) => devices.find(deviceCookieOf(cookies), email) },
    mountMain(app, realm) {
      mountIdentity(app, { parts, services, realm });
      mountAccounts(app, { parts, services, bootstrap, view, realm });
      mountPasskeys(app, { parts, services, passkeys, signIn: passkeySignIn, realm });
    },
    mountLegacy: (app) => mountLegacyAuth(app, { parts, services, legacy }),
    tidy: () => services.life.tidy(),
  });
}
