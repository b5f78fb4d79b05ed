import { graphError, isGraphError, type DriveEntry, type DriveItemRef, type GraphClient } from '@holdfast/m365';
import { tagOf } from '../../shared/canonical.ts';
import type { ContentSink, Defect, Draft, ReadItem } from '../../pipeline/step.ts';
import type { Content, ItemKind, ItemVersion, Json, JsonObject, Resource } from '../../ports/item.ts';
import { jsonProperties, without } from '../compare-listing.ts';
import { partDefect } from '../part-defect.ts';

/** Keys of one drive's items inside a resource that may have several drives. */
export interface DriveKeys {
  readonly driveId: string;
  readonly library: string;
  item(itemId: string): string;
}

export function driveKeys(driveId: string): DriveKeys {
  return { driveId, library: `library:${driveId}`, item: (itemId) => `${driveId}:${itemId}` };
}

/** The drive that a resource is: itself, or that of the person whom it is named by. */
export async function driveIdOf(graph: GraphClient, { graphId }: Pick<Resource, 'graphId'>): Promise<string> {
  return graphId.startsWith('b!') ? graphId : (await graph.drives.userDrive({ userId: graphId })).id;
}

/** The service's id of an item, out of its key. */
export function driveItemId(key: string): string {
  return key.slice(key.lastIndexOf(':') + 1);
}

/** What an entry is; undefined for the root, which is the library itself. */
export function kindOf(entry: DriveEntry): Extract<ItemKind, 'folder' | 'file' | 'package' | 'shortcut'> | undefined {
  if (entry.root) return undefined;
  if (entry.remoteItem) return 'shortcut';
  if (entry.package) return 'package';
  return entry.folder ? 'folder' : 'file';
}

/** True for what can't be read because the service holds it for infected. */
export function isMalware(entry: DriveEntry): boolean {
  return (entry as { readonly malware?: unknown }).malware !== undefined && (entry as { readonly malware?: unknown }).malware !== null;
}

/** True for a file in Microsoft 365 Archive: it is listed, and nobody can read it before it is reactivated. */
export function isArchived({ file }: DriveEntry): boolean {
  const { archiveStatus } = (file ?? {}) as { readonly archiveStatus?: string | null };
  return archiveStatus === 'fullyArchived' || archiveStatus === 'reactivating';
}

/** True when the entry says that somebody was given access, or that this changed. */
export function hasSharing(entry: DriveEntry): boolean {
  return (entry.shared !== undefined && entry.shared !== null) || entry['@microsoft.graph.sharedChanged'] !== undefined;
}

function contentTagOf(entry: DriveEntry): string {
  if (!entry.file) return '';
  const hashes = entry.file.hashes as unknown as Json | undefined;
  const isNamed = hashes !== undefined && hashes !== null && Object.values(hashes).some((hash) => typeof hash === 'string');
  return tagOf(isNamed ? hashes : (entry.eTag ?? null), entry.size ?? 0, entry.cTag ?? null);
}

function propertiesOf(entry: DriveEntry, permissions: readonly Json[] | undefined): JsonObject {
  const { file, createdBy, lastModifiedBy, fileSystemInfo, webUrl, remoteItem, shared, description } = entry;
  return jsonProperties({
    mimeType: file?.mimeType,
    hashes: file?.hashes,
    createdBy,
    lastModifiedBy,
    fileSystemInfo,
    webUrl,
    remoteItem,
    shared,
    description,
    package: entry.package,
    permissions,
  });
}

/** True when the entity tag says that this is the first state there ever was. */
function isFirstVersion(eTag: string | null | undefined): boolean {
  return /,1"?$/u.test(eTag ?? '');
}

interface ReadVersions {
  readonly current: string | undefined;
  readonly contents: readonly Content[];
  readonly described: readonly Json[];
  readonly defects: readonly Defect[];
}

async function readVersions(
  graph: GraphClient,
  ref: DriveItemRef,
  options: { readonly keep: number; readonly stored: readonly Content[]; readonly sink: ContentSink },
): Promise<ReadVersions> {
  const contents: Content[] = [];
  const described: Json[] = [];
  const defects: Defect[] = [];
  let current: string | undefined;
  for await (const version of graph.drives.versions(ref)) {
    if (contents.length + defects.length >= options.keep) {
      // Versions that are not stored count too: they take up space in Microsoft 365, and a report shows how much.
      const { id, size, lastModifiedDateTime } = version;
      described.push(jsonProperties({ id, size, lastModifiedDateTime }));
      continue;
    }
    described.push(jsonProperties(without(version, 'content', '@microsoft.graph.downloadUrl')));
    if (current === undefined) {
      current = version.id;
      continue;
    }
    const known = options.stored.find((content) => content.label === version.id);
    if (known) {
      contents.push({ ...known, role: 'version' });
      continue;
    }
    try {
      const { bytes } = graph.drives.versionContent({ ...ref, versionId: version.id });
      contents.push(await options.sink.store('version', bytes, { kind: 'file', label: version.id }));
    } catch (error) {
      defects.push(partDefect(error, `version:${version.id}`, ['file', `version ${version.id}`]));
    }
  }
  return { current, contents, described, defects };
}

/** An archived file answers as one that is open does. Not every listing says which it is: the item itself does. */
async function refuseArchived(graph: GraphClient, ref: DriveItemRef, error: unknown): Promise<never> {
  if (isGraphError(error, 'graph.locked') && isArchived(await graph.drives.item(ref)))
    throw graphError('graph.file-archived', error.details, error);
  throw error;
}

/** Reads a file: its content, and earlier versions that are not stored yet. */
function reader(
  graph: GraphClient,
  ref: DriveItemRef,
  entry: DriveEntry,
  rest: { readonly versions: number; readonly previous: ItemVersion | undefined },
) {
  return async (sink: ContentSink): Promise<ReadItem> => {
    const downloadUrl = entry['@microsoft.graph.downloadUrl'];
    const { bytes } = graph.drives.content({
      ...ref,
      ...(downloadUrl === undefined ? {} : { downloadUrl }),
      ...(typeof entry.size === 'number' ? { sizeBytes: entry.size } : {}),
    });
    const mediaType = entry.file?.mimeType;
    const file = await sink
      .store('file', bytes, { kind: 'file', ...(mediaType ? { mediaType } : {}) })
      .catch((error: unknown) => refuseArchived(graph, ref, error));
    const { sizeBytes } = file.ref;
    if (rest.versions === 0 || isFirstVersion(entry.eTag)) return { contents: [file], sizeBytes };
    const stored = (rest.previous?.contents ?? []).filter((content) => content.role === 'version' || content.role === 'file');
    const { current, contents, described, defects } = await readVersions(graph, ref, { keep: rest.versions, stored, sink });
    const labelled = current === undefined ? file : { ...file, label: current };
    return { contents: [labelled, ...contents], sizeBytes, properties: { versions: described }, defects };
  };
}

export interface DriveDraftOptions {
  readonly graph: GraphClient;
  readonly keys: DriveKeys;
  readonly entry: DriveEntry;
  readonly parentKey: string;
  readonly kind: 'folder' | 'file' | 'package' | 'shortcut';
  readonly permissions: readonly Json[] | undefined;
  readonly notProtected: string | undefined;
  readonly versions: number;
  readonly previous: ItemVersion | undefined;
}

/** A drive item as delta names it. */
export function driveDraft(options: DriveDraftOptions): Draft {
  const { graph, keys, entry, parentKey, kind, permissions, notProtected, versions, previous } = options;
  const properties = propertiesOf(entry, permissions);
  const { createdDateTime, lastModifiedDateTime } = entry.fileSystemInfo ?? {};
  const ref = { driveId: keys.driveId, itemId: entry.id };
  return {
    key: keys.item(entry.id),
    kind,
    parentKey,
    name: entry.name ?? '',
    contentTag: kind === 'file' ? contentTagOf(entry) : '',
    properties: notProtected === undefined ? properties : { ...properties, notProtected },
    ...(createdDateTime ? { createdAt: createdDateTime } : {}),
    ...(lastModifiedDateTime ? { modifiedAt: lastModifiedDateTime } : {}),
    ...(kind === 'file' ? { read: reader(graph, ref, entry, { versions, previous }) } : {}),
  };
}
