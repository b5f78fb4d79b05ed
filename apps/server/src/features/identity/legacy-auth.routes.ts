import { auth } from '@holdfast/contract/legacy/auth';
import { AppError } from '@holdfast/foundation/errors';
import type { HttpApp } from '../../http/http-app.ts';
import type { ReplyTools, RequestInfo } from '../../http/context.ts';
import type { ErrorDialect } from '../../http/error-writer.ts';
import { ValidationError } from '../../http/problem.ts';
import { mount } from '../../http/mount.ts';
import { callerOf } from './caller.ts';
import { clearCookies, refreshSetting, setRefreshCookie } from './cookies.ts';
import { faultText } from './identity-dialect.ts';
import { rememberDevice, type IdentityServices } from './identity.routes.ts';
import type { IdentityParts } from './identity-parts.ts';
import type { LegacySignInService } from './legacy-sign-in.service.ts';
import type { PortalSession } from './session.service.ts';

export interface LegacyAuthMount {
  readonly parts: IdentityParts;
  readonly services: IdentityServices;
  readonly legacy: LegacySignInService;
}

/** The tokens that were asked for, by audience. */
function sessionsIn({ main, staging, legacy }: PortalSession['session']['access']) {
  return { ...(main ? { main } : {}), ...(staging ? { staging } : {}), ...(legacy ? { legacy } : {}) };
}

/** What a completed sign-in answers; sets the refresh cookie where the portal's audiences were asked for. */
export async function signedInAnswer(
  mounted: Pick<LegacyAuthMount, 'parts' | 'services'>,
  portal: PortalSession,
  { request, reply }: { readonly request: RequestInfo; readonly reply: ReplyTools },
) {
  const { account, session, audiences } = portal;
  const { parts, services } = mounted;
  const setting = refreshSetting(parts);
  if (session.refresh) setRefreshCookie(reply, setting, session.refresh.token, session.refresh.expiresIn);
  const isAlone = audiences.length === 1 && audiences[0] === 'legacy';
  if (!isAlone) await rememberDevice(mounted, account, { request, reply });
  const { main, staging, legacy } = session.access;
  const held = legacy ?? main ?? staging;
  if (!held) throw new AppError('identity.verification-failed');
  const chosen = await services.life.roleOf(account.id);
  return {
    token: held.token,
    expiresIn: held.expiresIn,
    user: { id: account.id, email: account.email, role: chosen?.role ?? null },
    ...(isAlone ? {} : { sessions: sessionsIn(session.access) }),
  };
}

/** A wrong code says how many attempts there were and are left. */
const attemptsDialect: ErrorDialect = (error, answer) => {
  if (!(error instanceof AppError) || error.code !== 'identity.invalid-code') return undefined;
  const { attempts, attemptsLeft } = error.details;
  return {
    status: answer.status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    body: JSON.stringify({ ...answer.body, attempts, attemptsLeft }),
  };
};

/** Mounts the sign-in of the portal under /api/auth. */
export function mountLegacyAuth(app: HttpApp, mounted: LegacyAuthMount): void {
  const { parts, services, legacy } = mounted;
  mount(
    app,
    auth,
    {
      signIn: async ({ body, request, reply }) => {
        const step = await legacy.signIn(body, callerOf(request));
        if (step.kind === 'signedIn') return signedInAnswer(mounted, step.portal, { request, reply });
        return { verificationRequired: true as const, challengeId: step.challengeId, channels: [...step.channels] };
      },
      verifyUser: ({ body, request }) => legacy.sendCode(body.challengeId, callerOf(request)),
      verifyCode: async ({ body, request, reply }) =>
        signedInAnswer(mounted, await legacy.verifyCode(body.challengeId, body.code, callerOf(request)), { request, reply }),
      passkeyOptions: ({ body, request }) => legacy.passkeyOptions(body.challengeId, callerOf(request)),
      verifyPasskey: async ({ body, request, reply }) =>
        signedInAnswer(mounted, await legacy.verifyPasskey(body.challengeId, body.answer, callerOf(request)), { request, reply }),
      forgotPassword: ({ body }) => services.accounts.forgotPassword(body.email, 'link'),
      resetPassword: async ({ params, body, request }) => {
        const result = await services.accounts.resetByLink(params.token, body.password, callerOf(request));
        if (result === 'refused') throw new AppError('identity.reset-failed');
        if (result === 'done') return;
        const texts = result.map((key) => faultText(key, request.language, parts.options));
        throw new ValidationError('request.invalid', { password: texts });
      },
      logout: async ({ request, reply }) => {
        clearCookies(reply, refreshSetting(parts));
        const token = request.headers['authorization'];
        const isKnown = await services.life.logout(Array.isArray(token) ? token[0] : token, callerOf(request));
        if (!isKnown) throw new AppError('unauthorized');
      },
    },
    { surface: 'legacy', realm: 'production', dialect: attemptsDialect },
  );
}
