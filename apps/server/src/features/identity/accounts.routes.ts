import { accounts as contract } from '@holdfast/contract/identity';
import { passwordMinLength } from '@holdfast/contract/limits';
import { AppError } from '@holdfast/foundation/errors';
import type { Actor } from '../../access/actor.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { mount, surfaceOf } from '../../http/mount.ts';
import { ValidationError } from '../../http/problem.ts';
import type { AccountViewService } from './account-view.service.ts';
import type { BootstrapService } from './bootstrap.service.ts';
import { callerOf } from './caller.ts';
import { setDownloadCookie } from './cookies.ts';
import { faultText } from './identity-dialect.ts';
import type { IdentityServices } from './identity.routes.ts';
import type { IdentityParts } from './identity-parts.ts';
import { signedInAnswer } from './legacy-auth.routes.ts';
import { minimumLength } from './password-policy.ts';
import { IdentityRefusal } from './refusal.ts';
import type { Session } from './sessions.store.ts';

export interface AccountsMount {
  readonly parts: IdentityParts;
  readonly services: IdentityServices;
  readonly bootstrap: BootstrapService;
  readonly view: AccountViewService;
  readonly realm: 'production' | 'staging';
}

function rowOf(session: Session, actor: Actor) {
  return {
    sessionId: session.id,
    createdAt: session.created_at.toISOString(),
    lastActiveAt: session.last_active_at.toISOString(),
    expiresAt: session.ends_at.toISOString(),
    address: session.address,
    userAgent: session.user_agent,
    factors: session.amr,
    current: session.id === actor.sessionId,
  };
}

const PORTAL = ['main', 'staging', 'legacy'] as const;

/** Mounts what the product adds: policy, first owner, profile and signed-in devices. */
export function mountAccounts(app: HttpApp, mounted: AccountsMount): void {
  const { parts, services, bootstrap, view, realm } = mounted;
  const { options } = parts;
  mount(
    app,
    contract,
    {
      policy: () => ({
        minLength: options.password.kind === 'product' ? minimumLength(options.password) : passwordMinLength,
        requiresSpecial: true,
        registration: options.registration,
        secondFactor: options.secondFactor,
      }),
      bootstrap: async ({ body, request, reply }) => {
        const { token, ...owner } = body;
        const account = await bootstrap.bootstrap(token, owner, callerOf(request)).catch((error: unknown) => {
          if (!(error instanceof IdentityRefusal)) throw error;
          throw new ValidationError('request.invalid', { password: error.keys.map((key) => faultText(key, request.language, options)) });
        });
        const wish = { kind: 'portal', audiences: PORTAL, amr: 'pwd', persistent: false, caller: callerOf(request) } as const;
        const session = await services.signIn.complete(account, wish);
        return signedInAnswer(mounted, { account, session, audiences: PORTAL }, { request, reply });
      },
      account: ({ actor }) => view.read(actor),
      updateAccount: ({ actor, body, request }) => view.update(actor, body, callerOf(request)),
      sessions: async ({ actor }) => ({ items: (await services.life.list(actor)).map((session) => rowOf(session, actor)) }),
      downloadPass: async ({ actor, body, reply }) => {
        if (!body.address.startsWith(`${surfaceOf(app, { surface: 'main', realm }).base}/api/`)) throw new AppError('not-found');
        const pass = await services.life.passFor(actor, body.address);
        setDownloadCookie(reply, parts.publicUrl().startsWith('https:'), { ...pass, address: body.address });
      },
      endSession: ({ actor, params, request }) => services.life.end(actor, params.sessionId, callerOf(request)),
      endOtherSessions: ({ actor, query, request }) => services.life.endOthers(actor, query.includeCurrent ?? false, callerOf(request)),
    },
    { surface: 'main', realm },
  );
}
