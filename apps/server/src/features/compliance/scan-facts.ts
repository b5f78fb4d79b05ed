import type { Audience } from '@holdfast/contract/compliance-values';
import { fileVersions, type ItemVersion, type Json } from '@holdfast/engine';
import { storableText } from '@holdfast/foundation/text';
import { createHash } from 'node:crypto';

/** An earlier version of a file as Microsoft 365 listed it, the newest first. */
export interface VersionFact {
  readonly place: number;
  readonly label: string;
  readonly sizeBytes: number;
  readonly modifiedAt: string | null;
  readonly isKept: boolean;
}

/** A link or invitation that lets more people open an item than those of its site. */
export interface ShareFact {
  readonly permissionId: string;
  readonly audience: Audience;
  readonly role: string;
  readonly who: string;
  readonly expiresAt: string | null;
}

/** What the reports need of one version of a file or folder. */
export interface ItemFacts {
  readonly ownerId: string | null;
  readonly ownerName: string | null;
  readonly ownerAddress: string | null;
  readonly content: string | null;
  readonly access: string;
  readonly versions: readonly VersionFact[];
  readonly shares: readonly ShareFact[];
}

interface Person {
  readonly id?: string;
  readonly displayName?: string | null;
  readonly email?: string | null;
  readonly loginName?: string | null;
}
export interface Identity {
  readonly user?: Person | null;
  readonly siteUser?: Person | null;
  readonly group?: Person | null;
  readonly siteGroup?: Person | null;
}
export interface Permission {
  readonly id?: string;
  readonly roles?: readonly string[];
  readonly link?: { readonly scope?: string; readonly type?: string } | null;
  readonly grantedToV2?: Identity | null;
  readonly grantedToIdentitiesV2?: readonly Identity[] | null;
  readonly expirationDateTime?: string | null;
  readonly inheritedFrom?: unknown;
}

/** SharePoint marks guest accounts and people who sign in with a code in their login names. */
const guestLogin = /#ext#|urn(?::|%3a)spo(?::|%3a)guest/iu;

function emailOf({ user, siteUser, group }: Identity): string {
  return user?.email ?? siteUser?.email ?? group?.email ?? '';
}

/** A guest: so marked, or with an address outside of the tenant. */
function isGuest(identity: Identity, ownDomains: ReadonlySet<string>): boolean {
  if ([identity.user, identity.siteUser].some((one) => guestLogin.test(one?.loginName ?? ''))) return true;
  const [, domain] = emailOf(identity).toLowerCase().split('@');
  return domain !== undefined && ownDomains.size > 0 && !ownDomains.has(domain);
}

/** The people and groups of a right. */
export function identitiesOf({ grantedToV2, grantedToIdentitiesV2 }: Permission): readonly Identity[] {
  return [...(grantedToV2 ? [grantedToV2] : []), ...(grantedToIdentitiesV2 ?? [])];
}

/** A time as the API has it; null for what is none. */
export function storableTime(text: string | null | undefined): string | null {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** Who can open an item by one right, beyond the people of its site; empty for a right of theirs. */
function audiencesOf(permission: Permission, ownDomains: ReadonlySet<string>): readonly (readonly [Audience, string])[] {
  // A right that comes from a folder above is reported there.
  if (permission.inheritedFrom) return [];
  const guests = identitiesOf(permission).filter((identity) => isGuest(identity, ownDomains));
  const { scope } = permission.link ?? {};
  return [
    ...(scope === 'anonymous' ? ([['anyone', '']] as const) : []),
    ...(scope === 'organization' ? ([['organisation', '']] as const) : []),
    ...(guests.length > 0 ? ([['guest', guests.map(emailOf).join(', ')]] as const) : []),
  ];
}

function sharesOf(permissions: readonly Permission[], ownDomains: ReadonlySet<string>): ShareFact[] {
  const found = new Map<string, ShareFact>();
  for (const permission of permissions) {
    const permissionId = storableText(permission.id ?? '');
    const role = storableText(permission.link?.type ?? permission.roles?.[0] ?? '');
    const expiresAt = storableTime(permission.expirationDateTime);
    for (const [audience, who] of audiencesOf(permission, ownDomains))
      found.set(`${audience} ${permissionId}`, { permissionId, audience, role, who: storableText(who), expiresAt });
  }
  return [...found.values()];
}

/** The same for two items that the same people can open in the same ways, whatever the ids of the rights. */
export function accessOf(permissions: readonly Permission[]): string {
  const rights = permissions.map((permission) => {
    const people = identitiesOf(permission).map(
      (one) => one.user?.id ?? one.group?.id ?? (emailOf(one) || (one.siteGroup?.loginName ?? '')),
    );
    return JSON.stringify([permission.link?.scope ?? '', [...(permission.roles ?? [])].sort(), people.sort()]);
  });
  return createHash('sha256').update(rights.sort().join('\n')).digest('hex').slice(0, 32);
}

/** Earlier versions, the newest first: Microsoft 365 lists the current one before them. */
function versionsOf(item: ItemVersion): VersionFact[] {
  const read = item.properties['read'] as { readonly versions?: readonly Json[] } | undefined;
  const stored = new Map(fileVersions(item).map(({ label, content }) => [label, content.ref.sizeBytes]));
  return (read?.versions ?? []).slice(1).map((entry, index) => {
    const { id = '', size, lastModifiedDateTime } = entry as { id?: string; size?: number; lastModifiedDateTime?: string };
    return {
      place: index + 1,
      label: storableText(id),
      sizeBytes: size ?? stored.get(id) ?? 0,
      modifiedAt: storableTime(lastModifiedDateTime),
      isKept: stored.has(id),
    };
  });
}

/** Reads the facts of a version. `ownDomains` are those of the tenant's own people. */
export function factsOf(item: ItemVersion, ownDomains: ReadonlySet<string>): ItemFacts {
  const permissions = (item.properties['permissions'] ?? []) as unknown as readonly Permission[];
  const { user } = (item.properties['createdBy'] ?? {}) as Identity;
  const file = item.contents.find(({ role }) => role === 'file');
  return {
    ownerId: user?.id === undefined ? null : storableText(user.id),
    ownerAddress: user?.email ? storableText(user.email) : null,
    ownerName: user?.displayName ? storableText(user.displayName) : null,
    content: file === undefined || file.ref.sizeBytes === 0 ? null : file.ref.sha256,
    access: accessOf(permissions),
    versions: versionsOf(item),
    shares: sharesOf(permissions, ownDomains),
  };
}
