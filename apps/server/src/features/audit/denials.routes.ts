import type { Database } from '@holdfast/database';
import type { Logger } from '@holdfast/foundation/logger';
import type { FastifyRequest } from 'fastify';
import { actorName } from '../../access/actor.ts';
import { credentialsOf } from '../../http/authentication.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { surfaceOf } from '../../http/mount.ts';
import type { AuditInbox } from './audit-inbox.store.ts';

/** Writes refused requests of signed-in people into the log. */
export function recordDenials(
  app: HttpApp,
  { database, audit, logger }: { readonly database: Database; readonly audit: AuditInbox; readonly logger: Logger },
): void {
  async function denied(request: FastifyRequest): Promise<void> {
    const { contractRoute } = request.routeOptions.config;
    const mounted = app.mounted.find(({ name, path }) => name === contractRoute && path === request.routeOptions.url);
    if (!mounted) return;
    const { audience } = surfaceOf(app, mounted.options);
    const actor = await app.sessions.read({ ...credentialsOf(request, audience), isBackgroundPoll: true });
    const [home] = actor?.memberships ?? [];
    // A session that is not complete yet was denied nothing: it is told how to complete itself.
    if (!actor || !home || actor.restriction !== undefined) return;
    await database.within({ organisationId: home.organisationId, realm: actor.realm }, (tx) =>
      audit.record(tx, {
        event: 'access.denied',
        outcome: 'denied',
        actor: { kind: 'account', id: actor.accountId, name: actorName(actor), address: request.ip, requestId: request.id },
        details: { method: request.method, route: mounted.path, action: mounted.route.action },
      }),
    );
  }

  app.server.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode !== 403) return;
    await denied(request).catch((error: unknown) => logger.warn({ err: error }, 'a denial could not be noted'));
  });
}
