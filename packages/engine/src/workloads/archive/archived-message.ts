import { AppError } from '@holdfast/foundation/errors';
import { canonicalJson } from '../../shared/canonical.ts';
import type { ContentSink, Draft, ReadItem } from '../../pipeline/step.ts';
import type { Content, ItemVersion, Json, JsonObject } from '../../ports/item.ts';
import type { ArchiveSource } from './archive-source.ts';

/** What identifies and describes the content, wherever it is. */
const OF_CONTENT = [
  'internetMessageId',
  'from',
  'sentDateTime',
  'receivedDateTime',
  'hasAttachments',
  'importance',
  'conversationId',
] as const;
/** What may differ between the places of one content. */
const OF_PLACE = ['receivedDateTime', 'isRead', 'isDraft', 'flag', 'categories'] as const;

function pick(properties: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name): [string, Json][] => (properties[name] === undefined ? [] : [[name, properties[name]]])));
}

/** Where a message was when it was captured: its flags are those of that time. */
export function placementOf(message: ItemVersion, folder: string, capturedAt: string): JsonObject {
  return { providerId: message.key, folder, folderId: message.parentKey, capturedAt, ...pick(message.properties, OF_PLACE) };
}

function isSamePlace(a: Json, b: JsonObject): boolean {
  const { providerId, folder } = a as { readonly [name: string]: Json };
  return canonicalJson([providerId ?? null, folder ?? null]) === canonicalJson([b['providerId'] ?? null, b['folder'] ?? null]);
}

/** The places where an archived message is known to have been. */
export function placementsOf(item: Pick<ItemVersion, 'properties'>): readonly Json[] {
  const { placements } = item.properties;
  return Array.isArray(placements) ? (placements as readonly Json[]) : [];
}

/** The bytes of a message from another vault are stored again, and must be those that give it its name. */
async function copy(
  read: NonNullable<ArchiveSource['read']>,
  sink: ContentSink,
  { ref, mediaType }: Content,
  signal: AbortSignal,
): Promise<ReadItem> {
  const stored = await sink.store('mime', read(ref, signal), { kind: 'message', ...(mediaType === undefined ? {} : { mediaType }) });
  if (stored.ref.sha256 !== ref.sha256) throw new AppError('vault.damaged', { details: { wanted: ref.sha256, found: stored.ref.sha256 } });
  return { contents: [stored] };
}

/** A message as the archive keeps it: named by the hash of its exact bytes, with every place where it was. */
export function archivedDraft(
  message: ItemVersion,
  {
    mime,
    placements,
    source,
    signal,
  }: { readonly mime: Content; readonly placements: readonly Json[]; readonly source: ArchiveSource; readonly signal: AbortSignal },
): Draft {
  const { read } = source;
  const { role, ref, mediaType } = mime;
  const content: Content = { role, ref, ...(mediaType === undefined ? {} : { mediaType }) };
  return {
    key: ref.sha256,
    kind: 'message',
    parentKey: null,
    name: message.name,
    sizeBytes: ref.sizeBytes,
    ...(message.createdAt === undefined ? {} : { createdAt: message.createdAt }),
    ...(message.modifiedAt === undefined ? {} : { modifiedAt: message.modifiedAt }),
    contentTag: ref.sha256,
    properties: { ...pick(message.properties, OF_CONTENT), placements },
    read: (sink) => (read ? copy(read, sink, content, signal) : Promise.resolve({ contents: [content] })),
  };
}

/** The places of a message with one more; undefined when it was known there. */
export function withPlacement(item: Pick<ItemVersion, 'properties'> | undefined, placement: JsonObject): readonly Json[] | undefined {
  const known = item ? placementsOf(item) : [];
  return known.some((one) => isSamePlace(one, placement)) ? undefined : [...known, placement];
}
