import { sha256Hex } from '@holdfast/foundation/bytes';
import { isAppError } from '@holdfast/foundation/errors';
import { collect } from '@holdfast/foundation/streams';
import { answered, type Answered, type ToldAs, type Values } from './answered.ts';
import type { Rig } from './rig.ts';

const LIMIT = 64 * 1024 * 1024;

export interface DriveItemPlace {
  readonly driveId: string;
  readonly itemId: string;
}

/** Who may do what, in no order; ids, addresses and what is inherited say nothing of the item itself. */
async function permissionsOf(rig: Rig, place: DriveItemPlace): Promise<Values> {
  const grants: string[] = [];
  const links: string[] = [];
  const addresses: string[] = [];
  for await (const permission of rig.graph.drives.permissions(place)) {
    const { id: _id, shareId: _share, inheritedFrom, link, ...says } = permission as unknown as Values & { readonly link?: Values };
    if (inheritedFrom) continue;
    if (!link) {
      grants.push(JSON.stringify(says));
      continue;
    }
    const { webUrl, ...kind } = link;
    links.push(JSON.stringify({ ...says, link: kind }));
    addresses.push(String(webUrl));
  }
  return { grants: grants.toSorted(), sharingLinks: links.toSorted(), sharingLinkAddress: addresses.toSorted() };
}

/** A hash of what an item holds, or why the service does not give it out. */
async function hashOf({ bytes }: { readonly bytes: AsyncIterable<Uint8Array> }): Promise<string> {
  return collect(bytes, LIMIT).then(sha256Hex, (error: unknown) => (isAppError(error) ? error.code : Promise.reject(error)));
}

/** Everything that Graph answers for a folder of a drive. */
export async function answeredFolder(rig: Rig, place: DriveItemPlace): Promise<Answered> {
  const {
    size: _size,
    folder: _folder,
    '@microsoft.graph.downloadUrl': _url,
    ...says
  } = { ...(await rig.graph.drives.item(place)) } as Values;
  return answered({ ...says, ...(await permissionsOf(rig, place)) });
}

/** Everything that Graph answers for a file, with the bytes of each version. */
export async function answeredFile(rig: Rig, place: DriveItemPlace): Promise<Answered> {
  const { drives } = rig.graph;
  const { '@microsoft.graph.downloadUrl': _url, ...says } = { ...(await drives.item(place)) } as Values;
  const content = await hashOf(drives.content(place));
  const contents: string[] = [];
  const times: unknown[] = [];
  const authors: unknown[] = [];
  let isCurrent = true;
  for await (const { id: versionId, lastModifiedDateTime, lastModifiedBy } of drives.versions(place)) {
    authors.push(lastModifiedBy);
    // The content of the current version is that of the file, and its time is that of the item.
    if (!isCurrent) contents.push(await hashOf(drives.versionContent({ ...place, versionId })));
    if (!isCurrent) times.push(lastModifiedDateTime);
    isCurrent = false;
  }
  const versions = { versions: contents, versionTimes: times, versionAuthors: authors };
  return answered({ ...says, content, ...versions, ...(await permissionsOf(rig, place)) });
}

export const FILE_TOLD_AS: ToldAs = {
  versionAuthors: ['lastModifiedBy'],
  sharingLinks: ['sharingLinksMerged', 'sharingLinkAsGrant', 'sharingLinkPassword'],
  grants: ['permission', 'permissionLevel', 'permissionOwner', 'sharingLinkAsGrant'],
};
