import { passkeys as contract, passkeySignIn } from '@holdfast/contract/passkeys';
import type { HttpApp } from '../../http/http-app.ts';
import type { CookieOptions, RequestInfo } from '../../http/context.ts';
import { mount, surfaceOf } from '../../http/mount.ts';
import { ValidationError } from '../../http/problem.ts';
import { callerOf } from './caller.ts';
import { faultText } from './identity-dialect.ts';
import type { IdentityServices } from './identity.routes.ts';
import type { IdentityParts } from './identity-parts.ts';
import { signedInAnswer } from './legacy-auth.routes.ts';
import type { PasskeySignInService } from './passkey-sign-in.service.ts';
import type { PasskeyService } from './passkeys.service.ts';
import { IdentityRefusal } from './refusal.ts';

export interface PasskeysMount {
  readonly parts: IdentityParts;
  readonly services: IdentityServices;
  readonly passkeys: PasskeyService;
  readonly signIn: PasskeySignInService;
  readonly realm: 'production' | 'staging';
}

const COOKIE = 'holdfast-passkey';

/** A proof that is missing or wrong is said at its field. */
async function atItsField<T>(parts: IdentityParts, request: RequestInfo, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const [key] = error instanceof IdentityRefusal ? error.keys : [];
    if (key === undefined) throw error;
    const field = key === 'InvalidTwoFactorCode' ? 'twoFactorCode' : 'password';
    throw new ValidationError('request.invalid', { [field]: [faultText(key, request.language, parts.options)] });
  }
}

/** One's own passkeys, which somebody who has to set up a second factor reaches too, and the sign-in with one. */
export function mountPasskeys(app: HttpApp, mounted: PasskeysMount): void {
  const { parts, passkeys, signIn, realm } = mounted;
  const { base } = surfaceOf(app, { surface: 'main', realm });
  mount(
    app,
    contract,
    {
      async list({ actor }) {
        const { isPossible, items } = await passkeys.list(actor);
        return {
          isPossible,
          items: items.map(({ id, name, created_at, last_used_at, isOfOtherAddress }) => ({
            passkeyId: id,
            name,
            createdAt: created_at.toISOString(),
            lastUsedAt: last_used_at?.toISOString() ?? null,
            isOfOtherAddress,
          })),
        };
      },
      begin: ({ actor, body, request }) =>
        atItsField(parts, request, passkeys.begin(actor, { password: body.password, code: body.twoFactorCode }, callerOf(request))),
      add: async ({ actor, body, request }) => ({ recoveryCodes: await passkeys.add(actor, body, callerOf(request)) }),
      remove({ actor, params, body, request }) {
        const proof = { password: body.password, code: body.twoFactorCode };
        return atItsField(parts, request, passkeys.remove(actor, params.passkeyId, proof, callerOf(request)));
      },
    },
    { surface: 'main', realm, restricted: 'allow' },
  );
  const cookie = (): CookieOptions => ({
    path: `${base}/api/passkey-sign-in`,
    httpOnly: true,
    secure: parts.publicUrl().startsWith('https:'),
    sameSite: 'strict',
  });
  mount(
    app,
    passkeySignIn,
    {
      async start({ reply }) {
        const { request, keepsake, seconds } = await signIn.start();
        reply.setCookie(COOKIE, keepsake, { ...cookie(), maxAgeSeconds: seconds });
        return request;
      },
      async complete({ body, request, reply }) {
        reply.clearCookie(COOKIE, cookie());
        const session = await signIn.complete(body.answer, request.cookies[COOKIE], callerOf(request));
        return signedInAnswer(mounted, session, { request, reply });
      },
    },
    { surface: 'main', realm },
  );
}
