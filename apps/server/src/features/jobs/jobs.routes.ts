import { jobs } from '@holdfast/contract/jobs';
import type { Realm } from '@holdfast/database';
import type { Actor } from '../../access/actor.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { RequestInfo } from '../../http/context.ts';
import { expectedVersion } from '../../http/etag.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import type { ResolvedOrganisation } from '../../http/ports.ts';
import type { Caller } from '../../access/caller.ts';
import type { JobsService } from './jobs.service.ts';

function callerOf(context: {
  readonly actor: Actor;
  readonly organisation: ResolvedOrganisation;
  readonly realm: Realm;
  readonly request: RequestInfo;
}): Caller {
  return { actor: context.actor, scope: scopeOf(context), request: context.request };
}

/** Mounts the calls of jobs over one realm. */
export function createJobsRoutes(app: HttpApp, service: JobsService, realm: Realm): void {
  mount(
    app,
    jobs,
    {
      list: (context) => service.list(scopeOf(context), context.params.tenantId, context.query),
      create: (context) => service.create(callerOf(context), context.params.tenantId, context.body),
      preview: (context) => service.preview(callerOf(context), context.params.tenantId, context.body),
      async get(context) {
        const job = await service.get(scopeOf(context), context.params.tenantId, context.params.jobId);
        context.reply.etag(job.version);
        return job;
      },
      async update(context) {
        const place = { ...context.params, expectedVersion: expectedVersion(context.request) };
        const job = await service.update(callerOf(context), place, context.body);
        context.reply.etag(job.version);
        return job;
      },
      remove: (context) => service.remove(callerOf(context), { ...context.params, expectedVersion: expectedVersion(context.request) }),
      start: (context) => service.start(callerOf(context), context.params),
      stop: (context) => service.stop(callerOf(context), context.params),
      status: (context) => service.status(scopeOf(context), context.params, context.params.taskId),
    },
    { surface: 'main', realm },
  );
}
