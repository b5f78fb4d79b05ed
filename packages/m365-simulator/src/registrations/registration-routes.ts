import { randomBytes } from 'node:crypto';
import { badRequest, conflict, denied, notFound } from '../http/failure.ts';
import { created, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import { isJsonObject, type JsonObject } from '../values/json.ts';
import { type App, appsOf } from '../login/apps.ts';
import { packagedPermissions } from '../permissions/permissions.ts';
import { guidOf } from '../values/seeded.ts';
import { readApplication, type Registration, registrationsOf } from './registrations.ts';

const GRAPH_APP_ID = '00000003-0000-0000-c000-000000000000';
const TWO_YEARS_MS = 2 * 365 * 86_400_000;
const OPEN = 'an administrator calls it, not the product: the handler asks for the roles that Microsoft documents';

const roleNames = new Map(
  Object.entries(packagedPermissions().roleIds).flatMap(([name, id]) => (id === null ? [] : [[id, name] as const])),
);

function requireRole(context: Context, ...roles: readonly string[]): void {
  if (!roles.some((role) => context.caller.roles.has(role)))
    throw denied('directory', 'Insufficient privileges to complete the operation.');
}

function graphPrincipalId({ tenant }: Context): string {
  return guidOf(tenant.seed, 'service-principal', GRAPH_APP_ID);
}

function missing(id: string): Error {
  return notFound('directory', `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`);
}

/** What signs in: the app with the certificates, secrets and roles that it has by now. */
function publish({ tenant }: Context, registration: Registration): void {
  registrationsOf(tenant.store).set(registration.objectId, registration);
  if (registration.principalId === null) return;
  const apps = appsOf(tenant.store);
  const app: App = {
    refreshTokens: [],
    isEnabled: true,
    hasConsent: true,
    revocations: 0,
    ...apps.get(registration.appId),
    appId: registration.appId,
    displayName: registration.displayName,
    certificates: registration.certificates,
    secrets: registration.secrets,
    roles: registration.assignments.flatMap(({ roleId }) => roleNames.get(roleId) ?? []),
  };
  apps.set(registration.appId, app);
}

async function createApplication(context: Context): Promise<Reply> {
  requireRole(context, 'Application.ReadWrite.All', 'Application.ReadWrite.OwnedBy');
  const read = readApplication(await context.json());
  const { tenant } = context;
  const turn = registrationsOf(tenant.store).size;
  const objectId = guidOf(tenant.seed, 'registration', turn);
  const appId = guidOf(tenant.seed, 'registered-app', turn);
  publish(context, { ...read, objectId, appId, secrets: [], principalId: null, assignments: [] });
  return created({
    '@odata.context': context.links.context('applications/$entity'),
    id: objectId,
    appId,
    displayName: read.displayName,
    signInAudience: 'AzureADMyOrg',
  });
}

async function addPassword(context: Context): Promise<Reply> {
  requireRole(context, 'Application.ReadWrite.All', 'Application.ReadWrite.OwnedBy');
  const id = context.params[0] ?? '';
  const registration = registrationsOf(context.tenant.store).get(id);
  if (!registration) throw missing(id);
  const { passwordCredential = {} } = await context.json();
  if (!isJsonObject(passwordCredential)) throw badRequest('directory', 'Invalid value specified for property passwordCredential.');
  const nowMs = context.tenant.clock.nowMs();
  const secret = { value: `8Q~${randomBytes(27).toString('base64url')}`, expiresMs: nowMs + TWO_YEARS_MS };
  publish(context, { ...registration, secrets: [...registration.secrets, secret] });
  return ok({
    '@odata.context': context.links.context('microsoft.graph.passwordCredential'),
    keyId: guidOf(context.tenant.seed, 'secret', registration.appId, registration.secrets.length),
    hint: secret.value.slice(0, 3),
    secretText: secret.value,
    startDateTime: new Date(nowMs).toISOString(),
    endDateTime: new Date(secret.expiresMs).toISOString(),
  });
}

async function createPrincipal(context: Context): Promise<Reply> {
  requireRole(context, 'Application.ReadWrite.All', 'Application.ReadWrite.OwnedBy');
  const { appId } = await context.json();
  const registration = registrationsOf(context.tenant.store)
    .values()
    .find((one) => one.appId === appId);
  if (!registration) throw badRequest('directory', 'The appId of the service principal does not reference a valid application object.');
  if (registration.principalId !== null)
    throw conflict('directory', 'The service principal cannot be created: one with this appId exists.');
  const principalId = guidOf(context.tenant.seed, 'service-principal', registration.appId);
  publish(context, { ...registration, principalId });
  return created(principal(context, principalId, registration));
}

function principal(context: Context, id: string, { appId, displayName }: Pick<Registration, 'appId' | 'displayName'>): JsonObject {
  return { '@odata.context': context.links.context('servicePrincipals/$entity'), id, appId, displayName, accountEnabled: true };
}

function getPrincipal(context: Context): Reply {
  requireRole(context, 'Application.Read.All', 'Application.ReadWrite.All');
  const appId = (context.params[0] ?? '').replaceAll("'", '');
  if (appId === GRAPH_APP_ID) return ok(principal(context, graphPrincipalId(context), { appId, displayName: 'Microsoft Graph' }));
  const found = registrationsOf(context.tenant.store)
    .values()
    .find((one) => one.appId === appId);
  if (!found || found.principalId === null) throw missing(appId);
  return ok(principal(context, found.principalId, found));
}

async function assignRole(context: Context): Promise<Reply> {
  requireRole(context, 'AppRoleAssignment.ReadWrite.All');
  const id = context.params[0] ?? '';
  const registration = registrationsOf(context.tenant.store)
    .values()
    .find((one) => one.principalId === id);
  if (!registration) throw missing(id);
  const { principalId, resourceId, appRoleId } = await context.json();
  if (principalId !== id) throw badRequest('directory', 'The principalId does not match the service principal of the address.');
  const isRole = typeof appRoleId === 'string' && roleNames.has(appRoleId);
  if (resourceId !== graphPrincipalId(context) || !isRole) {
    throw badRequest('directory', 'Permission being assigned was not found on application.');
  }
  if (registration.assignments.some(({ roleId }) => roleId === appRoleId)) {
    throw badRequest('directory', 'Permission being assigned already exists on the object.');
  }
  const assignment = { id: guidOf(context.tenant.seed, 'assignment', id, appRoleId), roleId: appRoleId };
  publish(context, { ...registration, assignments: [...registration.assignments, assignment] });
  return created({
    '@odata.context': context.links.context(`servicePrincipals('${id}')/appRoleAssignments/$entity`),
    id: assignment.id,
    appRoleId,
    principalId: id,
    principalDisplayName: registration.displayName,
    principalType: 'ServicePrincipal',
    resourceId: graphPrincipalId(context),
    resourceDisplayName: 'Microsoft Graph',
  });
}

/** How an administrator registers an app and grants it what it asks for. */
export const registrationRoutes: readonly RouteEntry[] = [
  { method: 'POST', path: '/applications', open: OPEN, service: 'directory', handler: createApplication },
  { method: 'POST', path: '/applications/{id}/addPassword', open: OPEN, service: 'directory', handler: addPassword },
  { method: 'POST', path: '/servicePrincipals', open: OPEN, service: 'directory', handler: createPrincipal },
  { method: 'GET', path: '/servicePrincipals(appId={value})', open: OPEN, service: 'directory', handler: getPrincipal },
  { method: 'POST', path: '/servicePrincipals/{id}/appRoleAssignments', open: OPEN, service: 'directory', handler: assignRole },
];
