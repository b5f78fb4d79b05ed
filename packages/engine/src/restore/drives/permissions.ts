import { isGraphError, type DriveItemRef, type GraphClient } from '@holdfast/m365';
import type { ItemVersion, Json } from '../../ports/item.ts';

interface Identity {
  readonly user?: { readonly id?: string; readonly email?: string; readonly displayName?: string } | null;
  readonly group?: { readonly id?: string; readonly email?: string } | null;
  readonly siteUser?: { readonly email?: string } | null;
}

interface Grant {
  readonly roles?: readonly string[];
  readonly link?: { readonly type?: string; readonly scope?: string } | null;
  readonly grantedToV2?: Identity | null;
  readonly grantedToIdentitiesV2?: readonly Identity[] | null;
  readonly inheritedFrom?: unknown;
  readonly hasPassword?: boolean | null;
  readonly expirationDateTime?: string | null;
}

type Recipient = { readonly email: string } | { readonly objectId: string };

function recipientOf(identity: Identity): Recipient | undefined {
  const id = identity.user?.id ?? identity.group?.id;
  if (id !== undefined) return { objectId: id };
  const email = identity.user?.email ?? identity.group?.email ?? identity.siteUser?.email;
  return email === undefined ? undefined : { email };
}

function recipientsOf(grant: Grant): readonly Recipient[] {
  const identities = [...(grant.grantedToV2 ? [grant.grantedToV2] : []), ...(grant.grantedToIdentitiesV2 ?? [])];
  return identities.map(recipientOf).filter((one): one is Recipient => one !== undefined);
}

/** What a grant is about, for comparing what is there with what was. */
function signature(grant: Grant): string {
  const who = recipientsOf(grant)
    .map((one) => JSON.stringify(one))
    .sort();
  return JSON.stringify([[...(grant.roles ?? [])].sort(), grant.link?.type ?? '', grant.link?.scope ?? '', who]);
}

function ownGrants(item: ItemVersion): readonly Grant[] {
  const permissions = item.properties['permissions'];
  if (!Array.isArray(permissions)) return [];
  return (permissions as readonly Json[]).map((entry) => entry as unknown as Grant).filter((grant) => !grant.inheritedFrom);
}

async function grantsAt(graph: GraphClient, target: DriveItemRef): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const permission of graph.drives.permissions(target)) found.add(signature(permission as Grant));
  return found;
}

/** An invitation takes these two; full control, ownership and levels of a site's own are given in SharePoint alone. */
function isGivable(role: string): boolean {
  return role === 'read' || role === 'write';
}

async function give(graph: GraphClient, target: DriveItemRef, grant: Grant): Promise<readonly string[]> {
  const expires = grant.expirationDateTime ? { expirationDateTime: grant.expirationDateTime } : {};
  const { link } = grant;
  if (link?.type && link.scope && link.scope !== 'users') {
    await graph.drives.createLink(target, { type: link.type, scope: link.scope, ...expires });
    return grant.hasPassword ? ['sharingLinkPassword', 'sharingLinkAddress'] : ['sharingLinkAddress'];
  }
  const recipients = recipientsOf(grant);
  if (recipients.length === 0) return ['permission'];
  const roles = (grant.roles ?? []).filter(isGivable);
  await graph.drives.invite(target, { recipients, roles: roles.length > 0 ? roles : ['read'], requireSignIn: true, ...expires });
  const levels = (grant.roles ?? []).filter((role) => !isGivable(role)).map((role) => `permissionLevel ${role}`);
  return link ? [...levels, 'sharingLinkAsGrant'] : levels;
}

/**
 * Gives back who had access, without a mail to anybody; what is there already is not doubled, the
 * owner is untouched. Returns what could not be given as it was.
 */
export async function restorePermissions(graph: GraphClient, target: DriveItemRef, item: ItemVersion): Promise<readonly string[]> {
  const wanted = ownGrants(item);
  if (wanted.length === 0) return [];
  const present = await grantsAt(graph, target);
  const differences = new Set<string>();
  const links = wanted.filter(({ link }) => link).map(signature);
  // The service gives the link of a kind that is there already, whoever asks for another one.
  if (new Set(links).size < links.length) differences.add('sharingLinksMerged');
  for (const grant of wanted) {
    if (present.has(signature(grant))) continue;
    if (grant.roles?.includes('owner')) {
      differences.add('permissionOwner');
      continue;
    }
    try {
      for (const difference of await give(graph, target, grant)) differences.add(difference);
    } catch (error) {
      if (!isGraphError(error, 'graph.sharing-refused', 'graph.bad-request', 'graph.item-gone')) throw error;
      differences.add('permission');
    }
  }
  return [...differences];
}
