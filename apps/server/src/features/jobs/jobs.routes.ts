import { jobs } from '@holdfast/contract/jobs';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { expectedVersion } from '../../http/etag.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import { requestedBy } from '../../http/requested-by.ts';
import type { JobsService } from './jobs.service.ts';

/** Mounts the calls of jobs over one realm. */
export function createJobsRoutes(app: HttpApp, service: JobsService, realm: Realm): void {
  mount(
    app,
    jobs,
    {
      list: (context) => service.list(scopeOf(context), context.params.tenantId, context.query),
      create: (context) => service.create(requestedBy(context), context.params.tenantId, context.body),
      preview: (context) => service.preview(requestedBy(context), context.params.tenantId, context.body),
      async get(context) {
        const job = await service.get(scopeOf(context), context.params.tenantId, context.params.jobId);
        context.reply.etag(job.version);
        return job;
      },
      async update(context) {
        const place = { ...context.params, expectedVersion: expectedVersion(context.request) };
        const job = await service.update(requestedBy(context), place, context.body);
        context.reply.etag(job.version);
        return job;
      },
      remove: (context) => service.remove(requestedBy(context), { ...context.params, expectedVersion: expectedVersion(context.request) }),
      start: (context) => service.start(requestedBy(context), context.params),
      stop: (context) => service.stop(requestedBy(context), context.params),
      status: (context) => service.status(scopeOf(context), context.params, context.params.taskId),
    },
    { surface: 'main', realm },
  );
}
