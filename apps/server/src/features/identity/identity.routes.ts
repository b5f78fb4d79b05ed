import { identity as contract } from '@holdfast/contract/identity';
import type { HttpApp } from '../../http/http-app.ts';
import type { Context, ReplyTools, RequestInfo } from '../../http/context.ts';
import { mount, surfaceOf } from '../../http/mount.ts';
import type { AccountService } from './account.service.ts';
import { anyCase } from './any-case.ts';
import { callerOf } from './caller.ts';
import {
  deviceCookieOf,
  ownCookie,
  refreshCookie,
  refreshSetting,
  setDeviceCookie,
  setRefreshCookie,
  type CookieSetting,
} from './cookies.ts';
import { identityDialect } from './identity-dialect.ts';
import type { IdentityParts } from './identity-parts.ts';
import type { KnownDevices } from './known-devices.ts';
import type { ProfileService } from './profile.service.ts';
import { malformed, notAuthenticated, signInFailed, type SignInDetail } from './refusal.ts';
import { isSameOrigin } from './same-site.ts';
import type { SessionLifeService } from './session-life.service.ts';
import type { IssuedSession } from './session.service.ts';
import { sessionCookie } from './session-reader.ts';
import type { Refusal, SignInService } from './sign-in.service.ts';

export interface IdentityServices {
  readonly signIn: SignInService;
  readonly devices: KnownDevices;
  readonly accounts: AccountService;
  readonly profile: ProfileService;
  readonly life: SessionLifeService;
}

/** The contract's routes with bodies whose member names are read in any letter case. */
const routes = {
  ...contract,
  register: { ...contract.register, body: anyCase(contract.register.body) },
  login: { ...contract.login, body: anyCase(contract.login.body) },
  refresh: { ...contract.refresh, body: anyCase(contract.refresh.body) },
  resendConfirmationMail: { ...contract.resendConfirmationMail, body: anyCase(contract.resendConfirmationMail.body) },
  resendConfirmationEmail: { ...contract.resendConfirmationEmail, body: anyCase(contract.resendConfirmationEmail.body) },
  forgotPassword: { ...contract.forgotPassword, body: anyCase(contract.forgotPassword.body) },
  resetPassword: { ...contract.resetPassword, body: anyCase(contract.resetPassword.body) },
  twoFactor: { ...contract.twoFactor, body: anyCase(contract.twoFactor.body) },
  changeInfo: { ...contract.changeInfo, body: anyCase(contract.changeInfo.body) },
};

const DETAILS = {
  failed: 'Failed',
  lockedOut: 'LockedOut',
  notAllowed: 'NotAllowed',
  requiresTwoFactor: 'RequiresTwoFactor',
} as const satisfies Record<Refusal, SignInDetail>;

const MACHINE_SECONDS = 14 * 86_400;

export interface IdentityMount {
  readonly parts: IdentityParts;
  readonly services: IdentityServices;
  readonly realm: 'production' | 'staging';
}

function bearerAnswer(session: IssuedSession, audience: 'main' | 'staging') {
  const access = session.access[audience];
  if (!access || !session.refresh) throw notAuthenticated();
  return { tokenType: 'Bearer' as const, accessToken: access.token, expiresIn: access.expiresIn, refreshToken: session.refresh.token };
}

function portalAnswer(session: IssuedSession) {
  const { main, staging, legacy } = session.access;
  if (!main) throw notAuthenticated();
  return {
    tokenType: 'Bearer' as const,
    accessToken: main.token,
    expiresIn: main.expiresIn,
    sessions: { main, ...(staging ? { staging } : {}), ...(legacy ? { legacy } : {}) },
  };
}

interface MountedIdentity extends IdentityMount {
  readonly base: string;
  readonly audience: 'main' | 'staging';
  readonly cookie: CookieSetting;
}

function machineCookie(mounted: MountedIdentity): string {
  return `holdfast-machine-${mounted.audience}`;
}

/** After a sign-in in a browser, strangers who guess at the address no longer lock this browser out. */
export async function rememberDevice(
  { parts, services }: Pick<IdentityMount, 'parts' | 'services'>,
  { email }: { readonly email: string },
  { request, reply }: { readonly request: RequestInfo; readonly reply: ReplyTools },
): Promise<void> {
  if (parts.options.profile === 'conformance') return;
  const value = await services.devices.remember(deviceCookieOf(request.cookies), email);
  setDeviceCookie(reply, parts.publicUrl().startsWith('https:'), value);
}

async function login(mounted: MountedIdentity, context: Context<typeof routes.login>) {
  const { parts, services, audience } = mounted;
  const { query, body, request, reply } = context;
  const mode = query.useSessionCookies ? 'cookie' : query.useCookies ? 'persistentCookie' : 'bearer';
  if (mode !== 'bearer' && !parts.options.cookies) throw malformed();
  const result = await services.signIn.login(
    {
      email: body.email,
      password: body.password,
      twoFactorCode: body.twoFactorCode ?? undefined,
      recoveryCode: body.twoFactorRecoveryCode ?? undefined,
      machineToken: request.cookies[machineCookie(mounted)],
      mode,
      audience,
    },
    callerOf(request),
  );
  if (result.kind !== 'signedIn') throw signInFailed(DETAILS[result.kind]);
  if (result.machineToken !== undefined) {
    reply.setCookie(machineCookie(mounted), result.machineToken, ownCookie(mounted.cookie, MACHINE_SECONDS));
  }
  if (!result.session.cookie) return bearerAnswer(result.session, audience);
  const maxAge = mode === 'persistentCookie' ? result.session.cookie.expiresIn : undefined;
  reply.setCookie(sessionCookie(audience), result.session.cookie.token, ownCookie(mounted.cookie, maxAge));
  await rememberDevice(mounted, result.account, context);
  return undefined;
}

/** The cookie stands in for the missing member, for our own pages only. */
async function refresh(mounted: MountedIdentity, context: Context<typeof routes.refresh>) {
  const { services, parts, audience, cookie } = mounted;
  const { body, request, reply } = context;
  const isBackground = request.headers['x-background-poll'] === '1';
  const fromCookie = audience === 'main' ? request.cookies[refreshCookie(cookie.isSecure)] : undefined;
  if (body.refreshToken === undefined && fromCookie === undefined) throw malformed();
  if (body.refreshToken !== undefined) {
    const renewed = await services.life.refresh({ token: body.refreshToken ?? '', audience, isBackground }, callerOf(request));
    if (!renewed) throw notAuthenticated();
    return bearerAnswer(renewed.session, audience);
  }
  const { origin, 'sec-fetch-site': fetchSite } = request.headers;
  const isOurs = isSameOrigin({ method: 'POST', origin: text(origin), fetchSite: text(fetchSite) }, parts.publicUrl());
  if (!isOurs || fromCookie === undefined) throw notAuthenticated();
  const renewed = await services.life.refresh({ token: fromCookie, audience: 'portal', isBackground }, callerOf(request));
  if (!renewed?.session.refresh) throw notAuthenticated();
  setRefreshCookie(reply, refreshSetting(parts), renewed.session.refresh.token, renewed.session.refresh.expiresIn);
  return portalAnswer(renewed.session);
}

function text(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Mounts upstream's calls under the base path of a realm. Their errors have a dialect of their own. */
export function mountIdentity(app: HttpApp, options: IdentityMount): void {
  const { parts, services, realm } = options;
  const { base } = surfaceOf(app, { surface: 'main', realm });
  const mounted: MountedIdentity = {
    ...options,
    base,
    audience: realm === 'staging' ? 'staging' : 'main',
    cookie: { base, isSecure: parts.publicUrl().startsWith('https:') },
  };
  const { accounts, profile } = services;
  mount(
    app,
    routes,
    {
      register: ({ body, request }) => accounts.register(base, body.email, body.password, callerOf(request)),
      login: (context) => login(mounted, context),
      refresh: (context) => refresh(mounted, context),
      confirmEmail: async ({ query, request, reply }) => {
        await accounts.confirmEmail(query, callerOf(request));
        reply.contentType('text/plain');
        return 'Thank you for confirming your email.';
      },
      resendConfirmationMail: ({ body }) => accounts.resendConfirmation(base, body.email),
      resendConfirmationEmail: ({ body }) => accounts.resendConfirmation(base, body.email),
      forgotPassword: ({ body }) => accounts.forgotPassword(body.email, 'code'),
      resetPassword: ({ body, request }) =>
        accounts.resetByCode({ email: body.email, code: body.resetCode, password: body.newPassword }, callerOf(request)),
      twoFactor: async ({ actor, body, request, reply }) => {
        const state = await profile.twoFactor(actor, body, request.cookies[machineCookie(mounted)], callerOf(request));
        if (body.forgetMachine) reply.clearCookie(machineCookie(mounted), ownCookie(mounted.cookie));
        return state;
      },
      info: ({ actor }) => ({ email: actor.email, isEmailConfirmed: actor.isEmailConfirmed }),
      changeInfo: async ({ actor, body, request }) => infoOf(await profile.changeInfo(base, actor, body, callerOf(request))),
    },
    { surface: 'main', realm, restricted: 'allow', dialect: identityDialect(parts.options) },
  );
}

function infoOf(account: { email: string; email_confirmed: boolean }): { email: string; isEmailConfirmed: boolean } {
  return { email: account.email, isEmailConfirmed: account.email_confirmed };
}
