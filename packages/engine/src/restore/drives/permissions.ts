import { isGraphError, type DriveItemRef, type GraphClient, type SharingLinkRequest } from '@holdfast/m365';
import type { ItemVersion, Json } from '../../ports/item.ts';

interface Identity {
  readonly user?: { readonly id?: string; readonly email?: string; readonly displayName?: string } | null;
  readonly group?: { readonly id?: string; readonly email?: string } | null;
  readonly siteUser?: { readonly email?: string } | null;
}

interface SharingLink {
  readonly type?: string;
  readonly scope?: string;
  readonly webUrl?: string;
  readonly preventsDownload?: boolean | null;
}

interface Grant {
  readonly id?: string;
  readonly roles?: readonly string[];
  readonly link?: SharingLink | null;
  readonly grantedToV2?: Identity | null;
  readonly grantedToIdentitiesV2?: readonly Identity[] | null;
  readonly inheritedFrom?: unknown;
  readonly hasPassword?: boolean | null;
  readonly expirationDateTime?: string | null;
}

type Recipient = { readonly email: string } | { readonly objectId: string };

function identitiesOf({ grantedToV2, grantedToIdentitiesV2 }: Grant): readonly Identity[] {
  return [...(grantedToV2 ? [grantedToV2] : []), ...(grantedToIdentitiesV2 ?? [])];
}

function recipientOf(identity: Identity): Recipient | undefined {
  const id = identity.user?.id ?? identity.group?.id;
  if (id !== undefined) return { objectId: id };
  const email = identity.user?.email ?? identity.group?.email ?? identity.siteUser?.email;
  return email === undefined ? undefined : { email };
}

function recipientsOf(grant: Grant): readonly Recipient[] {
  return identitiesOf(grant)
    .map(recipientOf)
    .filter((one): one is Recipient => one !== undefined);
}

/** Ids and addresses under which a grant names people and groups, in lower case. */
function namesOf(grant: Grant): readonly string[] {
  const names = identitiesOf(grant).flatMap(({ user, group, siteUser }) => [
    user?.id,
    user?.email,
    group?.id,
    group?.email,
    siteUser?.email,
  ]);
  return names.filter((name) => name !== undefined).map((name) => name.toLowerCase());
}

function expiryOf({ expirationDateTime }: Grant): { readonly expirationDateTime?: string } {
  return expirationDateTime ? { expirationDateTime } : {};
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

/** What is given at the target already, also by the folders above, with the address of each link. */
async function grantsAt(graph: GraphClient, target: DriveItemRef): Promise<ReadonlyMap<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  for await (const permission of graph.drives.permissions(target))
    found.set(signature(permission as Grant), permission.link?.webUrl ?? undefined);
  return found;
}

/** An invitation takes these two; full control, ownership and levels of a site's own are given in SharePoint alone. */
function isGivable(role: string): boolean {
  return role === 'read' || role === 'write';
}

/** Those who are not named in a link that was just made: the service decides whom it takes into one. */
async function leftOutOf(
  graph: GraphClient,
  target: DriveItemRef,
  made: Grant,
  wanted: readonly Recipient[],
): Promise<readonly Recipient[]> {
  const missingIn = (grant: Grant): readonly Recipient[] => {
    const taken = new Set(namesOf(grant));
    return wanted.filter((one) => !taken.has(('email' in one ? one.email : one.objectId).toLowerCase()));
  };
  const missing = missingIn(made);
  if (missing.length === 0) return [];
  // The answer may name nobody although the list does.
  for await (const permission of graph.drives.permissions(target)) if (permission.id === made.id) return missingIn(permission as Grant);
  return missing;
}

/** Who is to be granted access directly, because no link took them in. */
async function linkForPeople(
  graph: GraphClient,
  target: DriveItemRef,
  grant: Grant,
  link: SharingLinkRequest,
): Promise<readonly Recipient[]> {
  const recipients = recipientsOf(grant);
  try {
    const made = await graph.drives.createLink(target, { ...link, recipients });
    return await leftOutOf(graph, target, made as Grant, recipients);
  } catch (error) {
    if (!isGraphError(error, 'graph.bad-request')) throw error;
    return recipients;
  }
}

async function grantAccess(graph: GraphClient, target: DriveItemRef, grant: Grant, recipients: readonly Recipient[]): Promise<void> {
  const roles = (grant.roles ?? []).filter(isGivable);
  const given = roles.length > 0 ? roles : ['read'];
  await graph.drives.invite(target, { recipients, roles: given, requireSignIn: true, ...expiryOf(grant) });
}

async function giveLink(
  graph: GraphClient,
  target: DriveItemRef,
  grant: Grant,
  { type, scope }: { readonly type: string; readonly scope: string },
): Promise<readonly string[]> {
  const request = { type, scope, ...expiryOf(grant) };
  const lost = [
    ...(grant.hasPassword ? ['sharingLinkPassword'] : []),
    ...(grant.link?.preventsDownload ? ['sharingLinkDownload'] : []),
    'sharingLinkAddress',
  ];
  if (scope !== 'users') {
    await graph.drives.createLink(target, request);
    return lost;
  }
  if (recipientsOf(grant).length === 0) return ['permission'];
  const leftOut = await linkForPeople(graph, target, grant, request);
  if (leftOut.length === 0) return lost;
  await grantAccess(graph, target, grant, leftOut);
  return [...lost, 'sharingLinkAsGrant'];
}

async function give(graph: GraphClient, target: DriveItemRef, grant: Grant): Promise<readonly string[]> {
  const { type, scope } = grant.link ?? {};
  if (type && scope) return giveLink(graph, target, grant, { type, scope });
  const recipients = recipientsOf(grant);
  if (recipients.length === 0) return ['permission'];
  await grantAccess(graph, target, grant, recipients);
  return (grant.roles ?? []).filter((role) => !isGivable(role)).map((role) => `permissionLevel ${role}`);
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
    if (present.has(signature(grant))) {
      if (grant.link && present.get(signature(grant)) !== grant.link.webUrl) differences.add('sharingLinkAddress');
      continue;
    }
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
