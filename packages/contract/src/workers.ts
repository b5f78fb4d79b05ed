import { z } from 'zod';
import { roles } from './shared/actions.ts';
import { defineRoute } from './shared/route.ts';
import { id, instant, workloads, oneLine } from './shared/values.ts';

/** Spec section 5: a worker's address looks like XXX.XXX.XXX.XXX. It is an identifier and never dialled. */
export const workerIp = z
  .string()
  .regex(/^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/, { error: 'validation.workerIp' });

export const worker = z.object({
  workerId: id,
  name: z.string(),
  ip: z.string(),
  indexIp: z.string(),
  organizationId: id,
  /** The tenant that is active behind this worker. */
  tenant_id: id.nullable(),
  /** The tenant of the staging realm, copied to tenant_id when the worker is set there. */
  stagingtenant_id: id.nullable(),
  version: z.string(),
  isReachable: z.boolean(),
  lastSeenAt: instant.nullable(),
  /** Share of the worker's capacity in use, 0 to 1. */
  load: z.number().min(0).max(1),
  runningRuns: z.number().int(),
  /** It runs inside the server: it is there as long as that is. */
  isLocal: z.boolean(),
});
export type Worker = z.infer<typeof worker>;

export const clientTypes = [...workloads, 'archive'] as const;
/** A customer (organisation) that the signed-in user may choose, with its workers. */
export const client = z.object({
  clientId: id,
  name: z.string(),
  abbr: z.string(),
  role: z.enum(roles),
  types: z.array(z.enum(clientTypes)),
  workers: z.array(worker),
});
export type Client = z.infer<typeof client>;

export const workerCheck = z.object({ ip: z.string(), isReachable: z.boolean(), checkedAt: instant, lastSeenAt: instant.nullable() });
export const workerChecks = z.object({
  ip: z.string(),
  items: z.array(z.object({ at: instant, reachable: z.number().int(), missed: z.number().int(), load: z.number() })),
});

const clientList = z.object({ items: z.array(client) });
const ipParams = z.object({ workerIp });

/** Customers and workers as the legacy surface names them. */
export const selection = {
  clients: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/clients',
    action: 'session',
    summary: 'The customers I may choose',
    response: clientList,
  }),
  client: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/client',
    action: 'session',
    summary: 'The customer and worker chosen last',
    response: z.object({ client: client.nullable(), worker: worker.nullable() }),
  }),
  choose: defineRoute({
    method: 'POST',
    surface: 'legacy',
    path: '/client',
    action: 'session',
    summary: 'Choose customer and worker',
    body: z.object({ clientId: id, workerId: id }),
    response: z.object({ client, worker }),
    errors: ['not-found'],
  }),
  clientsOfType: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/client/:type',
    action: 'session',
    summary: 'The customers of a type',
    params: z.object({ type: z.enum(clientTypes) }),
    response: clientList,
  }),
  workerMeta: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/worker/meta/:workerId',
    action: 'workers.read',
    summary: 'One worker',
    params: z.object({ workerId: id }),
    response: worker,
  }),
  workerCheck: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/worker/check/:workerIp',
    action: 'workers.read',
    summary: 'Whether a worker is alive',
    params: ipParams,
    response: workerCheck,
  }),
  workerChecks: defineRoute({
    method: 'GET',
    surface: 'legacy',
    path: '/worker/stats/checks/:workerIp',
    action: 'workers.read',
    summary: 'The checks of a worker over the last 30 days',
    params: ipParams,
    response: workerChecks,
  }),
};

/** A new worker proves itself with a join token that an administrator made. */
export const joinToken = z.object({ token: z.string(), expiresAt: instant });
/** One that nobody has used yet, without the token: that is shown once. */
export const joinTokenEntry = z.object({ joinTokenId: id, createdBy: z.string(), createdAt: instant, expiresAt: instant });
export type JoinTokenEntry = z.infer<typeof joinTokenEntry>;
export const workerBody = z.object({
  name: oneLine(z.string().trim().min(1, { error: 'validation.name' }).max(100, { error: 'validation.name' })),
  ip: workerIp,
  indexIp: workerIp,
});

export const workers = {
  list: defineRoute({
    method: 'GET',
    path: '/api/workers',
    action: 'workers.read',
    summary: 'The workers of an organisation',
    query: z.object({ organisationId: id.optional() }),
    response: z.object({ items: z.array(worker) }),
  }),
  createJoinToken: defineRoute({
    method: 'POST',
    path: '/api/workers/join-tokens',
    action: 'workers.manage',
    summary: 'Make a token with which one worker can register, good for 24 hours',
    query: z.object({ organisationId: id.optional() }),
    response: joinToken,
    status: 201,
  }),
  joinTokens: defineRoute({
    method: 'GET',
    path: '/api/workers/join-tokens',
    action: 'workers.manage',
    summary: 'The join tokens that no worker has used yet',
    query: z.object({ organisationId: id.optional() }),
    response: z.object({ items: z.array(joinTokenEntry) }),
  }),
  revokeJoinToken: defineRoute({
    method: 'DELETE',
    path: '/api/workers/join-tokens/:joinTokenId',
    action: 'workers.manage',
    summary: 'Revoke a join token that no worker has used yet',
    params: z.object({ joinTokenId: id }),
    response: 'empty',
    status: 204,
  }),
  join: defineRoute({
    method: 'POST',
    path: '/api/workers/join',
    action: 'public',
    summary: 'Register a worker with a join token',
    body: z.object({ joinToken: z.string().max(200), ...workerBody.shape, version: z.string().max(50) }),
    response: z.object({ workerId: id, heartbeatToken: z.string(), heartbeatSeconds: z.number().int() }),
    status: 201,
    errors: ['workers.join-refused', 'workers.address-taken', 'workers.version-refused'],
  }),
  heartbeat: defineRoute({
    method: 'POST',
    path: '/api/workers/heartbeat',
    action: 'public',
    summary: 'A registered worker says that it is alive',
    body: z.object({
      heartbeatToken: z.string().max(200),
      version: z.string().max(50),
      load: z.number().min(0).max(1),
      runningRuns: z.number().int().min(0),
    }),
    response: 'empty',
    status: 204,
    errors: ['unauthorized', 'workers.version-refused'],
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/api/workers/:workerId',
    action: 'workers.manage',
    summary: 'Change name, address and index address of a worker',
    params: z.object({ workerId: id }),
    body: workerBody,
    response: worker,
    errors: ['workers.address-taken'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/workers/:workerId',
    action: 'workers.manage',
    summary: 'Remove a worker; its heartbeat token dies',
    params: z.object({ workerId: id }),
    response: 'empty',
    status: 204,
    errors: ['workers.local-stays'],
  }),
};
