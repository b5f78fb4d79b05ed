import type { DriveEntry } from '@holdfast/m365';
import type { ItemVersion } from '../../ports/item.ts';
import type { Replaced } from '../request.ts';
import { writtenOf, type RestoreContext } from '../restorer.ts';

/** What content a file at the target has. */
export function hashOf(entry: DriveEntry | undefined): string | undefined {
  return entry?.file?.hashes?.quickXorHash ?? undefined;
}

/** What SharePoint rewrites after an upload. */
export const OFFICE = /\.(?:docx?|docm|dotx?|xlsx?|xlsm|xltx?|pptx?|pptm|potx?|vsdx?)$/iu;

/** Notes files for an undo. */
export function createFileNotes({ graph, beginnings }: Pick<RestoreContext, 'graph' | 'beginnings'>, withPermissions: boolean) {
  /** Grants and rewriting move the tag of a file: it is read afterwards. */
  async function noteWritten(item: ItemVersion, driveId: string, stored: DriveEntry, replaced?: Replaced): Promise<void> {
    if (!beginnings.isNoted) return;
    const isShared = withPermissions && ((item.properties['permissions'] ?? []) as readonly unknown[]).length > 0;
    const { eTag } = isShared || OFFICE.test(item.name) ? await graph.drives.item({ driveId, itemId: stored.id }) : stored;
    const thing = { ...writtenOf(item), name: stored.name ?? item.name, targetId: stored.id, place: driveId, mark: eTag ?? '' };
    await beginnings.wrote({ ...thing, ...(replaced ? { replaced } : {}) });
  }

  /** Before the first byte goes: afterwards nobody could tell what was there. */
  async function noteReplaced(item: ItemVersion, driveId: string, existing: DriveEntry): Promise<Replaced> {
    const replaced = { id: existing.id, mark: hashOf(existing) ?? '' };
    await beginnings.wrote({ ...writtenOf(item), targetId: existing.id, place: driveId, mark: '', replaced });
    return replaced;
  }

  return { noteWritten, noteReplaced };
}
