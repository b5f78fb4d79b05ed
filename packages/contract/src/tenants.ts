import { z } from 'zod';
import { defineRoute } from './shared/route.ts';
import { id, instant, task, taskReference, tenantParams, workloads, oneLine } from './shared/values.ts';

export const tenantStatuses = ['connected', 'provisioning', 'provisioned', 'deprovisioning', 'failed'] as const;

/** What was last seen of Microsoft 365 for a tenant, by a run, a synchronisation or a test of the connection. */
export const microsoftSeen = z.object({
  /** `refused`: it answers and does not let the app in; `unknown`: nothing was asked yet. */
  state: z.enum(['reachable', 'unreachable', 'refused', 'unknown']),
  /** The error, when it is not reachable or refuses. */
  code: z.string().nullable(),
  /** Since when it is not reachable, or when it last answered. */
  at: instant.nullable(),
});

export const tenant = z.object({
  tenantId: id,
  organisationId: id,
  name: z.string(),
  displayName: z.string(),
  status: z.enum(tenantStatuses),
  active: z.boolean(),
  clientId: z.string(),
  microsoftTenantId: z.string(),
  objectId: z.string(),
  appId: z.string(),
  redirectUri: z.string(),
  credential: z.enum(['secret', 'certificate']),
  clientSecretSet: z.boolean(),
  certificateSet: z.boolean(),
  /** The last eight characters; the rest stays with Microsoft and us. */
  thumbprintEnd: z.string().nullable(),
  credentialExpiresAt: instant.nullable(),
  lastCheckedAt: instant.nullable(),
  lastError: z.string().nullable(),
  microsoft: microsoftSeen,
  /** The task that is under way: provisioning, deprovisioning or synchronising. */
  taskId: id.nullable(),
  version: z.number().int(),
  createdAt: instant,
});
export type Tenant = z.infer<typeof tenant>;

const guid = (message: string) => z.guid({ error: message });
const tooLong = { error: 'validation.tooLong' } as const;
const needed = { error: 'rules.credentialRequired' } as const;
const tenantFields = {
  name: z
    .string()
    .trim()
    .min(1, { error: 'validation.name' })
    .max(100, { error: 'validation.name' })
    .regex(/^[\p{L}\p{N} ._-]+$/u, { error: 'rules.specialCharacters' }),
  displayName: oneLine(z.string().trim().max(200, tooLong)).default(''),
  clientId: guid('rules.guid'),
  microsoftTenantId: guid('rules.guid'),
  objectId: z.union([guid('rules.guid'), z.literal('')]).default(''),
  appId: z.union([guid('rules.guid'), z.literal('')]).default(''),
  redirectUri: z.union([z.url({ protocol: /^https?$/, error: 'rules.url' }), z.literal('')]).default(''),
};
/** Digits of a SHA-1 and of a SHA-256 thumbprint. */
const thumbprintLengths: ReadonlySet<number> = new Set([40, 64]);
/** Write-only. A certificate is one PEM text with the certificate and its private key. */
const credentialFields = {
  clientSecret: z.string().min(1, needed).max(1_000, tooLong).optional(),
  certificate: z.string().min(1, needed).max(50_000, tooLong).optional(),
  thumbprint: z
    .string()
    .trim()
    .max(96, { error: 'rules.thumbprint' })
    .regex(/^(?:[0-9A-Fa-f]{2}[: ]?)+$/, { error: 'rules.thumbprint' })
    .refine((value) => thumbprintLengths.has(value.replaceAll(/[: ]/g, '').length), { error: 'rules.thumbprint' })
    .optional(),
};

export const tenantBody = z
  .object({
    ...tenantFields,
    ...credentialFields,
    /** A prepared app registration, whose certificate is used. */
    setupId: id.optional(),
    organisationId: id.optional(),
  })
  // At either field: the form shows one of them at a time.
  .superRefine((body, context) => {
    if (body.clientSecret !== undefined || body.certificate !== undefined || body.setupId !== undefined) return;
    for (const field of ['clientSecret', 'certificate']) {
      context.addIssue({ code: 'custom', path: [field], message: 'rules.credentialRequired' });
    }
  });
/** Without secret and certificate the stored credential stays. `active: true` switches to this tenant. */
export const tenantUpdateBody = z.object({ ...tenantFields, ...credentialFields, active: z.boolean().optional() }).partial();

export const permissionGroups = [
  'application',
  'delegated',
  'accessReview',
  'domain',
  'group',
  'member',
  'people',
  'presence',
  'reports',
  'user',
  'directoryRead',
  'files',
  'sites',
  'teamwork',
  'mail',
] as const;
export const permissionState = z.object({
  permission: z.string(),
  group: z.enum(permissionGroups),
  kind: z.enum(['application', 'delegated']),
  workloads: z.array(z.enum(workloads)),
  /** What the permission is asked for; null where the product does not ask for it. */
  purpose: z.enum(['backup', 'restore', 'discovery', 'reports']).nullable(),
  /** `scoped`: Exchange grants it for some mailboxes; `unproven`: only a restore can show whether it does. */
  state: z.enum(['granted', 'scoped', 'unproven', 'missing', 'unneeded']),
});
export const connectionReport = z.object({
  ok: z.boolean(),
  checkedAt: instant,
  organisationName: z.string().nullable(),
  /** A phrase key that says what is wrong, when something is. */
  problem: z.string().nullable(),
  permissions: z.array(permissionState),
  workloads: z.array(z.object({ workload: z.enum(workloads), canBackUp: z.boolean(), canRestore: z.boolean() })),
});
export type ConnectionReport = z.infer<typeof connectionReport>;

const credentialErrors = [
  'tenants.name-taken',
  'tenants.already-connected',
  'tenants.credential-refused',
  'tenants.certificate-invalid',
  'tenants.thumbprint-mismatch',
  'tenants.unreachable',
  'tenants.clock-skew',
  'tenants.deprovisioned',
] as const;

export const tenants = {
  list: defineRoute({
    method: 'GET',
    path: '/api/Tenants',
    action: 'session',
    keys: true,
    summary: 'The tenants of my organisations',
    query: z.object({ organisationId: id.optional() }),
    response: z.object({ items: z.array(tenant) }),
  }),
  connect: defineRoute({
    method: 'POST',
    path: '/api/Tenants',
    action: 'tenants.manage',
    summary: 'Connect a Microsoft 365 tenant; its credential is tried before anything is saved',
    body: tenantBody,
    response: tenant,
    status: 201,
    errors: credentialErrors,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/Tenants/:tenantId',
    action: 'tenants.read',
    summary: 'One tenant',
    params: tenantParams,
    response: tenant,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/api/Tenants/:tenantId',
    action: 'tenants.manage',
    summary: 'Edit a tenant, or make it the active one',
    params: tenantParams,
    body: tenantUpdateBody,
    response: tenant,
    errors: [...credentialErrors, 'request.precondition-failed', 'tenants.busy'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/Tenants/:tenantId',
    action: 'tenants.manage',
    summary: 'Delete a tenant with its jobs and locations; refused while it is provisioned, or they hold restore points',
    params: tenantParams,
    response: 'empty',
    status: 204,
    errors: ['tenants.still-provisioned', 'tenants.in-use', 'retention.in-force', 'tenants.holds-restore-points', 'tenants.busy'],
  }),
  provision: defineRoute({
    method: 'POST',
    path: '/api/Tenants/:tenantId/provision',
    action: 'tenants.manage',
    summary: 'Check credential and permissions, discover what can be protected, set up a location and jobs',
    params: tenantParams,
    response: taskReference,
    status: 202,
    errors: ['tenants.busy'],
  }),
  deprovision: defineRoute({
    method: 'DELETE',
    path: '/api/Tenants/:tenantId/provision',
    action: 'tenants.manage',
    summary: 'Stop the jobs of a tenant and end its access until it is provisioned again; stored data is kept',
    params: tenantParams,
    response: taskReference,
    status: 202,
    errors: ['tenants.busy', 'tenants.not-provisioned'],
  }),
  permissions: defineRoute({
    method: 'GET',
    path: '/api/Tenants/:tenantId/permissions',
    action: 'configuration.read',
    summary: 'Every permission the product needs: granted, missing or unneeded',
    params: tenantParams,
    response: connectionReport,
    errors: ['tenants.deprovisioned'],
  }),
  task: defineRoute({
    method: 'GET',
    path: '/api/Tenants/:tenantId/:taskId',
    action: 'tenants.read',
    summary: 'The state of a task of a tenant',
    params: tenantParams.extend({ taskId: id }),
    response: task,
  }),
};
