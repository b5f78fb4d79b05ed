import { z } from 'zod';
import { defineRoute } from './shared/route.ts';
import { id, tenantParams } from './shared/values.ts';

/** What has changed, by name; the portal reads it again. `run.progress` comes at most twice a second and run. */
export const liveEvents = {
  'run.progress': z.object({ reportId: id, jobId: id.nullable() }),
  'run.ended': z.object({ reportId: id, jobId: id.nullable() }),
  'jobs.changed': z.object({ jobId: id.nullable() }),
  'task.changed': z.object({ taskId: id }),
  'tenants.changed': z.object({ tenantId: id }),
} as const;
export type LiveEventName = keyof typeof liveEvents;

export const events = {
  stream: defineRoute({
    method: 'GET',
    path: '/api/:tenantId/events',
    action: 'events.read',
    summary: 'Server-sent events: what has changed, resumable by Last-Event-ID',
    params: tenantParams,
    response: 'events',
  }),
};
