import { contentTypeOf } from '../content/file-bytes.ts';
import type { JsonObject } from '../values/json.ts';
import { project } from '../http/query.ts';
import type { Context } from '../http/route.ts';
import { leaver } from '../state/generate-people.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Actor } from '../state/actor.ts';
import { type ItemRecord, currentVersion, sizeOf } from './drive-record.ts';
import { contentHash } from './file-content.ts';
import { pathOf, siteOf } from './find-item.ts';
import { downloadUrl } from './download-link.ts';
import type { OpenDrive } from './open-drive.ts';
import { sharingGrants } from './sharing-grants.ts';

/** A time as drives write it: whole seconds. */
export function driveTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Who did something, as drives and lists show it. */
export function renderActor(tenant: Tenant, actor: Actor): JsonObject {
  if ('appId' in actor) return { application: { id: actor.appId, displayName: 'Application' } };
  const person = tenant.directory.user(actor.userId);
  // SharePoint keeps the names of people who are gone.
  if (actor.userId === leaver(tenant.seed))
    return { user: { email: `erik.lindqvist@${tenant.directory.domain}`, id: actor.userId, displayName: 'Erik Lindqvist' } };
  if (!person) return { user: { id: actor.userId, displayName: 'Unknown user' } };
  return { user: { email: person.mail, id: person.id, displayName: person.displayName } };
}

/** `"{GUID},3"`: moves with every change. */
export function eTagOf(drive: OpenDrive, item: ItemRecord): string {
  return `"{${drive.guid(item.id)}},${item.revision}"`;
}

/** `"c:{GUID},2"`: moves with the content. */
export function cTagOf(drive: OpenDrive, item: ItemRecord): string {
  return `"c:{${drive.guid(item.id)}},${item.contentRevision}"`;
}

/** Address of an item in the browser. */
export function webUrlOf(drive: OpenDrive, item: ItemRecord): string {
  const site = siteOf(drive.tenant, drive.library);
  const path = pathOf(drive, item);
  const parts = [...site.path.split('/'), drive.library.urlName, ...path.split('/')].filter((part) => part !== '');
  return `https://${site.hostName}/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}

function parentReference(drive: OpenDrive, item: ItemRecord, hasPath: boolean): JsonObject {
  const { driveId, driveType, siteId } = drive.library;
  const parent = item.parentId === undefined ? undefined : drive.peek(item.parentId);
  if (!parent) return { driveId, driveType };
  const path = pathOf(drive, parent);
  return {
    driveId,
    driveType,
    id: parent.id,
    ...(hasPath ? { name: parent.name, path: `/drives/${driveId}/root:${path === '' ? '' : `/${path}`}` } : {}),
    siteId,
  };
}

/**
 * With `hierarchicalsharing` rights show where they are given alone, and an empty facet says that those above don't count;
 * without it everything below a shared folder shows as shared too.
 */
function sharedFacet(context: Context, drive: OpenDrive, item: ItemRecord): JsonObject | undefined {
  const isHierarchical = context.prefer.has('hierarchicalsharing');
  const grants = isHierarchical ? item.grants : sharingGrants(drive, item);
  if (grants.length === 0) return isHierarchical && !item.inherits ? {} : undefined;
  const scopes = grants.map((grant) => grant.link?.scope ?? 'users');
  const scope = (['anonymous', 'organization', 'users'] as const).find((name) => scopes.includes(name)) ?? 'users';
  return { scope };
}

function fileFacets(context: Context, drive: OpenDrive, item: ItemRecord): JsonObject {
  const version = currentVersion(item);
  if (!version) return {};
  const stale = context.hasEffect('staleHash') ? 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' : item.staleHash;
  const hashes = { quickXorHash: stale ?? contentHash(version.content) };
  const isInfected = item.malware !== undefined || context.hasEffect('malware');
  return {
    ...(isInfected ? { malware: { description: item.malware ?? 'Infected' } } : {}),
    ...(isInfected || item.archiveStatus ? {} : { '@microsoft.graph.downloadUrl': downloadUrl(context, drive, { itemId: item.id }) }),
    file: { mimeType: contentTypeOf(item.name), hashes, ...(item.archiveStatus ? { archiveStatus: item.archiveStatus } : {}) },
  };
}

function remoteFacet(context: Context, remote: NonNullable<ItemRecord['remote']>): JsonObject {
  return {
    remoteItem: {
      id: remote.itemId,
      folder: { childCount: 0 },
      parentReference: { driveId: remote.driveId, driveType: 'documentLibrary' },
      webUrl: `${context.links.graph}/drives/${remote.driveId}`,
    },
  };
}

function kindFacets(context: Context, drive: OpenDrive, item: ItemRecord): JsonObject {
  if (item.kind === 'file') return fileFacets(context, drive, item);
  if (item.kind === 'package') return { package: { type: item.packageType ?? 'oneNote' } };
  if (item.remote) return remoteFacet(context, item.remote);
  return { folder: { childCount: drive.childCountOf(item.id) }, ...(item.parentId === undefined ? { root: {} } : {}) };
}

/** Ids of the item in SharePoint; given when they are selected. */
export function sharepointIdsOf(drive: OpenDrive, item: ItemRecord): JsonObject {
  const site = siteOf(drive.tenant, drive.library);
  return {
    listId: drive.library.listGuid,
    listItemId: String(drive.listItemId(item.id)),
    listItemUniqueId: drive.guid(item.id).toLowerCase(),
    siteId: site.collectionGuid,
    siteUrl: `https://${site.hostName}${site.path}`,
    tenantId: drive.tenant.tenantId,
    webId: site.webGuid,
  };
}

function deltaAnnotations(context: Context, item: ItemRecord): JsonObject {
  const hasChanged = item.isSharingChange === true && context.prefer.has('deltashowsharingchanges');
  return { '@odata.type': '#microsoft.graph.driveItem', ...(hasChanged ? { '@microsoft.graph.sharedChanged': 'True' } : {}) };
}

export interface ItemView {
  /** The one of the request, unless a delta token keeps another. */
  readonly select?: readonly string[] | undefined;
  /** In delta OneDrive has no cTag, and the path of the parent comes by a switch. */
  readonly isDelta?: boolean;
}

/** An item as Graph answers it. */
export function renderItem(context: Context, drive: OpenDrive, item: ItemRecord, view: ItemView = {}): JsonObject {
  const isDelta = view.isDelta === true;
  const select = isDelta ? view.select : context.query.select;
  const shared = sharedFacet(context, drive, item);
  const eTag = eTagOf(drive, item);
  const entity: JsonObject = {
    ...(isDelta ? deltaAnnotations(context, item) : {}),
    '@odata.etag': eTag,
    id: item.id,
    name: item.name,
    size: sizeOf(item),
    eTag,
    ...(isDelta && drive.library.driveType === 'business' ? {} : { cTag: cTagOf(drive, item) }),
    webUrl: webUrlOf(drive, item),
    createdDateTime: driveTime(item.createdMs),
    lastModifiedDateTime: driveTime(item.modifiedMs),
    createdBy: renderActor(drive.tenant, item.createdBy),
    lastModifiedBy: renderActor(drive.tenant, item.modifiedBy),
    parentReference: parentReference(drive, item, !isDelta || context.tenant.switches.deltaParentPath),
    fileSystemInfo: { createdDateTime: driveTime(item.fileCreatedMs), lastModifiedDateTime: driveTime(item.fileModifiedMs) },
    ...(item.description === undefined ? {} : { description: item.description }),
    ...(shared ? { shared } : {}),
    ...kindFacets(context, drive, item),
    ...(select?.includes('sharepointIds') ? { sharepointIds: sharepointIdsOf(drive, item) } : {}),
  };
  return project(entity, select);
}
