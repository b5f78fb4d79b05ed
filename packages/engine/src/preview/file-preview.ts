import type { VaultReader } from '@holdfast/vault';
import { wholeOf } from '../download/item-file.ts';
import { fileVersions } from '../ports/file-versions.ts';
import type { ItemVersion, Json } from '../ports/item.ts';
import { blank, instantOf, readable, type ItemPreview } from './item-preview.ts';

/** The largest file that a preview reads as text. */
export const PREVIEW_TEXT_LIMIT = 256 * 1024;
const TEXT_TYPES = /^(?:text\/|application\/(?:json|xml|javascript|x-yaml|sql)|message\/rfc822)/u;
const TEXT_ENDINGS = /\.(?:txt|md|csv|tsv|json|xml|ya?ml|log|ini|conf|html?|css|js|ts|py|sh|ps1|sql|eml|ics|vcf)$/iu;

/** Text in UTF-8, or in UTF-16 when its mark says so; null for what is none. */
function decoded(bytes: Uint8Array): string | null {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\u0000') ? null : text;
  } catch {
    // Not text, whatever its name says: the file can be downloaded.
    return null;
  }
}

/** Whether a file says of itself that it is plain text. */
export function isPlainText(item: ItemVersion): boolean {
  return TEXT_TYPES.test(wholeOf(item)?.mediaType ?? '') || TEXT_ENDINGS.test(item.name);
}

async function textOf(reader: VaultReader, item: ItemVersion, limit: number): Promise<string | null> {
  const whole = wholeOf(item);
  if (!whole || whole.ref.sizeBytes > limit || !isPlainText(item)) return null;
  return readable(decoded(await reader.readAll(whole.ref, limit)));
}

function versionsOf(item: ItemVersion): ItemPreview['versions'] {
  return fileVersions(item).map(({ label, content, modifiedAt }) => ({
    label,
    at: instantOf(modifiedAt),
    sizeBytes: content.ref.sizeBytes,
  }));
}

function nameIn(value: Json | undefined): string | undefined {
  const user = (value as { readonly user?: { readonly displayName?: Json } | null } | null | undefined)?.user?.displayName;
  return typeof user === 'string' ? user : undefined;
}

/** A file: who and when, its versions, and its text when it is a short text. */
export async function filePreview(reader: VaultReader, item: ItemVersion, textLimit: number): Promise<ItemPreview> {
  const whole = wholeOf(item);
  const createdBy = nameIn(item.properties['createdBy']);
  const modifiedBy = nameIn(item.properties['lastModifiedBy']);
  return {
    ...blank(item.kind, item.name),
    at: instantOf(item.modifiedAt ?? item.createdAt),
    text: await textOf(reader, item, textLimit),
    properties: [
      ...(whole?.mediaType === undefined ? [] : [{ name: 'mediaType' as const, value: whole.mediaType }]),
      ...(createdBy === undefined ? [] : [{ name: 'createdBy' as const, value: createdBy }]),
      ...(modifiedBy === undefined ? [] : [{ name: 'modifiedBy' as const, value: modifiedBy }]),
    ],
    versions: versionsOf(item),
  };
}
