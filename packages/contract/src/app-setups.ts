import { z } from 'zod';
import { defineRoute } from './shared/route.ts';
import { id, instant, oneLine, workload, workloads } from './shared/values.ts';
import { connectionReport, permissionState } from './tenants.ts';

/**
 * The registration of an app in Microsoft Entra, prepared here: a script that an administrator pastes makes the app with
 * the permissions that were chosen, and no others.
 */
const askedPermission = permissionState.pick({ permission: true, group: true, workloads: true, purpose: true }).extend({
  /** The id of the role, as a manifest names it. */
  roleId: z.guid(),
});
export type AskedPermission = z.infer<typeof askedPermission>;

export const appSetupBody = z.object({
  /** What the app is called in Entra. */
  appName: oneLine(z.string().trim().min(1, { error: 'validation.name' }).max(100, { error: 'validation.name' })).regex(
    /^[\p{L}\p{N} ._-]+$/u,
    { error: 'rules.specialCharacters' },
  ),
  workloads: z.array(workload).min(1, { error: 'rules.chooseOne' }).max(workloads.length),
  /** Without it the app may only read. */
  restores: z.boolean().default(true),
  credential: z.enum(['certificate', 'secret']).default('certificate'),
});
export type AppSetupBody = z.output<typeof appSetupBody>;

export const appSetup = z.object({
  setupId: id,
  appName: z.string(),
  workloads: z.array(workload),
  restores: z.boolean(),
  credential: z.enum(['certificate', 'secret']),
  /** PEM without the private key, which is kept here sealed; null where the app signs in with a secret. */
  certificate: z.string().nullable(),
  thumbprint: z.string().nullable(),
  certificateExpiresAt: instant.nullable(),
  permissions: z.array(askedPermission),
  scripts: z.object({ azureCli: z.string(), powerShell: z.string() }),
  /** `requiredResourceAccess` of the manifest, for whoever registers the app by hand. */
  manifest: z.string(),
  /** Where consent is given by hand; `{tenant}` and `{client}` stand for the two identifiers. */
  consentUrl: z.string(),
  createdAt: instant,
  /** When the prepared key is removed, unless a tenant was connected with it. */
  expiresAt: instant,
});
export type AppSetup = z.infer<typeof appSetup>;

const guid = z.guid({ error: 'rules.guid' });
export const appSetupCheckBody = z.object({
  microsoftTenantId: guid,
  clientId: guid,
  clientSecret: z.string().min(1).max(1_000).optional(),
});

/** Which of my organisations: the one chosen last when it is left out. */
const query = z.object({ organisationId: id.optional() });
const params = z.object({ setupId: id });

export const appSetups = {
  prepare: defineRoute({
    method: 'POST',
    path: '/api/app-setups',
    action: 'tenants.manage',
    summary: 'Prepare an app registration: its certificate, and the script that makes it in Microsoft Entra',
    query,
    body: appSetupBody,
    response: appSetup,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/api/app-setups/:setupId',
    action: 'tenants.manage',
    summary: 'A prepared app registration',
    query,
    params,
    response: appSetup,
  }),
  check: defineRoute({
    method: 'POST',
    path: '/api/app-setups/:setupId/check',
    action: 'tenants.manage',
    summary: 'Which of its permissions a prepared app has by now; nothing is saved',
    query,
    params,
    body: appSetupCheckBody,
    response: connectionReport,
  }),
};
