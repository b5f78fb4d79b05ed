import { createPublicKey } from 'node:crypto';
import type { JsonObject } from '../values/json.ts';
import type { SigningKey } from './sign-in.ts';

/** The discovery document of a tenant at `origin`, as MSAL reads it. */
export function openIdConfiguration(origin: string, tenantId: string): JsonObject {
  const base = `${origin}/${tenantId}`;
  return {
    token_endpoint: `${base}/oauth2/v2.0/token`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    jwks_uri: `${base}/discovery/v2.0/keys`,
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    issuer: `${base}/v2.0`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    device_authorization_endpoint: `${base}/oauth2/v2.0/devicecode`,
    end_session_endpoint: `${base}/oauth2/v2.0/logout`,
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'tid', 'ver'],
    tenant_region_scope: 'EU',
    cloud_instance_name: 'microsoftonline.com',
    cloud_graph_host_name: 'graph.windows.net',
    msgraph_host: 'graph.microsoft.com',
  };
}

/** The public half of the signing key. */
export function signingKeys(key: SigningKey): JsonObject {
  const jwk = createPublicKey(key.privateKey).export({ format: 'jwk' });
  return { keys: [{ kty: 'RSA', use: 'sig', kid: key.keyId, x5t: key.keyId, n: jwk.n ?? '', e: jwk.e ?? '' }] };
}

/** What MSAL asks once to learn which hosts are one cloud. */
export function instanceDiscovery(origin: string, host: string): JsonObject {
  return {
    tenant_discovery_endpoint: `${origin}/common/v2.0/.well-known/openid-configuration`,
    'api-version': '1.1',
    metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
  };
}
