import type { JsonObject } from '../values/json.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Grant, ItemRecord } from './drive-record.ts';
import { siteOf } from './find-item.ts';
import type { OpenDrive } from './open-drive.ts';
import { sharingGrants } from './sharing-grants.ts';

function ownerGrant(drive: OpenDrive): Grant {
  const { owner } = drive.library;
  const people = owner && 'userId' in owner ? [{ userId: owner.userId }] : [];
  return { id: `owner-${drive.guid(drive.rootId).toLowerCase()}`, role: 'owner', people };
}

/** All rights that count on an item: its own, those of the folders above unless it has its own alone, and the owner's. */
export function effectiveGrants(drive: OpenDrive, item: ItemRecord): Grant[] {
  return [...sharingGrants(drive, item), ownerGrant(drive)];
}

function renderPerson(tenant: Tenant, person: Grant['people'][number]): JsonObject {
  const known = person.userId === undefined ? undefined : tenant.directory.user(person.userId);
  const email = known?.mail ?? person.email ?? '';
  const displayName = known?.displayName ?? email;
  const user = { ...(known ? { id: known.id } : {}), displayName, email };
  return { user, siteUser: { id: '1', displayName, email, loginName: `i:0#.f|membership|${email}` } };
}

function plainIdentity(identity: JsonObject): JsonObject {
  return { user: identity['user'] };
}

function groupOwner(drive: OpenDrive): JsonObject {
  const { owner } = drive.library;
  const group = owner && 'groupId' in owner ? drive.tenant.directory.group(owner.groupId) : undefined;
  const displayName = group ? `${group.displayName} Owners` : 'Site Owners';
  return { siteGroup: { id: '3', displayName, loginName: displayName } };
}

function webUrl(drive: OpenDrive, grant: Grant): string {
  const { hostName } = siteOf(drive.tenant, drive.library);
  return `https://${hostName}/:x:/g/${grant.link?.token ?? ''}`;
}

/** A right as Graph answers it: given to a person or a group, or by a link. */
export function renderPermission(drive: OpenDrive, grant: Grant): JsonObject {
  const { tenant } = drive;
  const identities = grant.people.map((person) => renderPerson(tenant, person));
  const base: JsonObject = {
    id: grant.id,
    roles: [grant.role],
    ...(grant.expiresMs === undefined ? {} : { expirationDateTime: new Date(grant.expiresMs).toISOString() }),
  };
  if (grant.link) {
    const { type, scope, token, hasPassword } = grant.link;
    return {
      ...base,
      shareId: `u!${Buffer.from(webUrl(drive, grant)).toString('base64url')}`.slice(0, 60),
      hasPassword,
      grantedToIdentitiesV2: identities,
      grantedToIdentities: identities.map(plainIdentity),
      link: { type, scope, webUrl: `${webUrl(drive, grant)}?e=${token.slice(0, 6)}`, preventsDownload: false },
    };
  }
  const [identity = groupOwner(drive)] = identities;
  return { ...base, grantedToV2: identity, ...(identity['user'] === undefined ? {} : { grantedTo: plainIdentity(identity) }) };
}
