import { createHmac } from 'node:crypto';
import { guidOf } from '../content/seeded.ts';
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

/** Registers an app; the same name in the same tenant has the same id and secret. */
export function addApp(
  tenant: Tenant,
  name: string,
  options: { readonly roles: readonly string[]; readonly certificates: readonly string[] },
): AppCredentials {
  const clientId = guidOf(tenant.seed, 'app', name);
  const clientSecret = `${secretOf(tenant, name, 'secret').slice(0, 3)}8Q~${secretOf(tenant, name, 'secret').slice(3, 37)}`;
  const refreshToken = `0.${secretOf(tenant, name, 'refresh')}`;
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
  return { clientId, clientSecret, refreshToken };
}
