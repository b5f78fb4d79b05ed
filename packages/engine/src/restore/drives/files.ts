import { createHash } from 'node:crypto';
import { AppError } from '@holdfast/foundation/errors';
import { crashPoint } from '@holdfast/foundation/crash-point';
import type { DriveEntry, DriveItemRef, FileUpload, GraphClient } from '@holdfast/m365';
import { fileVersions } from '../../ports/file-versions.ts';
import type { Content, ItemVersion } from '../../ports/item.ts';
import { contentOf, type ItemOutcome, type PlacedContainer, type RestoreContext } from '../restorer.ts';
import { nameDifference, nameInFolder } from './allowed-name.ts';
import { createNamesakes } from './namesakes.ts';
import { restorePermissions } from './permissions.ts';
import { splitPlace } from './place.ts';
import { createUploader } from './uploader.ts';
import { createFileNotes, hashOf, OFFICE } from './file-notes.ts';

function times(item: ItemVersion, modifiedAt = item.modifiedAt): FileUpload['fileSystemInfo'] {
  if (item.createdAt === undefined || modifiedAt === undefined) return undefined;
  return { createdDateTime: item.createdAt, lastModifiedDateTime: modifiedAt };
}

interface OlderVersion {
  readonly content: Content;
  readonly modifiedAt: string | undefined;
}

/** Earlier versions oldest first, as they must be put back for the history to be the history. */
function olderVersions(item: ItemVersion): readonly OlderVersion[] {
  return fileVersions(item)
    .filter(({ content }) => content.role === 'version')
    .map(({ content, modifiedAt }) => ({ content, modifiedAt }))
    .reverse();
}

function isSameName({ name }: DriveEntry, item: ItemVersion): boolean {
  return (name ?? item.name) === item.name;
}

function storedHash(item: ItemVersion): string | undefined {
  const { quickXorHash } = (item.properties['hashes'] ?? {}) as { readonly quickXorHash?: string };
  return quickXorHash;
}

/** Listed hashes can be wrong, so a difference is believed only after the bytes have been read back. */
async function contentDifferences(graph: GraphClient, item: ItemVersion, driveId: string, stored: DriveEntry): Promise<readonly string[]> {
  const wanted = storedHash(item);
  const own = contentOf(item, 'file');
  const isSameSize = stored.size === own?.ref.sizeBytes;
  if (isSameSize && (wanted === undefined || hashOf(stored) === undefined || hashOf(stored) === wanted)) return [];
  if (OFFICE.test(item.name)) return ['officeRewritten'];
  if (!isSameSize) return ['content'];
  const hash = createHash('sha256');
  for await (const part of graph.drives.content({ driveId, itemId: stored.id }).bytes) hash.update(part);
  return hash.digest('hex') === own?.ref.sha256 ? [] : ['content'];
}

/** Puts files back with their versions, times and grants. Replacing makes a new version: there is no moment without the file. */
export function createFileRestorer(context: RestoreContext) {
  const { request, graph, beginnings } = context;
  const namesakes = createNamesakes(context);
  const uploader = createUploader(context);
  const withVersions = request.options?.versions ?? true;
  const withPermissions = request.options?.permissions ?? context.isOriginal;
  const { noteWritten, noteReplaced } = createFileNotes(context, withPermissions);

  async function uploadAll(item: ItemVersion, driveId: string, first: Pick<FileUpload, 'target' | 'conflict'>): Promise<DriveEntry> {
    const file = contentOf(item, 'file');
    if (!file) throw new AppError('restore.unreadable', { details: { name: item.name } });
    const series = [...(withVersions ? olderVersions(item) : []), { content: file, modifiedAt: item.modifiedAt }];
    let stored: DriveEntry | undefined;
    for (const version of series) {
      const target: Pick<FileUpload, 'target' | 'conflict'> = stored ? { target: { itemId: stored.id }, conflict: 'replace' } : first;
      const fileSystemInfo = times(item, version.modifiedAt);
      stored = await uploader.upload({ key: item.key, driveId, ...target, ...(fileSystemInfo ? { fileSystemInfo } : {}) }, version.content);
      await crashPoint('restore.version-uploaded');
    }
    return stored as DriveEntry;
  }

  async function finishFile(item: ItemVersion, driveId: string, stored: DriveEntry): Promise<readonly string[]> {
    const shared = withPermissions ? await restorePermissions(graph, { driveId, itemId: stored.id }, item) : [];
    const versions = withVersions && olderVersions(item).length > 0 ? ['versionTimes'] : [];
    const described = item.properties['description'] ? ['description'] : [];
    const content = await contentDifferences(graph, item, driveId, stored);
    return [...content, ...shared, ...versions, ...described, 'createdBy', 'lastModifiedBy'];
  }

  function keepsExisting(existing: DriveEntry, item: ItemVersion): ItemOutcome | undefined {
    const targetId = existing.id;
    // One that was begun was not to be kept: it may hold an older version by now.
    if (request.collisions === 'keepBoth' || beginnings.isBegun(item.key)) return undefined;
    if (request.collisions === 'skip') return { outcome: 'skipped', targetId, code: 'restore.exists' };
    const wanted = storedHash(item);
    if (wanted !== undefined && hashOf(existing) === wanted) return { outcome: 'skipped', targetId, code: 'restore.identical' };
    if (request.collisions !== 'newerWins') return undefined;
    const theirs = Date.parse(existing.fileSystemInfo?.lastModifiedDateTime ?? existing.lastModifiedDateTime ?? '');
    return theirs > Date.parse(item.modifiedAt ?? '') ? { outcome: 'skipped', targetId, code: 'restore.existing-newer' } : undefined;
  }

  /** A file that a worker that died had made, perhaps of older versions only. */
  async function goOn(item: ItemVersion, { driveId, itemId }: DriveItemRef, name: string): Promise<ItemOutcome> {
    const found = await graph.drives.item({ driveId, itemId });
    const isWhole = storedHash(item) !== undefined && hashOf(found) === storedHash(item);
    const stored = isWhole ? found : await uploadAll(item, driveId, { target: { itemId }, conflict: 'replace' });
    const outcome = isSameName(stored, item) ? 'restored' : 'renamed';
    const differences = [...(await finishFile(item, driveId, stored)), ...nameDifference(item, name)];
    await noteWritten(item, driveId, stored);
    return { outcome, targetId: itemId, differences, bytes: item.sizeBytes };
  }

  return {
    async restore(item: ItemVersion, parent: PlacedContainer): Promise<ItemOutcome> {
      if (item.kind === 'shortcut') return { outcome: 'notPossible', code: 'restore.shortcut' };
      const { driveId, itemId: parentId } = splitPlace(parent.targetId);
      const name = await nameInFolder(graph, { driveId, itemId: parentId }, item.name);
      const existing = await graph.drives.itemByPath({ driveId, itemId: parentId }, name);
      const there = existing ? await namesakes(parent.targetId, existing) : [];
      const [left] = await beginnings.leftOf(item.key, there);
      if (left) return goOn(item, { driveId, itemId: left.id }, name);
      const kept = existing && keepsExisting(existing, item);
      if (kept) return kept;
      await beginnings.begin(item.key, there);
      const isReplaced = existing !== undefined && request.collisions !== 'keepBoth';
      const first: Pick<FileUpload, 'target' | 'conflict'> = isReplaced
        ? { target: { itemId: existing.id }, conflict: 'replace' }
        : { target: { parentId, name }, conflict: request.collisions === 'keepBoth' ? 'rename' : 'fail' };
      const replaced = isReplaced ? await noteReplaced(item, driveId, existing) : undefined;
      const stored = await uploadAll(item, driveId, first);
      const differences = [...(await finishFile(item, driveId, stored)), ...nameDifference(item, name)];
      await noteWritten(item, driveId, stored, replaced);
      const outcome = isReplaced ? 'replaced' : isSameName(stored, item) ? 'restored' : 'renamed';
      return { outcome, targetId: stored.id, differences, bytes: item.sizeBytes };
    },
    finish: () => uploader.finish(),
  };
}
