import type { Content as GraphContent } from '@holdfast/m365';
import { tagOf } from '../../shared/canonical.ts';
import type { ContentSink, Defect, Draft, ReadItem } from '../../pipeline/step.ts';
import type { Content, ItemKind, ItemVersion } from '../../ports/item.ts';
import { jsonProperties, without } from '../compare-listing.ts';
import { partDefect } from '../part-defect.ts';
import { htmlText } from '../../shared/html-text.ts';

/** A message of a channel or chat, as the service gives it. */
export interface PostEntry {
  readonly id: string;
  readonly etag?: string | null;
  readonly createdDateTime?: string | null;
  readonly lastModifiedDateTime?: string | null;
  readonly deletedDateTime?: string | null;
  readonly subject?: string | null;
  readonly summary?: string | null;
  readonly body?: { readonly contentType?: string | null; readonly content?: string | null } | null;
  readonly reactions?: unknown;
}

export interface PostDraftOptions {
  readonly key: string;
  readonly kind: Extract<ItemKind, 'post' | 'reply' | 'chatMessage'>;
  readonly parentKey: string;
  readonly entry: PostEntry;
  readonly previous: ItemVersion | undefined;
  readonly hosted: (hostedContentId: string) => GraphContent;
}

/** Ids of the pictures and cards that a body refers to by their address. */
export function hostedContentIds(html: string): readonly string[] {
  const ids = [...html.matchAll(/hostedContents\/([^/"']+)\/\$value/gu)].map((match) => decodeURIComponent(match[1] ?? ''));
  return [...new Set(ids)];
}

function titleOf(entry: PostEntry): string {
  const text = entry.subject ?? entry.summary ?? htmlText(entry.body?.content ?? '');
  const plain = text.replaceAll(/\s+/gu, ' ').trim();
  return plain.length > 120 ? `${plain.slice(0, 117)}...` : plain;
}

/** Reads the pictures that are not stored yet: what one is never changes, and one that is stored stays when the service has lost it. */
async function read(options: PostDraftOptions, ids: readonly string[], sink: ContentSink): Promise<ReadItem> {
  const contents: Content[] = [];
  const defects: Defect[] = [];
  for (const id of ids) {
    const stored = options.previous?.contents.find(({ role, label }) => role === 'hosted' && label === id);
    if (stored) {
      contents.push(stored);
      continue;
    }
    try {
      const { bytes, contentType } = options.hosted(id);
      contents.push(await sink.store('hosted', bytes, { kind: 'file', label: id, ...(contentType ? { mediaType: contentType } : {}) }));
    } catch (error) {
      defects.push(partDefect(error, `hosted:${id}`, ['hosted content']));
    }
  }
  return { contents, defects };
}

function optionalTimes(entry: PostEntry): Pick<Draft, 'createdAt' | 'modifiedAt'> {
  return {
    ...(entry.createdDateTime ? { createdAt: entry.createdDateTime } : {}),
    ...(entry.lastModifiedDateTime ? { modifiedAt: entry.lastModifiedDateTime } : {}),
  };
}

/** What a message says; how many answers there are, and where, is what a list says of it. */
function said(entry: PostEntry): Readonly<Record<string, unknown>> {
  const lists = Object.keys(entry).filter((name) => name.includes('@odata.'));
  return { ...without(entry, 'id', 'replies', 'hostedContents', ...lists), messageId: entry.id };
}

/** A deleted message that was stored keeps what it said: only that it is deleted is new. */
function deletedDraft(options: PostDraftOptions, previous: ItemVersion): Draft {
  const { key, kind, parentKey, entry } = options;
  const kept = { ...said(entry), body: previous.properties['body'] ?? null };
  const { name, contentTag, sizeBytes } = previous;
  return { key, kind, parentKey, name, sizeBytes, contentTag, properties: jsonProperties(kept), ...optionalTimes(entry) };
}

/** A message with its text in the properties; what it hosts is read as streams. */
export function postDraft(options: PostDraftOptions): Draft {
  const { key, kind, parentKey, entry, previous } = options;
  const isDeleted = entry.deletedDateTime !== undefined && entry.deletedDateTime !== null;
  if (isDeleted && previous) return deletedDraft(options, previous);
  const text = entry.body?.content ?? '';
  const ids = isDeleted ? [] : hostedContentIds(text);
  return {
    key,
    kind,
    parentKey,
    name: titleOf(entry),
    sizeBytes: Buffer.byteLength(text),
    contentTag: tagOf(ids),
    properties: jsonProperties(said(entry)),
    ...optionalTimes(entry),
    ...(ids.length > 0 ? { read: (sink: ContentSink) => read(options, ids, sink) } : {}),
  };
}
