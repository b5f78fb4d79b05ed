import { microsoftSignIn } from '@holdfast/contract/microsoft-sign-in';
import type { Realm } from '@holdfast/database';
import type { CookieOptions } from '../../http/context.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { callerOf, type Identity } from '../identity/index.ts';
import type { MicrosoftSignInService } from './microsoft-sign-in.service.ts';

const COOKIE = 'holdfast-microsoft';

export interface MicrosoftSignInMount {
  readonly service: MicrosoftSignInService;
  readonly provided: Identity['provided'];
  readonly publicUrl: () => string;
}

export function mountMicrosoftSignIn(app: HttpApp, { service, provided, publicUrl }: MicrosoftSignInMount, realm: Realm): void {
  const base = realm === 'staging' ? app.basePaths.staging : app.basePaths.main;
  const cookie = (): CookieOptions => ({
    path: `${base}/api/microsoft-sign-in`,
    httpOnly: true,
    secure: publicUrl().startsWith('https:'),
    sameSite: 'strict',
  });
  mount(
    app,
    microsoftSignIn,
    {
      read: ({ actor, query }) => service.read(actor, query.organisationId),
      change: ({ actor, query, body, request }) => service.change(actor, query.organisationId, body, callerOf(request)),
      remove: ({ actor, query, request }) => service.remove(actor, query.organisationId, callerOf(request)),
      offer: async () => ({ isOffered: await service.isOffered() }),
      async start({ body, reply }) {
        const { address, keepsake, seconds } = await service.start(body.organisation);
        reply.setCookie(COOKIE, keepsake, { ...cookie(), maxAgeSeconds: seconds });
        return { address };
      },
      async complete({ body, request, reply }) {
        reply.clearCookie(COOKIE, cookie());
        const session = await service.complete(body.answer, request.cookies[COOKIE], callerOf(request));
        return provided.answer(session, { request, reply });
      },
    },
    { surface: 'main', realm },
  );
}
