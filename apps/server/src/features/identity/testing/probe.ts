import { credentialsOf } from '../../../http/authentication.ts';
import type { HttpApp } from '../../../http/http-app.ts';
import type { Audience } from '../../../access/actor.ts';
import type { Sessions } from '../session-reader.ts';

/** A route that shows name and claims of a session, one for each surface. It exists for these suites alone. */
export function mountProbe(app: HttpApp, sessions: Sessions): void {
  const places: readonly (readonly [string, Audience])[] = [
    ['/apollo/probe', 'main'],
    ['/apollo-beta/probe', 'staging'],
    ['/api/probe', 'legacy'],
  ];
  for (const [url, audience] of places) {
    app.server.get(url, async (request, reply) => {
      const credentials = credentialsOf(request, audience);
      const live = await sessions.live(credentials);
      if (!live || !(await sessions.read(credentials))) {
        return reply.code(401).header('www-authenticate', 'Bearer').header('content-length', '0').send();
      }
      return { name: live.token.user_name, email: live.token.email, id: live.account.id, amr: live.token.amr };
    });
  }
}
