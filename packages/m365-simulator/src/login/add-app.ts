import { createHmac } from 'node:crypto';
import { guidOf } from '../values/seeded.ts';
import type { Tenant } from '../state/tenant.ts';
import { type App, appsOf } from './apps.ts';

const YEAR_MS = 365 * 86_400_000;

/** What a client needs to sign in to a tenant. */
export interface AppCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
}

function secretOf(tenant: Tenant, name: string, use: string): string {
  return createHmac('sha256', tenant.key).update(`${use}/${name}`).digest('base64url');
}

/** True when the tenant has an app of this name already. */
export function hasApp(tenant: Tenant, name: string): boolean {
  return appsOf(tenant.store).has(guidOf(tenant.seed, 'app', name));
}

/** What signs in as the app of this name, whether it is registered or not. */
export function credentialsOf(tenant: Tenant, name: string): AppCredentials {
  const secret = secretOf(tenant, name, 'secret');
  return {
    clientId: guidOf(tenant.seed, 'app', name),
    clientSecret: `${secret.slice(0, 3)}8Q~${secret.slice(3, 37)}`,
    refreshToken: `0.${secretOf(tenant, name, 'refresh')}`,
  };
}

/** Registers an app; the same name in the same tenant has the same id and secret. */
export function addApp(
  tenant: Tenant,
  name: string,
  options: { readonly roles: readonly string[]; readonly certificates: readonly string[] },
): AppCredentials {
  const credentials = credentialsOf(tenant, name);
  const { clientId, clientSecret, refreshToken } = credentials;
  const app: App = {
    appId: clientId,
    displayName: name,
    secrets: [{ value: clientSecret, expiresMs: Math.max(tenant.epochMs, tenant.clock.nowMs()) + 10 * YEAR_MS }],
    certificates: options.certificates,
    roles: options.roles,
    refreshTokens: [refreshToken],
    isEnabled: true,
    hasConsent: true,
    revocations: 0,
  };
  appsOf(tenant.store).set(clientId, app);
  return credentials;
}
