import { AppError } from '@holdfast/foundation/errors';
import type { Content, ItemVersion, Json } from './item.ts';

/** The label of a file's content where the service has given no number. */
const ONLY_VERSION = '1.0';

/** A stored version of a file: the newest first, then the earlier ones. */
export interface FileVersion {
  readonly label: string;
  readonly content: Content;
  readonly modifiedAt?: string;
}

/** Every version of a file that the vault holds, with the time the service gave each. */
export function fileVersions(item: ItemVersion): readonly FileVersion[] {
  const read = item.properties['read'] as { readonly versions?: readonly Json[] } | undefined;
  const times = new Map<string, string>();
  for (const entry of read?.versions ?? []) {
    const { id, lastModifiedDateTime } = entry as { readonly id?: string; readonly lastModifiedDateTime?: string };
    if (id !== undefined && lastModifiedDateTime !== undefined) times.set(id, lastModifiedDateTime);
  }
  return item.contents
    .filter((content) => content.role === 'file' || content.role === 'version')
    .map((content) => {
      const modifiedAt = times.get(content.label ?? '') ?? (content.role === 'file' ? item.modifiedAt : undefined);
      return { label: content.label ?? ONLY_VERSION, content, ...(modifiedAt === undefined ? {} : { modifiedAt }) };
    });
}

/**
 * A file as it was in one of its versions: that content alone, with its time. Throws `restore.unreadable`
 * for a version that is not stored.
 */
export function asVersion(item: ItemVersion, label: string): ItemVersion {
  const version = fileVersions(item).find((one) => one.label === label);
  if (!version) throw new AppError('restore.unreadable', { details: { name: item.name, version: label } });
  // What the service says of the newest content, its hash first of all, is not true of this one.
  const { hashes: _hashes, read: _read, ...properties } = item.properties;
  const { content, modifiedAt } = version;
  const { modifiedAt: _newest, ...same } = item;
  return {
    ...same,
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
    sizeBytes: content.ref.sizeBytes,
    contents: [{ ...content, role: 'file' }],
    properties,
  };
}
