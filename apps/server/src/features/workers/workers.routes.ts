import { selection, workers as contract } from '@holdfast/contract/workers';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { callerOf } from '../identity/index.ts';
import type { WorkersService } from './workers.service.ts';

/** Mounts what administrators and workers call, under the base path of a realm. */
export function mountWorkers(app: HttpApp, service: WorkersService, realm: 'production' | 'staging'): void {
  mount(
    app,
    contract,
    {
      list: async ({ actor, query }) => ({ items: await service.list(actor, query.organisationId) }),
      createJoinToken: ({ actor, query, request }) => service.createJoinToken(actor, query.organisationId, callerOf(request)),
      joinTokens: async ({ actor, query }) => ({ items: await service.joinTokens(actor, query.organisationId) }),
      revokeJoinToken: ({ actor, params, request }) => service.revokeJoinToken(actor, params.joinTokenId, callerOf(request)),
      join: ({ body, request }) => service.join(body, callerOf(request)),
      heartbeat: ({ body }) => {
        const { heartbeatToken, ...beat } = body;
        return service.heartbeat(heartbeatToken, beat);
      },
      update: ({ actor, params, body, request }) => service.update(actor, params.workerId, body, callerOf(request)),
      remove: ({ actor, params, request }) => service.remove(actor, params.workerId, callerOf(request)),
    },
    { surface: 'main', realm },
  );
}

/** Mounts the choice of customer and worker, and the look at a worker, under /api. */
export function mountSelection(app: HttpApp, service: WorkersService): void {
  const scopeOf = (organisationId: Parameters<WorkersService['get']>[0]['organisationId']) => ({
    organisationId,
    realm: 'production' as const,
  });
  mount(
    app,
    selection,
    {
      clients: async ({ actor }) => ({ items: await service.clients(actor) }),
      client: ({ actor }) => service.current(actor),
      choose: ({ actor, body }) => service.choose(actor, body),
      clientsOfType: async ({ actor, params }) => ({ items: await service.clients(actor, params.type) }),
      workerMeta: ({ organisation, params }) => service.get(scopeOf(organisation.organisationId), params.workerId),
      workerCheck: ({ organisation, params }) => service.check(scopeOf(organisation.organisationId), params.workerIp),
      workerChecks: ({ organisation, params }) => service.checks(scopeOf(organisation.organisationId), params.workerIp),
    },
    { surface: 'legacy', realm: 'production' },
  );
}
