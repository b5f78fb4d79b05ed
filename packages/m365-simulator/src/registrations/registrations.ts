import { X509Certificate } from 'node:crypto';
import { badRequest } from '../http/failure.ts';
import { isGuid } from '../http/guid.ts';
import { isJsonObject, textOf, type JsonObject, type JsonValue } from '../values/json.ts';
import type { Store } from '../state/store.ts';

/** An app that was registered over Graph. It signs in once it has a service principal. */
export interface Registration {
  readonly objectId: string;
  readonly appId: string;
  readonly displayName: string;
  readonly requiredAccess: readonly JsonObject[];
  /** PEM. */
  readonly certificates: readonly string[];
  readonly secrets: readonly { readonly value: string; readonly expiresMs: number }[];
  readonly principalId: string | null;
  readonly assignments: readonly { readonly id: string; readonly roleId: string }[];
}

/** Registrations of a tenant, by their object ids. */
export function registrationsOf(store: Store): Map<string, Registration> {
  return store.state('registrations', () => new Map<string, Registration>());
}

const AUDIENCES: readonly JsonValue[] = [
  'AzureADMyOrg',
  'AzureADMultipleOrgs',
  'AzureADandPersonalMicrosoftAccount',
  'PersonalMicrosoftAccount',
];

function entries(body: JsonObject, name: string): readonly JsonObject[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || !value.every(isJsonObject))
    throw badRequest('directory', `Invalid value specified for property '${name}' of resource 'Application'.`);
  return value;
}

/** The certificate of a key credential: public, in DER, as base64. */
function certificateOf(credential: JsonObject): string {
  const { type, usage, key } = credential;
  const isKnown = type === 'AsymmetricX509Cert' && usage === 'Verify' && typeof key === 'string';
  if (!isKnown) throw badRequest('directory', 'Key credential type or usage is invalid.');
  try {
    return new X509Certificate(Buffer.from(key, 'base64')).toString();
  } catch {
    throw badRequest('directory', 'Key value is invalid certificate');
  }
}

function checkAccess(entry: JsonObject): void {
  const { resourceAppId, resourceAccess } = entry;
  const isList = Array.isArray(resourceAccess) && resourceAccess.every(isJsonObject);
  const isFit = (one: JsonObject): boolean => isGuid(textOf(one['id'])) && (one['type'] === 'Role' || one['type'] === 'Scope');
  if (typeof resourceAppId !== 'string' || !isGuid(resourceAppId) || !isList || !resourceAccess.every(isFit)) {
    throw badRequest('directory', "Invalid value specified for property 'requiredResourceAccess' of resource 'Application'.");
  }
}

/** What a new application says of itself, checked. */
export function readApplication(body: JsonObject): Pick<Registration, 'displayName' | 'requiredAccess' | 'certificates'> {
  const { displayName, signInAudience = 'AzureADMyOrg' } = body;
  if (typeof displayName !== 'string' || displayName.trim() === '' || displayName.length > 256) {
    throw badRequest('directory', "Invalid value specified for property 'displayName' of resource 'Application'.");
  }
  if (!AUDIENCES.includes(signInAudience)) {
    throw badRequest('directory', "Invalid value specified for property 'signInAudience' of resource 'Application'.");
  }
  const requiredAccess = entries(body, 'requiredResourceAccess');
  for (const entry of requiredAccess) checkAccess(entry);
  return { displayName, requiredAccess, certificates: entries(body, 'keyCredentials').map(certificateOf) };
}
